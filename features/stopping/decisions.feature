Feature: What a decision about a tool call covers
  A person decides about one tool call: about this call, with these arguments or with others. What the person has not seen
  is not decided.

  @STOP-14 @clarified
  Rule: A tool call that a person approves with other arguments is made with these arguments

    Scenario: The only call of an answer is edited
      Given the tools
        | name | needs approval |
        | t1   | yes            |
      And a model that answers
        | calls                     | text |
        | t1({"city": "Rome"}) as a |      |
        |                           | done |
      And the caller approves the call "a" with the arguments "{"city": "Oslo"}"
      When the agent runs and is resumed
      Then the tool "t1" runs once
      And call 1 of the tool "t1" receives the arguments "{"city": "Oslo"}"
      And the final answer of run 2 is "done"

    Scenario: One of two calls of one tool is edited
      Given the tools
        | name | needs approval |
        | t1   | yes            |
      And a model that answers
        | calls                                                | text |
        | t1({"city": "Rome"}) as a, t1({"city": "Oslo"}) as b |      |
        |                                                      | done |
      And the caller denies the call "a" because "not today"
      And the caller approves the call "b" with the arguments "{"city": "Bonn"}"
      When the agent runs and is resumed
      Then the tool "t1" runs once
      And call 1 of the tool "t1" receives the arguments "{"city": "Bonn"}"

    Scenario Outline: One of two calls of a tool that is <kind> is edited
      Given a streaming run
      And the tools
        | name | kind   | parts | needs approval |
        | t1   | <kind> | sunny | yes            |
      And a model that answers
        | calls                                                | text |
        | t1({"city": "Rome"}) as a, t1({"city": "Oslo"}) as b |      |
        |                                                      | done |
      And the caller denies the call "a" because "not today"
      And the caller approves the call "b" with the arguments "{"city": "Bonn"}"
      When the agent runs and is resumed
      Then the tool "t1" runs once
      And call 1 of the tool "t1" receives the arguments "{"city": "Bonn"}"
      And the final answer of run 2 is "done"

      Examples:
        | kind                |
        | streamable          |
        | enhanced invokable  |
        | enhanced streamable |

    Scenario Outline: The only call of an answer loses all its arguments, with <form>
      Given the tools
        | name | echoes | needs approval |
        | t1   | yes    | yes            |
      And a model that answers
        | calls                     | text |
        | t1({"city": "Rome"}) as a |      |
        |                           | done |
      And the caller approves the call "a" with the arguments "<arguments>"
      When the agent runs and is resumed
      Then the tool "t1" runs once
      And no model call of run 2 contains the text "Rome"
      And the final answer of run 2 is "done"

      Examples:
        | form            | arguments |
        | an empty object | {}        |
        | an empty text   |           |

  @STOP-15 @clarified
  Rule: A decision about a tool call holds for this call and for no later one

    Scenario: A later answer calls the tool again
      Given the tools
        | name | needs approval |
        | t1   | yes            |
      And a model that answers
        | calls   | text |
        | t1 as a |      |
        | t1 as b |      |
        |         | done |
      And in run 2, the caller approves the call "a"
      And in run 3, the caller approves the call "b"
      When the agent runs, is resumed, and is resumed again from the new stop
      Then run 1 is interrupted by t1
      And run 2 is interrupted by t1
      And the tool "t1" runs 2 times
      And in model call 3, each tool call has one result
      And the final answer of run 3 is "done"

    Scenario Outline: A later answer uses the id of <a call> again
      Given the conversation
        | role | content |
        | user | \ü*2001 |
        | user | \ü*2001 |
      And the tools
        | name | needs approval |
        | t1   | yes            |
      And a model that answers
        | calls                     | text |
        | t1({"city": "Köln"}) as a |      |
        | t1({"city": "Oslo"}) as a |      |
        |                           | done |
      And the caller <decides>
      When the agent runs and is resumed
      Then run 2 is interrupted by t1
      And the tool "t1" runs <times>

      Examples:
        | a call           | decides                                | times   |
        | an approved call | approves the call "a"                  | once    |
        | a denied call    | denies the call "a" because "not today" | 0 times |

    Scenario: The first call is denied, and a later one is approved
      Given the tools
        | name | needs approval |
        | t1   | yes            |
      And a model that answers
        | calls                     | text |
        | t1({"city": "Rome"}) as a |      |
        | t1({"city": "Oslo"}) as b |      |
        |                           | done |
      And in run 2, the caller denies the call "a" because "not today"
      And in run 3, the caller approves the call "b"
      When the agent runs, is resumed, and is resumed again from the new stop
      Then run 2 is interrupted by t1
      And the tool "t1" runs once
      And call 1 of the tool "t1" receives the arguments "{"city": "Oslo"}"
      And the final answer of run 3 is "done"

    Scenario Outline: The approved call of a tool that is <kind> is cut off by a cancellation
      Given the tools
        | name | kind   | returns | parts | needs approval |
        | t1   | <kind> | sunny   | sunny | yes            |
      And a model that answers
        | calls   | text |
        | t1 as a |      |
        |         | done |
      And call 1 of "tool t1" in run 2 waits until the run has ended
      And in run 2, the caller approves the call "a"
      And in run 2, a cancel request, which takes effect immediately, is made when the tool "t1" is called
      When the agent runs, is resumed, and is resumed again from the new stop
      Then run 1 is interrupted by t1
      And the tool "t1" runs 2 times
      And the final answer of run 3 is "done"

      Examples:
        | kind                |
        | invokable           |
        | streamable          |
        | enhanced invokable  |
        | enhanced streamable |

    Scenario: The caller resumes with a runtime context
      Given the tools
        | name | needs approval |
        | t1   | yes            |
      And a model that answers
        | calls   | text |
        | t1 as a |      |
        |         | done |
      And the caller approves the call "a"
      And run 2 has the runtime context {"user": "kim"}
      When the agent runs and is resumed
      Then the tool "t1" runs once
      And the final answer of run 2 is "done"

  @STOP-16 @clarified
  Rule: A tool call of a sub-agent needs approval like one of the outer agent

    Scenario: The sub-agent's call is approved
      Given a sub-agent "helper"
      And the tools
        | name | returns | needs approval |
        | t1   | sunny   | yes            |
      And a model that answers
        | calls   | text   |
        | t1 as a |        |
        |         | helped |
      And an outer agent
      And a model that answers
        | calls                        | text |
        | helper({"request": "Help."}) |      |
        |                              | done |
      And the caller approves the call "a"
      When the agent runs and is resumed
      Then run 1 is interrupted by t1
      And the tool "t1" runs once
      And the final answer of run 2 is "done"

  @STOP-17 @clarified
  Rule: A decision about an unknown tool call approves no other tool call

    Scenario: The caller approves a call that was never made
      Given the tools
        | name | needs approval |
        | t1   | yes            |
      And a model that answers
        | calls   | text |
        | t1 as a |      |
        |         | done |
      And the caller approves the call "other"
      When the agent runs and is resumed
      Then run 1 is interrupted by t1
      And the tool "t1" never runs

    Scenario: The caller approves a call of the first round, after a failed model call and next to another run
      Given a conversation of agentic messages
        | role | content |
        | user | \ü*2001 |
      And failed model calls are retried at most once
      And the tools
        | name | returns | needs approval |
        | t1   | ok      | yes            |
        | t2   | \ü*2001 |                |
      And a model that answers
        | calls   | text    | fails with |
        | t2 as a |         |            |
        |         |         | busy       |
        | t1 as b | \ü*2001 |            |
        |         | done    |            |
      And the caller approves the call "a"
      And call 1 of "model model" in run 3 waits until run 2 has ended
      When the agent runs, and is resumed while it runs once more
      Then run 1 is interrupted by t1
      And the tool "t1" never runs

  @STOP-18 @clarified
  Rule: A message of the user neither approves nor denies a tool call that waits for approval

    Scenario: The user writes instead of a decision
      Given the runs share a conversation
      And the tools
        | name | needs approval |
        | t1   | yes            |
      And a model that answers
        | calls   |
        | t1 as a |
      And in run 2, the model answers
        | text |
        | done |
      And in run 2, the user writes "Never mind."
      When the agent runs twice
      Then run 1 is interrupted by t1
      And the tool "t1" never runs
      And in model call 2, each tool call has one result
      And the final answer of run 2 is "done"

    Scenario Outline: The user writes "<text>" to a streaming run
      Given a streaming run
      And the runs share a conversation
      And the tools
        | name | needs approval |
        | t1   | yes            |
      And a model that answers
        | calls   |
        | t1 as a |
      And in run 2, the model answers
        | text |
        | done |
      And in run 2, the user writes "<text>"
      When the agent runs twice
      Then the tool "t1" never runs
      And in model call 2, each tool call has one result
      And the final answer of run 2 is "done"

      Examples: no decision
        | text |
        |      |

      Examples: words that could be one
        | text            |
        | Ja, schöne Idee |

    Scenario: The user repeats a long message instead of a decision
      Given a conversation of agentic messages
        | role | content |
        | user | \ü*2001 |
      And the runs share a conversation
      And the tools
        | name | needs approval |
        | t1   | yes            |
      And a model that answers
        | calls   |
        | t1 as a |
      And in run 2, the model answers
        | text |
        | done |
      And a handler "H0" that observes before agent
      When the agent runs twice
      Then run 1 is interrupted by t1
      And the tool "t1" never runs
      And in model call 2, each tool call has one result
      And the final answer of run 2 is "done"
