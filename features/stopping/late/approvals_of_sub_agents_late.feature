Feature: Approvals late in the run of a sub-agent
  A decision has to hold wherever the call is made. Here a sub-agent waits twice in one run, after another tool call and after
  a failed model call. The rules of approvals and decisions hold here too.

  Background:
    Given a streaming run
    And a conversation of agentic messages
      | role | content |
      | user | Hello.  |
    And a sub-agent "helper"

  @STOP-19 @clarified
  Rule: A decision about a tool call of a sub-agent also counts late in the run

    Scenario: Each of two tools waits in both answers
      Given tool calls run sequentially
      And failed model calls are retried at most once
      And a handler "first" that observes
      And a handler "second" that observes
      And the tools
        | name | returns | kind       | needs approval |
        | t0   | früh    | streamable |                |
        | t1   | first   |            | yes            |
        | t2   | second  |            | yes            |
        | t3   | third   |            |                |
      And a model that answers
        | calls                                                | text   | fails with |
        | t0({"city": "Köln"}) as e                            |        |            |
        |                                                      |        | busy       |
        | t1({"city": "Köln"}) as a, t2({"city": "Bonn"}) as b |        |            |
        | t2({"city": "Köln"}) as c, t1({"city": "Bonn"}) as d |        |            |
        |                                                      | helped |            |
      And an outer agent
      And tool calls run sequentially
      And a model that answers
        | calls                        | text |
        | helper({"request": "Help."}) |      |
        |                              | done |
      And in run 2, the caller approves the call "a"
      And in run 2, the caller approves the call "b"
      And in run 3, the caller approves the call "c"
      And in run 3, the caller approves the call "d"
      When the agent runs, is resumed, and is resumed again from the new stop
      Then run 1 is interrupted by t1, t2
      And run 2 is interrupted by t1, t2
      And the tool "t1" runs 2 times
      And the tool "t2" runs 2 times
      And the final answer of run 3 is "done"

    Scenario: Both calls are approved
      Given tool calls run sequentially
      And failed model calls are retried at most once
      And a handler "first" that observes
      And a handler "second" that observes
      And the tools
        | name | returns | kind       | needs approval |
        | t0   | früh    | streamable |                |
        | t1   | first   |            | yes            |
        | t2   | second  |            | yes            |
        | t3   | third   |            |                |
      And a model that answers
        | calls                     | text   | fails with |
        | t0({"city": "Köln"}) as e |        |            |
        |                           |        | busy       |
        | t1({"city": "Köln"}) as a |        |            |
        | t2({"city": "Bonn"}) as b |        |            |
        |                           | helped |            |
      And an outer agent
      And tool calls run sequentially
      And a model that answers
        | calls                        | text |
        | helper({"request": "Help."}) |      |
        |                              | done |
      And in run 2, the caller approves the call "a"
      And in run 3, the caller approves the call "b"
      When the agent runs, is resumed, and is resumed again from the new stop
      Then the tool "t1" runs once
      And the tool "t2" runs once
      And call 1 of the tool "t1" receives the arguments "{"city": "Köln"}"
      And call 1 of the tool "t2" receives the arguments "{"city": "Bonn"}"
      And model call 5 contains the message "first"
      And model call 6 contains the message "second"

    Scenario: Both calls are denied, each for a reason of its own
      Given tool calls run sequentially
      And failed model calls are retried at most once
      And a handler "first" that observes
      And a handler "second" that observes
      And the tools
        | name | returns | kind       | needs approval |
        | t0   | früh    | streamable |                |
        | t1   | first   |            | yes            |
        | t2   | second  |            | yes            |
        | t3   | third   |            |                |
      And a model that answers
        | calls                     | text   | fails with |
        | t0({"city": "Köln"}) as e |        |            |
        |                           |        | busy       |
        | t1({"city": "Köln"}) as a |        |            |
        | t2({"city": "Bonn"}) as b |        |            |
        |                           | helped |            |
      And an outer agent
      And tool calls run sequentially
      And a model that answers
        | calls                        | text |
        | helper({"request": "Help."}) |      |
        |                              | done |
      And in run 2, the caller denies the call "a" because "nicht für heute"
      And in run 3, the caller denies the call "b" because "not tomorrow"
      When the agent runs, is resumed, and is resumed again from the new stop
      Then the tool "t1" never runs
      And the tool "t2" never runs
      And in model call 5, each tool call has one result
      And every model call of run 2 contains the text "nicht für heute"
      And in model call 6, each tool call has one result

    Scenario: One of two calls of one tool is approved, twice
      Given tool calls run sequentially
      And failed model calls are retried at most once
      And a handler "first" that observes
      And a handler "second" that observes
      And the tools
        | name | returns | kind       | needs approval |
        | t0   | früh    | streamable |                |
        | t1   | first   |            | yes            |
        | t2   | second  |            | yes            |
        | t3   | third   |            |                |
      And a model that answers
        | calls                                                | text   | fails with |
        | t0({"city": "Köln"}) as e                            |        |            |
        |                                                      |        | busy       |
        | t1({"city": "Rome"}) as a, t1({"city": "Köln"}) as b |        |            |
        | t1({"city": "Bonn"}) as c, t1({"city": "Oslo"}) as d |        |            |
        |                                                      | helped |            |
      And an outer agent
      And tool calls run sequentially
      And a model that answers
        | calls                        | text |
        | helper({"request": "Help."}) |      |
        |                              | done |
      And in run 2, the caller approves the call "b"
      And in run 2, the caller denies the call "a" because "not today"
      And in run 3, the caller approves the call "c"
      And in run 3, the caller denies the call "d" because "not today"
      When the agent runs, is resumed, and is resumed again from the new stop
      Then the tool "t1" runs 2 times
      And call 1 of the tool "t1" receives the arguments "{"city": "Köln"}"
      And call 2 of the tool "t1" receives the arguments "{"city": "Bonn"}"
      And the final answer of run 3 is "done"

    Scenario: One of two tools waits, in both answers
      Given tool calls run sequentially
      And failed model calls are retried at most once
      And a handler "first" that observes
      And a handler "second" that observes
      And the tools
        | name | returns | kind       | needs approval |
        | t0   | früh    | streamable |                |
        | t1   | first   |            | yes            |
        | t2   | second  |            | yes            |
        | t3   | third   |            |                |
      And a model that answers
        | calls                                                | text   | fails with |
        | t0({"city": "Köln"}) as e                            |        |            |
        |                                                      |        | busy       |
        | t1({"city": "Rome"}) as a, t3({"city": "Köln"}) as b |        |            |
        | t3({"city": "Bonn"}) as c, t1({"city": "Oslo"}) as d |        |            |
        |                                                      | helped |            |
      And an outer agent
      And tool calls run sequentially
      And a model that answers
        | calls                        | text |
        | helper({"request": "Help."}) |      |
        |                              | done |
      And in run 2, the caller approves the call "a"
      And in run 3, the caller denies the call "d" because "not today"
      When the agent runs, is resumed, and is resumed again from the new stop
      Then the tool "t0" runs once
      And the tool "t1" runs once
      And the tool "t3" runs 2 times
      And in model call 6, each tool call has one result
      And the final answer of run 3 is "done"

    Scenario: Two calls of one answer are edited
      Given tool calls run sequentially
      And failed model calls are retried at most once
      And a handler "first" that observes
      And a handler "second" that observes
      And the tools
        | name | returns | kind       | needs approval |
        | t0   | früh    | streamable |                |
        | t1   | first   |            | yes            |
        | t2   | second  |            | yes            |
        | t3   | third   |            |                |
      And a model that answers
        | calls                                                | text   | fails with |
        | t0({"city": "Köln"}) as e                            |        |            |
        |                                                      |        | busy       |
        | t1({"city": "Rome"}) as a, t2({"city": "Rome"}) as b |        |            |
        |                                                      | helped |            |
      And an outer agent
      And tool calls run sequentially
      And a model that answers
        | calls                        | text |
        | helper({"request": "Help."}) |      |
        |                              | done |
      And the caller approves the call "a" with the arguments "{"city": "Köln"}"
      And the caller approves the call "b" with the arguments "{}"
      When the agent runs and is resumed
      Then call 1 of the tool "t1" receives the arguments "{"city": "Köln"}"
      And call 1 of the tool "t2" receives the arguments "{}"
      And the final answer of run 2 is "done"

    Scenario: Both calls have one id
      Given tool calls run sequentially
      And failed model calls are retried at most once
      And a handler "first" that observes
      And a handler "second" that observes
      And the tools
        | name | returns | kind       | needs approval |
        | t0   | früh    | streamable |                |
        | t1   | first   |            | yes            |
        | t2   | second  |            | yes            |
        | t3   | third   |            |                |
      And a model that answers
        | calls                                                | text   | fails with |
        | t0({"city": "Köln"}) as e                            |        |            |
        |                                                      |        | busy       |
        | t1({"city": "Rome"}) as a, t3({"city": "Köln"}) as b |        |            |
        | t1({"city": "Bonn"}) as a                            |        |            |
        |                                                      | helped |            |
      And an outer agent
      And tool calls run sequentially
      And a model that answers
        | calls                        | text |
        | helper({"request": "Help."}) |      |
        |                              | done |
      And in run 2, the caller approves the call "a"
      And in run 3, the caller denies the call "a" because "not today"
      When the agent runs, is resumed, and is resumed again from the new stop
      Then run 2 is interrupted by t1
      And the tool "t1" runs once
      And the final answer of run 3 is "done"

    Scenario: The sub-agent waits twice
      Given tool calls run sequentially
      And failed model calls are retried at most once
      And a handler "first" that observes
      And a handler "second" that observes
      And the tools
        | name | returns | kind       | needs approval |
        | t0   | früh    | streamable |                |
        | t1   | first   |            | yes            |
        | t2   | second  |            | yes            |
        | t3   | third   |            |                |
      And a model that answers
        | calls                                                | text   | fails with |
        | t0({"city": "Köln"}) as e                            |        |            |
        |                                                      |        | busy       |
        | t1({"city": "Rome"}) as a, t2({"city": "Köln"}) as b |        |            |
        | t1({"city": "Bonn"}) as c                            |        |            |
        |                                                      | helped |            |
      And an outer agent
      And tool calls run sequentially
      And a model that answers
        | calls                        | text |
        | helper({"request": "Help."}) |      |
        |                              | done |
      And in run 2, the caller approves the call "a"
      And in run 2, the caller approves the call "b"
      And in run 3, the caller approves the call "c"
      When the agent runs, is resumed, and is resumed again from the new stop
      Then run 1 is interrupted by t1, t2
      And run 2 is interrupted by t1
      And the tool "t1" runs 2 times
      And the tool "t2" runs once

    Scenario: Two resumptions with the wrong id
      Given tool calls run sequentially
      And failed model calls are retried at most once
      And a handler "first" that observes
      And a handler "second" that observes
      And the tools
        | name | returns | kind       | needs approval |
        | t0   | früh    | streamable |                |
        | t1   | first   |            | yes            |
        | t2   | second  |            | yes            |
        | t3   | third   |            |                |
      And a model that answers
        | calls                                                | text   | fails with |
        | t0({"city": "Köln"}) as e                            |        |            |
        |                                                      |        | busy       |
        | t1({"city": "Rome"}) as a, t2({"city": "Köln"}) as b |        |            |
        |                                                      | helped |            |
      And an outer agent
      And tool calls run sequentially
      And a model that answers
        | calls                        | text |
        | helper({"request": "Help."}) |      |
        |                              | done |
      And in run 2, the caller approves the call "other"
      And in run 3, the caller approves the call "e"
      When the agent runs, is resumed, and is resumed again from the new stop
      Then the tool "t1" never runs
      And the tool "t2" never runs
