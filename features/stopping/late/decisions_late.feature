Feature: Decisions about calls of a later round
  A person decides about one call of many, and not always at once. Here the call waits in the second round, its text and id
  occur before, and the run is resumed twice from one stop or next to another run. The rules of approvals and decisions hold
  here too.

  @STOP-49 @clarified
  Rule: A decision about a call of a later round holds for this call in this resumption

    Scenario: Resumed twice from one stop, with different decisions
      Given a streaming run
      And tool calls run sequentially
      And failed model calls are retried at most once
      And the tools
        | name | returns | kind       | needs approval |
        | t0   | früh    | streamable |                |
        | t1   | one     |            | yes            |
        | t2   |         |            | yes            |
      And a model that answers
        | text   | calls                                                | fails with |
        | Los    | t0({"city": "Köln"}) as e                            |            |
        |        |                                                      | busy       |
        | Weiter | t1({"city": "Köln"}) as a, t2({"city": "Bonn"}) as b |            |
        | Fertig |                                                      |            |
      And a handler "H0" that observes
      And a handler "H1" that observes
      And in run 2, the caller approves the call "a"
      And in run 2, the caller denies the call "b" because "nicht für heute"
      And in run 3, the caller denies the call "a" because "nie"
      And in run 3, the caller approves the call "b"
      When the agent runs, is resumed, and is resumed again from the first stop
      Then run 1 is interrupted by t1, t2
      And the tool "t0" runs once
      And the tool "t1" runs once
      And call 1 of the tool "t1" receives the arguments "{"city": "Köln"}"
      And the tool "t2" runs once
      And call 1 of the tool "t2" receives the arguments "{"city": "Bonn"}"
      And every model call of run 2 contains the text "nicht für heute"
      And no model call of run 3 contains the text "nicht für heute"
      And every model call of run 3 contains the text "nie"
      And in model call 4, each tool call has one result
      And in model call 5, each tool call has one result
      And the final answer of run 2 is "Fertig"
      And the final answer of run 3 is "Fertig"

    Scenario: An id of the first round, in the second round of two
      Given a conversation of agentic messages
        | role | content |
        | user | Grüße.  |
        | user | Grüße.  |
      And the tools
        | name | returns | kind       | needs approval |
        | t0   | früh    | streamable |                |
        | t1   | früh    | streamable | yes            |
        | t2   |         |            |                |
      And a model that answers
        | text   | calls                              |
        | Los    | t0 as a                            |
        | Los    | t1 as a, t2 as b                   |
        | Weiter | t1({"city": "Köln"}) as a, t2 as b |
        | Fertig |                                    |
      And a handler "H0" that observes
      And a handler "H1" that observes
      And in run 2, the caller approves the call "a"
      And in run 3, the caller denies the call "a" because "nicht für heute"
      When the agent runs, is resumed, and is resumed again from the new stop
      Then run 1 is interrupted by t1
      And run 2 is interrupted by t1
      And the tool "t0" runs once
      And the tool "t1" runs once
      And the tool "t2" runs 2 times
      And in model call 3, each tool call has one result
      And in model call 4, each tool call has one result
      And every model call of run 3 contains the text "nicht für heute"
      And the final answer of run 3 is "Fertig"

    Scenario: Another run waits for the same call while this one is resumed
      Given the tools
        | name | returns | kind       | needs approval |
        | t0   | früh    | streamable |                |
        | t1   | one     |            | yes            |
        | t2   |         |            |                |
      And a model that answers
        | text   | calls                                                |
        | Los    | t0({"city": "Köln"}) as e                            |
        | Weiter | t1({"city": "Köln"}) as a, t2({"city": "Bonn"}) as b |
        | Fertig |                                                      |
      And a handler "H0" that observes
      And a handler "H1" that observes
      And in run 2, the caller approves the call "a"
      And call 1 of "model model" in run 3 waits until run 2 has ended
      When the agent runs, and is resumed while it runs once more
      Then run 1 is interrupted by t1
      And the final answer of run 2 is "Fertig"
      And run 3 is interrupted by t1
      And the tool "t1" runs once

    Scenario: A decision about a call of an earlier round
      Given a streaming run
      And the tools
        | name | returns | kind       | needs approval |
        | t0   | früh    | streamable |                |
        | t1   | one     |            | yes            |
        | t2   |         |            |                |
      And a model that answers
        | text   | calls                              |
        | Los    | t0({"city": "Köln"}) as e          |
        | Weiter | t2 as b, t1({"city": "Köln"}) as a |
        | Fertig |                                    |
      And a handler "H0" that observes
      And a handler "H1" that observes
      And in run 2, the caller approves the call "e"
      When the agent runs and is resumed
      Then run 1 is interrupted by t1
      And the tool "t1" never runs
