Feature: What another process continues with
  A run whose process has died continues in another process from what was saved. Values and counts of the run continue as
  well. The rules of runs whose process dies hold here too.

  @STOP-42 @clarified
  Rule: A run that waits for its caller when its process dies is resumed with the caller's answer

    Scenario: A tool interrupts the run, and the process dies
      Given the tools
        | name | returns | interrupts |
        | t1   | one     |            |
        | t2   | two     | yes        |
      And a model that answers
        | text | calls  |
        | Look | t1, t2 |
        | Seen |        |
      And the caller resumes the tool "t2" with "Yes."
      And the process dies when the run has ended
      When the agent runs and is resumed
      Then the tool "t1" runs once
      And call 2 of the tool "t2" receives the resume data "Yes."
      And the final answer of run 2 is "Seen"

    Scenario: Another handler interrupts the resumed run, and the process dies
      Given a handler "H1" that, before model call 1 of run 1, interrupts the run
      And a handler "H2" that, before model call 1 of run 2, interrupts the run
      And in run 3, the caller resumes the handler "H2" with "yes"
      And in run 2, the process dies when the run has ended
      When the agent runs, is resumed, and is resumed again from the new stop
      Then before model call 1 of run 3, "H2" receives the resume data "yes"
      And the final answer of run 3 is "done"

  @STOP-43 @clarified
  Rule: A session value that was set before the process of a run died is there in the other process

    Scenario Outline: A tool sets a session value, and the process dies when <moment>
      Given a session in which "city" is "Rome"
      And the tools
        | name | returns | actions                                 |
        | t1   | one     | sets the session value "mood" to "good" |
        | t2   | two     |                                         |
        | t3   | three   | reads the session value "mood"          |
      And a model that answers
        | text  | calls |
        | Look  | t1    |
        | More  | t2    |
        | Again | t3    |
        | Seen  |       |
      And the process dies when <moment>
      When the agent runs and is resumed
      Then the tool "t3" finds "good" under "mood"
      And after run 2, the session has the value "Rome" under "city"

      Examples:
        | moment                                   |
        | the tool "t2" is called                  |
        | call 2 of "model model" in run 1 is made |

  @STOP-44 @clarified
  Rule: The iteration limit counts the model calls that a run made before its process died

    @axis:limit-ends
    Scenario: The limit is reached by the model calls of both processes together
      Given an iteration limit of 2
      And a tool "t1" that returns "ok"
      And a model that answers
        | text | calls |
        | Look | t1    |
        | More | t1    |
        | Seen |       |
      And the process dies when the tool "t1" is called
      When the agent runs and is resumed
      Then run 2 fails
      And the model is called 2 times

    @axis:limit-ends @axis:tool-failure
    Scenario: The limit of a sub-agent is reached in the second process
      Given a model that answers
        | calls                        | text |
        | helper({"request": "Help."}) |      |
        |                              | done |
      And a sub-agent "helper"
      And an iteration limit of 2
      And a tool "t1" that returns "ok"
      And a model that answers
        | text | calls |
        | Look | t1    |
        | Lost |       |
        | More | t1    |
        | Seen |       |
      And the process dies when call 2 of "model helper's" in run 1 is made
      When the agent runs and is resumed
      Then run 2 fails
