Feature: Requests to cancel
  A request to cancel may come at any time: before a run begins, while it goes on,
  or when all is over. Whoever has asked can wait until the run has ended. A run
  that nobody asks to stop does not notice that somebody could.

  @CANCEL-18 @documented
  Rule: Waiting for the cancellation lasts until the run has stopped

    Scenario Outline: Asked for a while before the safe point of a <mode> run
      Given a <mode> run
      And a tool "t1" that returns "ok"
      And a model that answers
        | calls | text | held until                    |
        | t1    |      | the cancellation is asked for |
        |       | done |                               |
      And the run is to be cancelled after the tool calls, which is asked for when the model is called
      When the agent runs
      Then waiting for the cancellation ends after all that was called has returned

      Examples:
        | mode        |
        | synchronous |
        | streaming   |

  @CANCEL-20 @derived
  Rule: A run that could be cancelled, and is not, is like any other

    Scenario Outline: A <mode> run that answers after a tool call
      Given a <mode> run
      And a run that could be cancelled
      And a handler "H1" that looks on
      And a tool "t1" that returns "ok"
      And a model that answers
        | calls | text |
        | t1    |      |
        |       | done |
      When the agent runs
      Then the trace is
        """
        before agent H1
        before model H1
        around model H1
          model
        after model H1
        around tool H1
          tool t1
        before model H1
        around model H1
          model
        after model H1
        after agent H1
        """
      And the final answer is "done"

      Examples:
        | mode        |
        | synchronous |
        | streaming   |

    Scenario: A run that reaches its iteration limit
      Given a run that could be cancelled
      And a tool "t1" that returns "ok"
      And a model that calls "t1" once before it answers "done"
      And an iteration limit of 1
      When the agent runs
      Then the run fails
      And the tool "t1" runs once

  @CANCEL-09 @clarified
  Rule: A request that comes before the run counts from its beginning

    Scenario: At once, asked for before the run
      Given an agent
      And the run is to be cancelled at once, which is asked for when the run begins
      When the agent runs
      Then the model is called 0 times
      And the run fails because it was cancelled

    Scenario: After the model call, asked for before the run
      Given a tool "t1" that returns "ok"
      And a model that answers
        | calls | text |
        | t1    |      |
        |       | done |
      And the run is to be cancelled after the model call, which is asked for when the run begins
      When the agent runs
      Then the trace is
        """
        model
        """

    Scenario: After the tool calls, asked for before the run
      Given a tool "t1" that returns "ok"
      And a model that answers
        | calls | text |
        | t1    |      |
        |       | done |
      And the run is to be cancelled after the tool calls, which is asked for when the run begins
      When the agent runs
      Then the trace is
        """
        model
        tool t1
        """

  @CANCEL-10 @clarified
  Rule: A request that comes when the run has ended does not count

    Scenario Outline: To be cancelled <mode>, asked for after the end
      Given an agent
      And the run is to be cancelled <mode>, which is asked for when the run has ended
      When the agent runs
      Then the final answer is "done"
      And the requests to cancel come to
        | counted | waiting says        |
        | no      | had ended by itself |

      Examples:
        | mode                 |
        | at once              |
        | after the model call |
