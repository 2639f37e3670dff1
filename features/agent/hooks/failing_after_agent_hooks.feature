Feature: After-agent hooks that fail
  The after-agent hook runs once, at the end of a successful run. The final answer is an event by then, and an error
  in the hook is an event after it.

  @HOOK-AA-05 @clarified
  Rule: An error in an after-agent hook ends the run immediately, after the event of the final answer

    @axis:after-order @axis:message-events
    Scenario: The first of two hooks fails
      Given a model that answers
        | text |
        | done |
      And a handler "H1" that, after agent, fails with "too late"
      And a handler "H2" that observes after agent
      When the agent runs
      Then the events are
        | event   | content  |
        | message | done     |
        | error   | too late |
      And "H2" is never called after agent

  @HOOK-AA-07 @clarified
  Rule: A crash in an after-agent hook is reported as the run's error event

    @axis:message-events
    Scenario: A hook crashes
      Given a model that answers
        | text |
        | done |
      And a handler "H" that, after agent, crashes with "oops"
      When the agent runs
      Then the events are
        | event   | content |
        | message | done    |
        | error   | oops    |
