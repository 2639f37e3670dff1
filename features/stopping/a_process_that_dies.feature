Feature: A run whose process dies
  A process can die at any moment: it is killed, a machine fails, a deployment replaces it. An agent that saves each step of
  its runs can continue in another process, with nothing but what was saved. What is saved decides what happens twice: a call
  that returned and was saved is not repeated, and a call under way may have had its effect or not. In the examples the
  second run knows only what the first one had saved at the given moment.

  @STOP-37 @clarified
  Rule: A run whose process has died continues from what was saved to its final answer in another process

    Scenario Outline: The process dies when <moment>, in a <mode> run
      Given a <mode> run
      And a tool "t1" that returns "ok"
      And a model that answers
        | text | calls |
        | Look | t1    |
        | Seen |       |
        | Here |       |
      And the process dies when <moment>
      When the agent runs and is resumed
      Then the final answer of run 2 is "<answer>"

      Examples:
        | moment                                   | mode        | answer |
        | the tool "t1" is called                  | synchronous | Seen   |
        | call 2 of "model model" in run 1 is made | synchronous | Here   |
        | the tool "t1" is called                  | streaming   | Seen   |
        | call 2 of "model model" in run 1 is made | streaming   | Here   |

  @STOP-38 @clarified
  Rule: A tool call that returned before the process of its run died is not repeated

    Scenario Outline: A tool returns, and the process dies during the next model call of a <mode> run
      Given a <mode> run
      And a tool "t1" that returns "ok"
      And a model that answers
        | text | calls |
        | Look | t1    |
        | Lost |       |
        | Seen |       |
      And the process dies when call 2 of "model model" in run 1 is made
      When the agent runs and is resumed
      Then the tool "t1" runs once
      And the final answer of run 2 is "Seen"

      Examples:
        | mode        |
        | synchronous |
        | streaming   |

    Scenario: The process dies during the second of two sequential calls
      Given the tools
        | name | returns |
        | t1   | one     |
        | t2   | two     |
      And a model that answers
        | text | calls  |
        | Look | t1, t2 |
        | Seen |        |
      And tool calls run sequentially
      And the process dies when the tool "t2" is called
      When the agent runs and is resumed
      Then the tool "t1" runs once
      And the tool "t2" runs 2 times

    Scenario: The first of two sequential calls has read an empty session value when the process dies
      Given a session in which "mood" is ""
      And the tools
        | name | returns | actions                        |
        | t1   | one     | reads the session value "mood" |
        | t2   | two     |                                |
      And a model that answers
        | text | calls  |
        | Look | t1, t2 |
        | Seen |        |
      And tool calls run sequentially
      And the process dies when the tool "t2" is called
      When the agent runs and is resumed
      Then the tool "t1" runs once

    @axis:message-events
    Scenario: One of two concurrent calls has returned when the process dies
      Given the tools
        | name | returns | held until                        |
        | t1   | one     |                                   |
        | t2   | two     | the result of "call 1" is emitted |
      And a model that answers
        | text | calls  |
        | Look | t1, t2 |
        | Seen |        |
      And the process dies when the tool "t2" has returned
      When the agent runs and is resumed
      Then the tool "t1" runs once
      And the final answer of run 2 is "Seen"

    Scenario: A tool returns directly, and the process dies in the after-agent hook
      Given a tool "t1" that returns "ok"
      And the tool "t1" returns directly
      And a model that answers
        | calls |
        | t1    |
      And a handler "H1" that observes after agent
      And the process dies when call 1 of "after agent H1" in run 1 is made
      When the agent runs and is resumed
      Then the tool "t1" runs once

    Scenario: The process dies in the second round of a run, and the tool of the first round has returned
      Given the tools
        | name | returns |
        | t1   | one     |
        | t2   | two     |
      And a model that answers
        | text | calls |
        | Look | t1    |
        | More | t2    |
        | Seen |       |
      And the process dies when the tool "t2" is called
      When the agent runs and is resumed
      Then the tool "t1" runs once
      And the model is called 3 times

    Scenario: The process dies in the first model call, and after a tool call of the resumed run has returned
      Given a tool "t1" that returns "ok"
      And a model that answers
        | text | calls |
        | Lost |       |
        | Look | t1    |
        | Lost |       |
        | Seen |       |
      And the process dies when call 1 of "model model" in run 1 is made
      And in run 2, the process dies when call 2 of "model model" in run 2 is made
      When the agent runs, is resumed, and is resumed again from the new stop
      Then the tool "t1" runs once
      And model call 4 contains the message "ok"
      And the final answer of run 3 is "Seen"

    Scenario: The process dies after a tool call of a sub-agent has returned
      Given a model that answers
        | text | calls                       |
        | Ask  | helper({"request": "Help"}) |
        | Seen |                             |
      And a sub-agent "helper"
      And the tools
        | name  | returns |
        | inner | ok      |
      And a model that answers
        | text | calls |
        | Hm   | inner |
        | Lost |       |
        | Here |       |
      And the process dies when call 2 of "model helper's" in run 1 is made
      When the agent runs and is resumed
      Then the tool "inner" runs once
      And call 3 of the model "helper's" receives
        | role      | content | calls |
        | user      | Help    |       |
        | assistant | Hm      | inner |
        | tool      | ok      |       |
      And the final answer of run 2 is "Seen"

    Scenario: The process dies after a tool call of a sub-agent's own sub-agent has returned
      Given a model that answers
        | text | calls                       |
        | Ask  | middle({"request": "Help"}) |
        | Seen |                             |
      And a sub-agent "middle"
      And a model that answers
        | text | calls                       |
        | Pass | helper({"request": "Help"}) |
        | Back |                             |
      And a sub-agent "helper"
      And a tool "inner" that returns "ok"
      And a model that answers
        | text | calls |
        | Hm   | inner |
        | Lost |       |
        | Here |       |
      And the process dies when call 2 of "model helper's" in run 1 is made
      When the agent runs and is resumed
      Then model call 5 contains the message "ok"
      And the final answer of run 2 is "Seen"

    Scenario: A wrapper interrupts before a sub-agent is called, and then the process dies
      Given a model that answers
        | text | calls                       |
        | Ask  | helper({"request": "Help"}) |
        | Seen |                             |
      And a handler "H1" that, around tool "helper" of run 1, interrupts the run
      And a sub-agent "helper"
      And a tool "inner" that returns "ok"
      And a model that answers
        | text | calls |
        | Hm   | inner |
        | Lost |       |
        | Here |       |
      And in run 2, the process dies when call 2 of "model helper's" in run 2 is made
      When the agent runs, is resumed, and is resumed again from the new stop
      Then model call 4 contains the message "ok"
      And the final answer of run 3 is "Seen"

    Scenario: The process of the resumed run dies as well
      Given the tools
        | name |
        | t1   |
        | t2   |
      And a model that answers
        | text | calls |
        | Look | t1    |
        | Lost |       |
        | More | t2    |
        | Lost |       |
        | Seen |       |
      And the process dies when call 2 of "model model" in run 1 is made
      And in run 2, the process dies when call 2 of "model model" in run 2 is made
      When the agent runs, is resumed, and is resumed again from the new stop
      Then the tool "t1" runs once
      And the tool "t2" runs once
      And the final answer of run 3 is "Seen"

  @STOP-41 @clarified
  Rule: A model call whose answer arrived before the process of its run died is not repeated

    Scenario Outline: The answer of a <mode> run has called a tool when the process dies
      Given a <mode> run
      And a tool "t1" that returns "ok"
      And a model that answers
        | text | calls |
        | Look | t1    |
        | Seen |       |
      And the process dies when the tool "t1" is called
      When the agent runs and is resumed
      Then the model is called 2 times
      And model call 2 receives
        | role      | content |
        | user      | Hello.  |
        | assistant | Look    |
        | tool      | ok      |

      Examples:
        | mode        |
        | synchronous |
        | streaming   |

    Scenario: The after-model hook interrupts a run, and the process of the resumed run dies in this hook
      Given a tool "t1" that returns "ok"
      And a model that answers
        | text | calls |
        | Look | t1    |
        | Seen |       |
      And a handler "H1" that, after model call 1 of run 1, interrupts the run
      And in run 2, the process dies when call 1 of "after model H1" in run 2 is made
      When the agent runs, is resumed, and is resumed again from the new stop
      Then the model is called 2 times
      And the tool "t1" runs once
      And the final answer of run 3 is "Seen"

    Scenario: A model wrapper interrupts a run, and the process of the resumed run dies in this wrapper
      Given a tool "t1" that returns "ok"
      And a model that answers
        | text | calls |
        | Look | t1    |
        | Seen |       |
      And a handler "H1" that, around model call 1 of run 1, calls the next handler; interrupts the run
      And in run 2, the process dies when call 1 of "around model H1" in run 2 is made
      When the agent runs, is resumed, and is resumed again from the new stop
      Then the model is called 2 times
      And the final answer of run 3 is "Seen"
