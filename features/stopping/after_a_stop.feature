Feature: The conversation that a stopped run leaves
  A run can stop before its end: its caller cancels it, a tool or the model fails, or a limit is reached. The next run of the
  conversation begins with what the stopped run has left. Providers refuse a request in which a tool call has no result, or
  a result has no call, so that one stopped run can make a conversation useless. An implementation may repair the
  conversation when the run stops or when the next run begins, and may add results or remove calls.

  @STOP-01 @clarified
  Rule: After a run that stopped, each tool call of the conversation has one result in the next run

    Scenario Outline: Cancelled during its only tool call, in a <mode> run
      Given a <mode> run
      And the runs share a conversation
      And the tools
        | name | held until        |
        | t1   | the run has ended |
      And a model that answers
        | calls |
        | t1    |
      And in run 2, the model answers
        | text |
        | done |
      And a cancel request, which takes effect immediately, is made when the tool "t1" is called
      And in run 2, the user writes "Go on."
      When the agent runs twice
      Then in model call 2, each tool call has one result
      And the final answer of run 2 is "done"

      Examples:
        | mode        |
        | synchronous |
        | streaming   |

    Scenario: Cancelled during the second of two sequential tool calls
      Given the runs share a conversation
      And the tools
        | name | returns | held until        |
        | t1   | sunny   |                   |
        | t2   | ok      | the run has ended |
      And a model that answers
        | calls  |
        | t1, t2 |
      And in run 2, the model answers
        | text |
        | done |
      And tool calls run sequentially
      And a cancel request, which takes effect immediately, is made when the tool "t2" is called
      And in run 2, the user writes "Go on."
      When the agent runs twice
      Then in model call 2, each tool call has one result
      And the final answer of run 2 is "done"

    Scenario: Cancelled during the second of two sequential tool calls of one id, with agentic messages
      Given a conversation of agentic messages
        | role | content |
        | user | Hello.  |
      And the runs share a conversation
      And the tools
        | name | returns | held until        |
        | t1   | sunny   |                   |
        | t2   | ok      | the run has ended |
      And a model that answers
        | calls            |
        | t1 as a, t2 as a |
      And in run 2, the model answers
        | text |
        | done |
      And tool calls run sequentially
      And a cancel request, which takes effect immediately, is made when the tool "t2" is called
      When the agent runs twice
      Then in model call 2, each tool call has one result
      And the final answer of run 2 is "done"

    Scenario: Cancelled during two parallel tool calls
      Given the runs share a conversation
      And the tools
        | name | returns | held until        |
        | t1   | sunny   |                   |
        | t2   | ok      | the run has ended |
      And a model that answers
        | calls  |
        | t1, t2 |
      And in run 2, the model answers
        | text |
        | done |
      And a cancel request, which takes effect immediately, is made when the tool "t2" is called
      And in run 2, the user writes "Go on."
      When the agent runs twice
      Then in model call 2, each tool call has one result
      And the final answer of run 2 is "done"

    Scenario: Cancelled during the tool call of the second answer
      Given the runs share a conversation
      And the tools
        | name | held until        |
        | t1   |                   |
        | t2   | the run has ended |
      And a model that answers
        | calls |
        | t1    |
        | t2    |
      And in run 2, the model answers
        | text |
        | done |
      And a cancel request, which takes effect immediately, is made when the tool "t2" is called
      And in run 2, the user writes "Go on."
      When the agent runs twice
      Then in model call 3, each tool call has one result
      And the final answer of run 2 is "done"

    Scenario: Two runs are cancelled during a tool call
      Given the runs share a conversation
      And the tools
        | name | held until        |
        | t1   | the run has ended |
      And a model that answers
        | calls |
        | t1    |
      And in run 2, the model answers
        | calls        |
        | t1 as second |
      And in run 3, the model answers
        | text |
        | done |
      And call 1 of "tool t1" in run 2 waits until the run has ended
      And a cancel request, which takes effect immediately, is made when the tool "t1" is called
      And in run 2, a cancel request, which takes effect immediately, is made when the tool "t1" is called
      And in run 2, the user writes "Go on."
      And in run 3, the user writes "Once more."
      When the agent runs three times
      Then in model call 3, each tool call has one result
      And the final answer of run 3 is "done"

    @axis:tool-failure
    Scenario: A tool fails, and another one returns
      Given the runs share a conversation
      And the tools
        | name | fails with |
        | t1   |            |
        | t2   | no luck    |
      And a model that answers
        | calls  |
        | t1, t2 |
      And in run 2, the model answers
        | text |
        | done |
      And in run 2, the user writes "Go on."
      When the agent runs twice
      Then the run fails with the error "no luck"
      And in model call 2, each tool call has one result
      And the final answer of run 2 is "done"

    @axis:limit-ends
    Scenario: The iteration limit is reached after a tool call
      Given the runs share a conversation
      And an iteration limit of 1
      And a tool "t1" that returns "ok"
      And a model that answers
        | calls |
        | t1    |
      And in run 2, the model answers
        | text |
        | done |
      And in run 2, the user writes "Go on."
      When the agent runs twice
      Then run 1 fails because the iteration limit is reached
      And in model call 2, each tool call has one result
      And the final answer of run 2 is "done"

    Scenario: Interrupted by its tool call, and not resumed
      Given the runs share a conversation
      And the tools
        | name | interrupts |
        | t1   | yes        |
      And a model that answers
        | calls |
        | t1    |
      And in run 2, the model answers
        | text |
        | done |
      And in run 2, the user writes "Never mind."
      When the agent runs twice
      Then run 1 is interrupted by t1
      And in model call 2, each tool call has one result
      And the final answer of run 2 is "done"

    Scenario: Cancelled during a tool call of a sub-agent
      Given the runs share a conversation
      And a sub-agent "helper"
      And the tools
        | name | held until        |
        | t1   | the run has ended |
      And a model that answers
        | calls |
        | t1    |
      And an outer agent
      And a model that answers
        | calls                        |
        | helper({"request": "Help."}) |
      And in run 2, the model answers
        | text |
        | done |
      And a cancel request, which takes effect immediately, is made when the tool "t1" is called
      And in run 2, the user writes "Go on."
      When the agent runs twice
      Then in model call 3, each tool call has one result
      And the final answer of run 2 is "done"

    Scenario: The stream of an answer with a tool call fails
      Given a streaming run
      And the runs share a conversation
      And a tool "t1" that returns "ok"
      And a model that answers
        | calls | chunks  | fails with | after chunks |
        | t1    | I / see | busy       | 1            |
      And in run 2, the model answers
        | text |
        | done |
      And in run 2, the user writes "Go on."
      When the agent runs twice
      Then the run fails with the error "busy"
      And in model call 2, each tool call has one result
      And the final answer of run 2 is "done"

  @STOP-02 @clarified
  Rule: A tool call that completed before the run stopped keeps its result in the conversation of the next run

    Scenario Outline: Cancelled during a later tool call of the same answer, in a <mode> run
      Given a <mode> run
      And the runs share a conversation
      And the tools
        | name | returns | held until        |
        | t1   | sunny   |                   |
        | t2   | ok      | the run has ended |
      And a model that answers
        | calls  |
        | t1, t2 |
      And in run 2, the model answers
        | text |
        | done |
      And tool calls run sequentially
      And a cancel request, which takes effect immediately, is made when the tool "t2" is called
      And in run 2, the user writes "Go on."
      When the agent runs twice
      Then model call 2 contains the message "sunny"

      Examples:
        | mode        |
        | synchronous |
        | streaming   |

    Scenario: The next model call fails
      Given the runs share a conversation
      And a tool "t1" that returns "sunny"
      And a model that answers
        | calls | fails with |
        | t1    |            |
        |       | busy       |
      And in run 2, the model answers
        | text |
        | done |
      And in run 2, the user writes "Go on."
      When the agent runs twice
      Then the run fails with the error "busy"
      And model call 3 contains the message "sunny"

    Scenario: Two concurrent calls return in reverse order, and the next model call fails
      Given the runs share a conversation
      And the tools
        | name | returns | held until                 |
        | t1   | sunny   | the tool "t2" has returned |
        | t2   | warm    |                            |
      And a model that answers
        | calls  | fails with |
        | t1, t2 |            |
        |        | busy       |
      And in run 2, the model answers
        | text |
        | done |
      And in run 2, the user writes "Go on."
      When the agent runs twice
      Then model call 3 begins with the messages of model call 2

    @axis:tool-failure
    Scenario: Another tool of the answer fails
      Given the runs share a conversation
      And the tools
        | name | returns | fails with |
        | t1   | sunny   |            |
        | t2   |         | no luck    |
      And a model that answers
        | calls  |
        | t1, t2 |
      And in run 2, the model answers
        | text |
        | done |
      And in run 2, the user writes "Go on."
      When the agent runs twice
      Then the run fails with the error "no luck"
      And model call 2 contains the message "sunny"

    Scenario: Another tool of the answer interrupts the run, and the resumed run fails in its first hook
      Given the runs share a conversation
      And the tools
        | name | returns | interrupts |
        | t1   | sunny   |            |
        | t2   | ok      | yes        |
      And a model that answers
        | calls  | text |
        | t1, t2 |      |
        |        | done |
      And in run 3, the user writes "Go on."
      And in run 3, the model answers
        | text    |
        | welcome |
      And a handler "H1" that, before agent of run 2, fails with "broke"
      When the agent runs, is resumed, and runs once more
      Then every model call of run 3 contains the text "sunny"

  @STOP-04 @clarified
  Rule: The next run does not repeat a tool call that was cut off

    Scenario: Cancelled during the tool call
      Given the runs share a conversation
      And the tools
        | name | held until        |
        | t1   | the run has ended |
      And a model that answers
        | calls |
        | t1    |
      And in run 2, the model answers
        | text |
        | done |
      And a cancel request, which takes effect immediately, is made when the tool "t1" is called
      And in run 2, the user writes "Go on."
      When the agent runs twice
      Then the tool "t1" runs once
      And the final answer of run 2 is "done"
