Feature: Resuming a run that a hook interrupted
  A person may answer days later, in another process. What has happened in the run until the interrupt has happened: a
  resumed run makes no call again that has an answer, and calls no hook again that has returned.

  @STOP-22 @clarified
  Rule: A model call that was made before a hook interrupted the run is not repeated

    Scenario Outline: The after-model hook of call <call> interrupts a <mode> run
      Given a <mode> run
      And a tool "t1" that returns "ok"
      And a model that answers
        | text | calls |
        | Look | t1    |
        | Seen |       |
      And a handler "H1" that, after model call <call>, interrupts the run
      And in run 2, the caller resumes the handler "H1" with "yes"
      When the agent runs and is resumed
      Then run 1 is interrupted by "H1"
      And the model is called 2 times
      And model call 2 receives
        | role      | content | calls |
        | user      | Hello.  |       |
        | assistant | Look    | t1    |
        | tool      | ok      |       |
      And the tool "t1" runs once
      And run 2 succeeds

      Examples:
        | call | mode        |
        | 1    | synchronous |
        | 2    | synchronous |
        | 1    | streaming   |

    @axis:after-order
    Scenario: The hook after the model interrupts twice
      Given a handler "H1" that, after model of run 1, interrupts the run
      And a handler "H2" that, after model of run 2, interrupts the run
      When the agent runs, is resumed, and is resumed again from the new stop
      Then run 2 is interrupted by "H2"
      And the model is called once
      And run 3 succeeds

    @axis:interrupted-wrapper
    Scenario Outline: A wrapper interrupts a <mode> run after its model call
      Given a <mode> run
      And a tool "t1" that returns "ok"
      And a model that answers
        | text | calls |
        | Look | t1    |
        | Seen |       |
      And a handler "H1" that, around model call 1, calls the next handler; interrupts the run
      When the agent runs and is resumed
      Then run 1 is interrupted by "H1"
      And the model is called 2 times
      And model call 2 receives
        | role      | content | calls |
        | user      | Hello.  |       |
        | assistant | Look    | t1    |
        | tool      | ok      |       |
      And the final answer of run 2 is "Seen"

      Examples:
        | mode        |
        | synchronous |
        | streaming   |

    @axis:interrupted-wrapper
    Scenario: A wrapper interrupts a run after its second model call
      Given a tool "t1" that returns "ok"
      And a model that answers
        | text | calls |
        | Look | t1    |
        | Seen |       |
      And a handler "H1" that, around model call 2, calls the next handler; interrupts the run
      When the agent runs and is resumed
      Then run 1 is interrupted by "H1"
      And the model is called 2 times
      And the final answer of run 2 is "Seen"

    @axis:interrupted-wrapper
    Scenario: The outer one of two wrappers interrupts a run after the model call
      Given a handler "H1" that, around model, calls the next handler; appends " for now" to the answer; interrupts the run
      And a handler "H2" that, around model, appends " well" to the answer
      When the agent runs and is resumed
      Then the model is called once
      And "H2" is called once around model
      And the final answer of run 2 is "done well for now"

    @axis:interrupted-wrapper
    Scenario: The inner one of two wrappers interrupts a run after the model call
      Given a handler "H1" that, around model, appends " for now" to the answer
      And a handler "H2" that, around model, calls the next handler; interrupts the run
      When the agent runs and is resumed
      Then the model is called once
      And the final answer of run 2 is "done for now"

    @axis:interrupted-wrapper
    Scenario: Both of two wrappers interrupt a run after the model call
      Given a handler "H1" that, around model, calls the next handler; interrupts the run
      And a handler "H2" that, around model, calls the next handler; interrupts the run
      When the agent runs, is resumed, and is resumed again from the new stop
      Then run 1 is interrupted by "H2"
      And run 2 is interrupted by "H1"
      And the model is called once
      And "H2" is called 2 times around model
      And the final answer of run 3 is "done"

    @axis:interrupted-wrapper
    Scenario: A wrapper interrupts a run after two calls of its next handler
      Given a model that answers
        | text |
        | one  |
        | two  |
      And a handler "H1" that, around model, calls the next handler; calls the next handler; interrupts the run
      When the agent runs and is resumed
      Then the model is called 2 times
      And the final answer of run 2 is "two"

    @axis:interrupted-wrapper
    Scenario Outline: Both of two wrappers interrupt a <mode> run, the outer one after two calls of the inner one
      Given a <mode> run
      And a model that answers
        | text |
        | one  |
        | two  |
      And a handler "H1" that, around model, calls the next handler; calls the next handler; interrupts the run
      And a handler "H2" that, around model call 2 of run 1, interrupts the run
      When the agent runs, is resumed, and is resumed again from the new stop
      Then run 1 is interrupted by "H2"
      And run 2 is interrupted by "H1"
      And the model is called 2 times
      And the final answer of run 3 is "two"

      Examples:
        | mode        |
        | synchronous |
        | streaming   |

    Scenario: The after-model hook interrupts a streaming run whose answer is as long as the one before it
      Given a streaming run
      And the conversation
        | role      | content |
        | user      | Hello.  |
        | assistant | \ü*2001 |
        | user      | Again.  |
      And a model that answers
        | text    |
        | \ü*2001 |
      And a handler "H1" that, after model, interrupts the run
      When the agent runs and is resumed
      Then run 1 is interrupted by "H1"
      And the model is called once
      And run 2 succeeds

    Scenario: The after-model hook interrupts a streaming run whose answer has no text
      Given a streaming run
      And a tool "t1" that returns "ok"
      And a model that answers
        | text | calls |
        |      | t1    |
        | Seen |       |
      And a handler "H1" that, after model call 1 of run 1, interrupts the run
      When the agent runs and is resumed
      Then run 1 is interrupted by "H1"
      And the model is called 2 times
      And the final answer of run 2 is "Seen"


  @STOP-24 @clarified
  Rule: A hook that returned before another hook interrupted the run is not called again

    Scenario: The resumed run is cancelled during its model call
      Given a model that answers
        | text     |
        | too late |
        | done     |
      And a handler "H1" that observes before model
      And a handler "H2" that, before model of run 1, interrupts the run
      And call 1 of "model model" in run 2 waits until the run has ended
      And in run 2, a cancel request, which takes effect immediately, is made when the model is called
      When the agent runs, is resumed, and is resumed again from the new stop
      Then "H1" is called once before model
      And run 3 succeeds

    Scenario: The second of two after-model hooks interrupts a run
      Given a handler "H1" that observes after model
      And a handler "H2" that, after model, interrupts the run
      When the agent runs and is resumed
      Then "H2" is called 2 times after model
      And run 2 succeeds

    Scenario Outline: A handler with a before-model hook interrupts a <mode> run <hook>
      Given a <mode> run
      And a handler "H1" that observes before model
      And a handler "H2" that, <hook>, interrupts the run
      When the agent runs and is resumed
      Then run 1 is interrupted by "H2"
      And "H1" is called once before model
      And run 2 succeeds

      Examples:
        | hook         | mode        |
        | before model | synchronous |
        | around model | synchronous |
        | after model  | synchronous |
        | around model | streaming   |
        | after model  | streaming   |

    Scenario: A hook interrupts the second model call
      Given a tool "t1" that returns "ok"
      And a model that answers
        | text | calls |
        | Look | t1    |
        | Seen |       |
      And a handler "H1" that observes before model
      And a handler "H2" that, after model call 2, interrupts the run
      When the agent runs and is resumed
      Then run 1 is interrupted by "H2"
      And "H1" is called 2 times before model
      And run 2 succeeds

    Scenario Outline: An agent with a legacy middleware is interrupted <hook>
      Given a legacy middleware "L1" that observes
      And a handler "H1" that, <hook>, interrupts the run
      When the agent runs and is resumed
      Then run 1 is interrupted by "H1"
      And "before model L1" is called once
      And run 2 succeeds

      Examples:
        | hook         |
        | before model |
        | around model |
        | after model  |

    Scenario: A hook reads a session value and interrupts a run whose user repeats a long message
      Given a session in which "mood" is ""
      And the conversation
        | role | content |
        | user | \ü*2001 |
        | user | \ü*2001 |
      And a handler "H1" that observes before model
      And a handler "H2" that, before model of run 1, reads the session value "mood"; interrupts the run
      When the agent runs and is resumed
      Then run 1 is interrupted by "H2"
      And "H1" is called once before model
      And run 2 succeeds

    Scenario: A hook interrupts the model call after a tool call without a result text
      Given a tool "t1" that returns ""
      And a model that answers
        | text | calls |
        | Look | t1    |
        | Seen |       |
      And a handler "H1" that observes before model
      And a handler "H2" that, before model call 2 of run 1, interrupts the run
      When the agent runs and is resumed
      Then run 1 is interrupted by "H2"
      And "H1" is called 2 times before model
      And run 2 succeeds


  @STOP-25 @clarified
  Rule: A change of the conversation that a hook made before another hook interrupted the run is kept

    Scenario Outline: A before-model hook adds a message, and another handler interrupts <hook>
      Given a handler "H1" that, before model of run 1, adds the user message "Hint."
      And a handler "H2" that, <hook>, interrupts the run
      When the agent runs and is resumed
      Then run 1 is interrupted by "H2"
      And model call 1 receives
        | role | content |
        | user | Hello.  |
        | user | Hint.   |
      And the model is called once
      And run 2 succeeds

      Examples:
        | hook         |
        | before model |
        | around model |
        | after model  |

    @axis:after-order
    Scenario: An after-model hook changes the calls of the answer, and another one interrupts
      Given the tools
        | name | returns |
        | t1   | one     |
        | t2   | two     |
      And a model that answers
        | text | calls |
        | Look | t1    |
        | Seen |       |
      And a handler "H1" that, after model call 1 of run 1, makes the last message call t2 as b
      And a handler "H2" that, after model call 1 of run 1, interrupts the run
      When the agent runs and is resumed
      Then run 1 is interrupted by "H2"
      And the tool "t1" never runs
      And the tool "t2" runs once

    Scenario: A before-model hook repeats the message that the user has repeated, and another one interrupts
      Given the conversation
        | role | content |
        | user | Hint.   |
        | user | Hint.   |
      And a handler "H0" that observes before agent
      And a handler "H1" that, before model of run 1, adds the user message "Hint."
      And a handler "H2" that, before model of run 1, interrupts the run
      When the agent runs and is resumed
      Then run 1 is interrupted by "H2"
      And model call 1 receives
        | role | content |
        | user | Hint.   |
        | user | Hint.   |
        | user | Hint.   |

    @axis:edits-last
    Scenario: A before-model hook adds a message, and the after-model hook of an answer without a text interrupts
      Given a tool "t1" that returns "ok"
      And a model that answers
        | text | calls   |
        |      | t1 as a |
        |      | t1 as b |
        | Seen |         |
      And a handler "H1" that, before model call 2 of run 1, adds the user message "Hint."
      And a handler "H2" that, after model call 2 of run 1, interrupts the run
      When the agent runs and is resumed
      Then run 1 is interrupted by "H2"
      And model call 3 contains the message "Hint."
