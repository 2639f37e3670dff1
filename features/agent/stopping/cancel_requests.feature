Feature: Cancel requests
  A cancel request can be made before a run starts, while the run is active, or after the run has ended. A second request
  or a timeout can cut the wait for a safe point short. The caller can wait for the effect of each request.

  @CANCEL-20 @derived
  Rule: A run that can be cancelled behaves like any other run as long as no cancel request is made

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

  @CANCEL-18 @documented
  Rule: Waiting for a cancellation lasts until the run has stopped

    Scenario Outline: Requested some time before the safe point of a <mode> run
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

  @CANCEL-09 @clarified
  Rule: A cancel request made before a run applies from the start of the run

    Scenario: Immediately, requested before the run
      Given an agent
      And the run is to be cancelled at once, which is asked for when the run begins
      When the agent runs
      Then the model is called 0 times
      And the run fails because it was cancelled

    Scenario: After the model call, requested before the run
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

    Scenario: After the tool calls, requested before the run
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
  Rule: A cancel request made after a run has ended is reported as having no effect

    Scenario Outline: To be cancelled <mode>, requested after the end
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

  @CANCEL-11 @clarified
  Rule: The safe points of a second cancel request are added to those of the first

    Scenario: The second request names another safe point
      Given a tool "t1" that returns "ok"
      And a model that answers
        | calls | text | held until                            |
        | t1    |      | the cancellation is asked for 2 times |
        |       | done |                                       |
      And the run is to be cancelled after the tool calls, which is asked for when the model is called
      And the run is to be cancelled after the model call, which is asked for when the cancellation is asked for
      When the agent runs
      Then the trace is
        """
        model
        """
      And the run says of its cancellation
        | points | cut short |
        | either | no        |

  @CANCEL-22 @clarified
  Rule: An immediate cancel request ends the wait of an earlier request for its safe point

    Scenario: The second request names no safe point
      Given the tools
        | name | held until        |
        | t1   | the run has ended |
      And a model that answers
        | calls | text |
        | t1    |      |
        |       | done |
      And the run is to be cancelled after the tool calls, which is asked for when the tool "t1" is called
      And the run is to be cancelled at once, which is asked for when the cancellation is asked for
      When the agent runs
      Then the run says of its cancellation
        | points         | cut short | timeout |
        | the tool calls | yes       | no      |
      And the requests to cancel come to
        | counted | waiting says |
        | yes     | cancelled    |
        | yes     | cancelled    |

  @CANCEL-12 @clarified
  Rule: A cancel request stops the run immediately if its timeout expires before the safe point

    Scenario: The timeout expires before the safe point
      Given the tools
        | name | held until        |
        | t1   | the run has ended |
      And a model that answers
        | calls | text |
        | t1    |      |
        |       | done |
      And the run is to be cancelled after the tool calls within 5 seconds, which is asked for when the tool "t1" is called
      When the agent runs
      Then the run says of its cancellation
        | points         | cut short | timeout |
        | the tool calls | yes       | yes     |
      And the requests to cancel come to
        | counted | waiting says             |
        | yes     | cut short by its timeout |

    Scenario: The safe point is reached before the timeout
      Given the tools
        | name | held until                    |
        | t1   | the cancellation is asked for |
      And a model that answers
        | calls | text |
        | t1    |      |
        |       | done |
      And the run is to be cancelled after the tool calls within 5 seconds, which is asked for when the tool "t1" is called
      When the agent runs
      Then the run says of its cancellation
        | points         | cut short | timeout |
        | the tool calls | no        | no      |
      And the requests to cancel come to
        | counted | waiting says |
        | yes     | cancelled    |
