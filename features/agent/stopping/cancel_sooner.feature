Feature: Cancelling sooner after all
  While a cancelled run is on its way to a safe point, a second request may name
  another point, or none at all, and a request may have brought a timeout along.
  Then the run stops sooner, and says at its end what was asked for and whether
  the wait for a safe point was cut short.

  @CANCEL-11 @clarified
  Rule: A second request adds its points to those of the first, or cuts the wait for them short

    Scenario: The second names another point
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

    Scenario: The second names none
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
  Rule: A request with a timeout cuts the wait for its point short when the time is over

    Scenario: The time is over before the point is reached
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

    Scenario: The point is reached in time
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
