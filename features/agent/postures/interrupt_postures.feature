Feature: Postures of interrupts
  Some agent frameworks store what has happened at each step of a run, and a step is a whole node of a graph. A wrapper that
  interrupts the run belongs to the node of its inner call, so that the resumed run makes the call again.

  @POSTURE-25 @clarified @axis:interrupted-wrapper=repeated
  Rule: A wrapper of an agent with the posture interrupted-wrapper=repeated makes its inner call again in the resumed run

    Scenario: A wrapper interrupts a run after its tool call
      Given the tools
        | name | returns |
        | t1   | ok      |
      And a model that answers
        | text | calls |
        | Look | t1    |
        | Seen |       |
      And a handler "H1" that, around tool, calls the next handler; interrupts the run
      When the agent runs and is resumed
      Then run 1 is interrupted by "H1"
      And the tool "t1" runs 2 times
      And model call 2 contains the message "ok"
      And the final answer of run 2 is "Seen"

    Scenario: A wrapper interrupts a run after its model call
      Given a model that answers
        | text  |
        | One   |
        | Other |
      And a handler "H1" that, around model, calls the next handler; interrupts the run
      When the agent runs and is resumed
      Then run 1 is interrupted by "H1"
      And the model is called 2 times
      And the final answer of run 2 is "Other"
