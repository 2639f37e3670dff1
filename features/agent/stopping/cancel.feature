Feature: Cancelling a run
  The caller can cancel an active run with a cancel request. A request can name safe points. The first safe point is
  after the model call, before any tool of the answer runs. The second is after the tool calls, when all results are
  known. A request without a safe point cancels the run immediately and cuts off the call in progress. A sub-agent is an
  agent that is a tool of another agent, the outer agent.

  @CANCEL-01 @derived
  Rule: A cancel request for the safe point after the model call stops the run between the complete model call and its tool calls

    Scenario: Requested during a model call of a run
      Given a tool "t1" that returns "ok"
      And a model that answers
        | calls | text | held until               |
        | t1    | Look | a cancel request is made |
        |       | done |                          |
      And a handler "H" that, around model, calls the next handler and answers "cut off" if it fails
      And a cancel request, which takes effect after the model call, is made when the model is called
      When the agent runs
      Then the trace is
        """
        around model H
          model
        """
      And around model, "H" receives the answer "Look"
      And every call has returned

    Scenario: Requested in the middle of a streamed answer
      Given a streaming run
      And a tool "t1" that returns "ok"
      And a model that answers
        | calls | chunks | text | second chunk held until  |
        | t1    | Lo/ok  |      | a cancel request is made |
        |       |        | done |                          |
      And a cancel request, which takes effect after the model call, is made when chunk 1 is emitted
      When the agent runs
      Then the trace is
        """
        model
        """
      And every call has returned

    Scenario: Requested during the second model call, after an interrupt
      Given the tools
        | name | interrupts |
        | t1   | yes        |
        | t2   |            |
      And an iteration limit of 2
      And a model that answers
        | calls |
        | t1    |
        | t2    |
      And call 1 of "model model" in run 2 waits until a cancel request is made
      And in run 2, a cancel request, which takes effect after the model call, is made when the model is called
      When the agent runs and is resumed
      Then run 2 fails because the run was cancelled
      And the model is called 2 times
      And the tool "t2" never runs

  @CANCEL-03 @derived
  Rule: A cancel request for the safe point after the tool calls stops the run between all tool calls of an answer and the next model call

    Scenario: Requested during the model call of a run that calls two tools
      Given the tools
        | name | returns |
        | t1   | one     |
        | t2   | two     |
      And a model that answers
        | calls  | text | held until               |
        | t1, t2 |      | a cancel request is made |
        |        | done |                          |
      And a cancel request, which takes effect after the tool calls, is made when the model is called
      When the agent runs
      Then the tool "t1" runs once
      And the tool "t2" runs once
      And the model is called once
      And every call has returned

    Scenario: Requested during a tool call
      Given the tools
        | name | held until               |
        | t1   | a cancel request is made |
      And a model that answers
        | calls | text |
        | t1    |      |
        |       | done |
      And a cancel request, which takes effect after the tool calls, is made when the tool "t1" is called
      When the agent runs
      Then the trace is
        """
        model
        tool t1
        """
      And every call has returned

    Scenario: Requested during a call of the second iteration that is repeated after an interrupt
      Given the tools
        | name | interrupts |
        | t1   |            |
        | t2   | yes        |
      And an iteration limit of 2
      And a model that answers
        | calls |
        | t1    |
        | t2    |
      And call 1 of "tool t2" in run 2 waits until a cancel request is made
      And in run 2, a cancel request, which takes effect after the tool calls, is made when the tool "t2" is called
      When the agent runs and is resumed
      Then run 2 fails because the run was cancelled
      And the model is called 2 times
      And the tool "t2" runs 2 times

  @CANCEL-21 @documented
  Rule: One cancel request can name both safe points

    Scenario: Both safe points, requested during a model call that calls a tool
      Given a tool "t1" that returns "ok"
      And a model that answers
        | calls | text | held until               |
        | t1    |      | a cancel request is made |
        |       | done |                          |
      And a cancel request, which takes effect at either safe point, is made when the model is called
      When the agent runs
      Then the model is called once

  @CANCEL-06 @clarified
  Rule: A cancel request for a safe point that has just passed stops the run at the next occurrence of that point

    Scenario: After the model call, requested during the next tool call
      Given the tools
        | name | held until               |
        | t1   | a cancel request is made |
      And a model that answers
        | calls | text |
        | t1    |      |
        | t1    |      |
        |       | done |
      And a cancel request, which takes effect after the model call, is made when the tool "t1" is called
      When the agent runs
      Then the trace is
        """
        model
        tool t1
        model
        """

  @CANCEL-07 @clarified
  Rule: An immediate cancellation does not wait for the call in progress

    Scenario Outline: Immediately, during a model call of a <mode> run
      Given a <mode> run
      And a model that answers
        | text | held until        |
        | done | the run has ended |
      And a cancel request, which takes effect immediately, is made when the model is called
      When the agent runs
      Then the run fails because the run was cancelled
      And the events are
        | event |
        | error |
      And the cancel requests return
        | contributed | waiting returns |
        | yes         | cancelled       |

      Examples:
        | mode        |
        | synchronous |
        | streaming   |

    Scenario: Immediately, during a tool call that ignores cancellation
      Given the tools
        | name | held until        | ignores cancellation |
        | t1   | the run has ended | yes                  |
      And a model that answers
        | calls | text |
        | t1    |      |
        |       | done |
      And a cancel request, which takes effect immediately, is made when the tool "t1" is called
      When the agent runs
      Then the run fails because the run was cancelled
      And the model is called once

    Scenario: Immediately, during a tool call of a sub-agent that ignores cancellation
      Given a sub-agent "helper"
      And the tools
        | name | held until        | ignores cancellation |
        | t1   | the run has ended | yes                  |
      And a model that answers
        | calls | text |
        | t1    |      |
        |       | done |
      And an outer agent
      And a model that answers
        | calls                        |
        | helper({"request": "Help."}) |
      And a cancel request, which takes effect immediately, is made when the tool "t1" is called
      When the agent runs
      Then the run fails because the run was cancelled
      And "model helper's" is called once

    @axis:message-events=<messages>
    Scenario Outline: Immediately, during two tool calls of a <mode> run
      Given a <mode> run
      And the tools
        | name | held until        |
        | t1   | the run has ended |
        | t2   | the run has ended |
      And a model that answers
        | calls  | text |
        | t1, t2 |      |
        |        | done |
      And a cancel request, which takes effect immediately, is made when the tool "t2" is called
      When the agent runs
      Then the run fails because the run was cancelled
      And the events are
        | role      |
        | assistant |
        |           |

      Examples:
        | mode        | messages       |
        | synchronous | as-they-happen |
        | streaming   |                |

    Scenario: Immediately, during a tool call of a sub-agent
      Given a sub-agent "helper"
      And the tools
        | name | held until        |
        | t1   | the run has ended |
      And a model that answers
        | calls | text   |
        | t1    |        |
        |       | helped |
      And an outer agent
      And a model that answers
        | calls                        | text |
        | helper({"request": "Help."}) |      |
        |                              | done |
      And a cancel request, which takes effect immediately, is made when the tool "t1" is called
      When the agent runs
      Then the run fails because the run was cancelled

    Scenario: Immediately, during a model call of a sub-agent
      Given a sub-agent "helper"
      And a tool "t1" that returns "ok"
      And a model that answers
        | calls | text   | held until        |
        | t1    |        | the run has ended |
        |       | helped |                   |
      And an outer agent
      And a model that answers
        | calls                        |
        | helper({"request": "Help."}) |
      And a cancel request, which takes effect immediately, is made when the model "helper's" is called
      When the agent runs
      Then the run fails because the run was cancelled
      And the trace of "helper" is
        """
        model helper's
        """

    Scenario: Immediately, during the call of a summarizing model
      Given a summarization with the limit {"messages": 1}
      And the summarization keeps 1 messages
      And the conversation
        | role | content |
        | user | One?    |
        | user | Two?    |
      And the model of the summarization answers
        | text  | held until        |
        | notes | the run has ended |
      And a cancel request, which takes effect immediately, is made when the model "summarizer" is called
      When the agent runs
      Then the run fails because the run was cancelled

    Scenario: Immediately, while a retry is waited for
      Given failed model calls are retried at most once
      And a back-off of N seconds before retry N
      And a model that answers
        | text | fails with |
        |      | down       |
        | done |            |
      And a cancel request, which takes effect immediately, is made when a retry is waited for
      When the agent runs
      Then the run fails because the run was cancelled
      And the model is called once
      And the back-off callbacks are called with
        | callback | number |
        | back-off | 1      |

    Scenario: Immediately, while a sub-agent waits for a retry
      Given a sub-agent "helper"
      And failed model calls are retried at most once
      And a back-off of N seconds before retry N
      And a model that answers
        | text   | fails with |
        |        | down       |
        | helped |            |
      And an outer agent
      And a model that answers
        | calls                        | text |
        | helper({"request": "Help."}) |      |
        |                              | done |
      And a cancel request, which takes effect immediately, is made when a retry is waited for
      When the agent runs
      Then the run fails because the run was cancelled
      And the back-off callbacks are called with
        | callback | number |
        | back-off | 1      |

    Scenario: Immediately, during a model call that can be retried
      Given failed model calls are retried at most 2 times
      And a model that answers
        | text | held until        |
        | done | the run has ended |
      And a cancel request, which takes effect immediately, is made when the model is called
      When the agent runs
      Then the run fails because the run was cancelled
