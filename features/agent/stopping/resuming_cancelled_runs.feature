Feature: Resuming a cancelled run
  A cancelled run leaves a checkpoint, as an interrupted run does. A resumed run is the rest of the cancelled run and
  not a new run: what has completed before the cancellation is kept and not repeated.

  @CANCEL-13 @clarified
  Rule: A resumed run continues after the last model call or tool call that completed before the cancellation

    @axis:message-events=<messages>
    Scenario Outline: Cancelled after the model call, in a <mode> run
      Given a <mode> run
      And a tool "t1" that returns "ok"
      And a model that answers
        | calls | text |
        | t1    |      |
        |       | done |
      And a cancel request, which takes effect after the model call, is made when the model is called
      When the agent runs and is resumed
      Then the trace of run 2 is
        """
        tool t1
        model
        """
      And the final answer of run 2 is "done"

      Examples:
        | mode        | messages       |
        | synchronous | as-they-happen |
        | streaming   |                |

    Scenario: Cancelled after the tool calls
      Given the tools
        | name | held until               |
        | t1   | a cancel request is made |
      And a model that answers
        | calls | text |
        | t1    |      |
        |       | done |
      And a cancel request, which takes effect after the tool calls, is made when the tool "t1" is called
      When the agent runs and is resumed
      Then the trace of run 2 is
        """
        model
        """
      And model call 2 receives
        | role      | content |
        | user      | Hello.  |
        | assistant |         |
        | tool      | ok      |
      And the final answer of run 2 is "done"

    Scenario: The resumed run is cancelled as well, during its model call
      Given a tool "t1" that returns "ok"
      And a model that answers
        | calls | text     |
        | t1    |          |
        |       | too late |
        |       | done     |
      And call 1 of "model model" in run 2 waits until the run has ended
      And a cancel request, which takes effect after the model call, is made when the model is called
      And in run 2, a cancel request, which takes effect immediately, is made when the model is called
      When the agent runs, is resumed, and is resumed again from the new stop
      Then the tool "t1" runs once
      And the trace of run 3 is
        """
        model
        """
      And the final answer of run 3 is "done"

    @axis:limit-ends
    Scenario: The resumed run is cancelled as well, and the iteration limit allows one more model call
      Given an iteration limit of 2
      And a tool "t1" that returns "ok"
      And a model that answers
        | calls | text     |
        | t1    |          |
        |       | too late |
        | t1    |          |
        |       | done     |
      And call 1 of "model model" in run 2 waits until the run has ended
      And a cancel request, which takes effect after the model call, is made when the model is called
      And in run 2, a cancel request, which takes effect immediately, is made when the model is called
      When the agent runs, is resumed, and is resumed again from the new stop
      Then run 3 fails because the iteration limit is reached
      And the model is called 3 times

    @axis:message-events
    Scenario: The resumed run is cancelled as well, during the second of two tool calls
      Given the tools
        | name |
        | t1   |
        | t2   |
      And a model that answers
        | calls  | text |
        | t1, t2 |      |
        |        | done |
      And tool calls run sequentially
      And call 1 of "tool t2" in run 2 waits until the run has ended
      And a cancel request, which takes effect after the model call, is made when the model is called
      And in run 2, a cancel request, which takes effect immediately, is made when the tool "t2" is called
      When the agent runs, is resumed, and is resumed again from the new stop
      Then the tool "t1" runs once
      And the trace of run 3 is
        """
        tool t2
        model
        """
      And the final answer of run 3 is "done"

    Scenario: Cancelled immediately during a model call
      Given a model that answers
        | text     | held until        |
        | too late | the run has ended |
        | done     |                   |
      And a cancel request, which takes effect immediately, is made when the model is called
      When the agent runs and is resumed
      Then the trace of run 2 is
        """
        model
        """
      And the final answer of run 2 is "done"

    @axis:message-events
    Scenario: Cancelled immediately during the second of two tool calls
      Given the tools
        | name | held until        |
        | t1   |                   |
        | t2   | the run has ended |
      And a model that answers
        | calls  | text |
        | t1, t2 |      |
        |        | done |
      And tool calls run sequentially
      And a cancel request, which takes effect immediately, is made when the tool "t2" is called
      When the agent runs and is resumed
      Then the trace of run 2 is
        """
        tool t2
        model
        """
      And the final answer of run 2 is "done"

    @axis:message-events=<messages>
    Scenario Outline: Cancelled immediately during a model call of a sub-agent, in a <mode> run
      Given a <mode> run
      And a sub-agent "helper"
      And a tool "t1" that returns "ok"
      And a model that answers
        | text     | calls | held until        |
        |          | t1    |                   |
        | too late |       | the run has ended |
        | helped   |       |                   |
      And an outer agent
      And a model that answers
        | calls                        | text |
        | helper({"request": "Help."}) |      |
        |                              | done |
      And a cancel request, which takes effect immediately, is made when call 2 of "model helper's" in run 1 is made
      When the agent runs and is resumed
      Then the trace of run 2 has, in this order
        """
        model helper's
        model
        """
      And "model" is called 2 times
      And the tool "t1" runs once
      And call 3 of the model "helper's" receives
        | role      | content | calls |
        | user      | Help.   |       |
        | assistant |         | t1    |
        | tool      | ok      |       |
      And the final answer of run 2 is "done"

      Examples:
        | mode        | messages       |
        | synchronous | as-they-happen |
        | streaming   |                |

    @axis:message-events
    Scenario: Cancelled after the model call of a sub-agent
      Given a sub-agent "helper"
      And a tool "t1" that returns "ok"
      And a model that answers
        | text   | calls | held until               |
        |        | t1    | a cancel request is made |
        | helped |       |                          |
      And an outer agent
      And a model that answers
        | calls                        | text |
        | helper({"request": "Help."}) |      |
        |                              | done |
      And a cancel request, which takes effect after the model call, also in sub-agents, is made when the model "helper's" is called
      When the agent runs and is resumed
      Then the trace of run 2 has, in this order
        """
        tool t1
        model helper's
        model
        """
      And "model" is called 2 times
      And "model helper's" is called 2 times
      And the final answer of run 2 is "done"

    @axis:message-events
    Scenario: Cancelled immediately during a tool call of a sub-agent, after another call of the outer answer
      Given a tool "t2" that returns "two"
      And a sub-agent "helper"
      And the tools
        | name | returns | held until                 |
        | t1   | one     | the tool "t2" has returned |
        | t3   | three   | the run has ended          |
      And a model that answers
        | text   | calls |
        |        | t1    |
        |        | t3    |
        | helped |       |
      And an outer agent
      And a model that answers
        | calls                            | text |
        | helper({"request": "Help."}), t2 |      |
        |                                  | done |
      And a cancel request, which takes effect immediately, is made when the tool "t3" is called
      When the agent runs and is resumed
      Then the trace of run 2 has, in this order
        """
        tool t3
        model helper's
        model
        """
      And "model" is called 2 times
      And "model helper's" is called 3 times
      And the tool "t1" runs once
      And the tool "t2" runs once
      And call 2 of the model "model" receives
        | role      | content |
        | user      | Hello.  |
        | assistant |         |
        | tool      | helped  |
        | tool      | two     |

    @axis:message-events
    Scenario: Cancelled immediately during a model call of a sub-agent, before another call of the outer answer
      Given a sub-agent "helper"
      And a model that answers
        | text     | held until        |
        | too late | the run has ended |
        | helped   |                   |
      And an outer agent
      And a tool "t2" that returns "two"
      And tool calls run sequentially
      And a model that answers
        | calls                            | text |
        | helper({"request": "Help."}), t2 |      |
        |                                  | done |
      And a cancel request, which takes effect immediately, is made when the model "helper's" is called
      When the agent runs and is resumed
      Then the trace of run 2 has, in this order
        """
        model helper's
        tool t2
        model
        """
      And the tool "t2" runs once
      And the final answer of run 2 is "done"

    @axis:message-events
    Scenario: Cancelled immediately inside a sub-agent of a sub-agent
      Given a model that answers
        | calls                       | text |
        | middle({"request": "Help"}) |      |
        |                             | done |
      And a sub-agent "middle"
      And a model that answers
        | calls                       | text |
        | helper({"request": "Help"}) |      |
        |                             | back |
      And a sub-agent "helper"
      And the tools
        | name | returns | held until        |
        | t1   | one     |                   |
        | t3   | three   | the run has ended |
      And tool calls run sequentially
      And a model that answers
        | text   | calls  |
        |        | t1, t3 |
        | helped |        |
      And a cancel request, which takes effect immediately, is made when the tool "t3" is called
      When the agent runs and is resumed
      Then the trace of run 2 has, in this order
        """
        tool t3
        model helper's
        model middle's
        model
        """
      And the tool "t1" runs once
      And "model helper's" is called 2 times
      And "model middle's" is called 2 times
      And "model" is called 2 times
      And the final answer of run 2 is "done"
