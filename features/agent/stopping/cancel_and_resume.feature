Feature: Resuming a cancelled run
  A cancelled run leaves a checkpoint and can be resumed from it. What had come
  to its end is not done again, and what was broken off is.

  @CANCEL-13 @clarified
  Rule: A cancelled run is resumed where it stopped, and only what was broken off is done again

    Scenario Outline: Cancelled after the model call, in a <mode> run
      Given a <mode> run
      And a tool "t1" that returns "ok"
      And a model that answers
        | calls | text |
        | t1    |      |
        |       | done |
      And the run is to be cancelled after the model call, which is asked for when the model is called
      When the agent runs and is resumed
      Then the trace of run 2 is
        """
        tool t1
        model
        """
      And the final answer of run 2 is "done"

      Examples:
        | mode        |
        | synchronous |
        | streaming   |

    Scenario Outline: Cancelled after the tool calls, in a <mode> run
      Given a <mode> run
      And the tools
        | name | held until                    |
        | t1   | the cancellation is asked for |
      And a model that answers
        | calls | text |
        | t1    |      |
        |       | done |
      And the run is to be cancelled after the tool calls, which is asked for when the tool "t1" is called
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

      Examples:
        | mode        |
        | synchronous |
        | streaming   |

    Scenario: Cancelled at once during a model call
      Given a model that answers
        | text     | held until        |
        | too late | the run has ended |
        | done     |                   |
      And the run is to be cancelled at once, which is asked for when the model is called
      When the agent runs and is resumed
      Then the trace of run 2 is
        """
        model
        """
      And the final answer of run 2 is "done"

    Scenario: Cancelled at once when one of two tool calls has come to its end
      Given the tools
        | name | held until        |
        | t1   |                   |
        | t2   | the run has ended |
      And a model that answers
        | calls  | text |
        | t1, t2 |      |
        |        | done |
      And tool calls are made one after the other
      And the run is to be cancelled at once, which is asked for when the tool "t2" is called
      When the agent runs and is resumed
      Then the trace of run 2 is
        """
        tool t2
        model
        """
      And the final answer of run 2 is "done"
