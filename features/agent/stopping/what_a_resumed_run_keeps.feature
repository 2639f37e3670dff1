Feature: What a resumed run keeps
  A resumed run is the rest of the interrupted run and not a new run. The checkpoint restores the conversation, the
  tool lists, the mode and the number of model calls.

  Background:
    Given the conversation
      | role | content |
      | user | Hello   |
    And the tools
      | name | returns | interrupts |
      | t1   | asked   | yes        |
      | t2   | found   |            |

  @INTERRUPT-07 @clarified
  Rule: A resumed run has the mode of the interrupted run

    Scenario Outline: A <mode> run is resumed
      Given a <mode> run
      And a model that answers
        | text | calls |
        | Look | t1    |
        | Seen |       |
      When the agent runs and is resumed
      Then model call 2 is <mode>

      Examples:
        | mode        |
        | synchronous |
        | streaming   |

    Scenario: A streaming run is resumed at a hook that interrupted its second model call
      Given a streaming run
      And a model that answers
        | text | calls |
        | Look | t2    |
        | Seen |       |
      And a handler "H1" that, before model call 2, interrupts the run
      When the agent runs and is resumed
      Then model call 2 is streaming

  @INTERRUPT-09 @clarified
  Rule: A resumed run continues with the conversation of the interrupted run

    Scenario: A before-agent hook has changed the instruction
      Given an agent with the instruction "Be brief."
      And a model that answers
        | text | calls |
        | Look | t1    |
        | Seen |       |
      And a handler "H1" that, before agent, adds " And kind." to the instruction
      When the agent runs and is resumed
      Then model call 2 receives
        | role      | content             |
        | system    | Be brief. And kind. |
        | user      | Hello               |
        | assistant | Look                |
        | tool      | asked               |

    @axis:edits-last @axis:instruction-place
    Scenario: A hook has removed the system message before the interrupt
      Given an agent with the instruction "Be brief."
      And a model that answers
        | text | calls |
        | Look | t2    |
        | More | t1    |
        | Seen |       |
      And a handler "H1" that, before model call 2, replaces all messages with the user message "Start again."
      When the agent runs and is resumed
      Then model call 3 receives
        | role      | content      |
        | user      | Start again. |
        | assistant | More         |
        | tool      | asked        |

    Scenario: A run that is resumed twice
      Given the tools
        | name | returns | interrupts |
        | t3   | three   | yes        |
      And a model that answers
        | text | calls |
        | Look | t1    |
        | More | t3    |
        | Seen |       |
      When the agent runs, is resumed, and is resumed again from the new stop
      Then model call 3 receives
        | role      | content |
        | user      | Hello   |
        | assistant | Look    |
        | tool      | asked   |
        | assistant | More    |
        | tool      | three   |

  @INTERRUPT-10 @clarified
  Rule: The model calls before an interrupt count against the iteration limit of the resumed run

    @axis:limit-ends
    Scenario: One of two model calls is left
      Given an iteration limit of 2
      And a model that answers
        | text | calls |
        | Look | t1    |
        | More | t2    |
        | Seen |       |
      When the agent runs and is resumed
      Then run 2 fails because the iteration limit is reached
      And the model is called 2 times

    @axis:limit-ends
    Scenario: The third of three model calls is made before the interrupt
      Given an iteration limit of 3
      And a model that answers
        | text | calls |
        | Look | t2    |
        | More | t2    |
        | Ask  | t1    |
        | Seen |       |
      When the agent runs and is resumed
      Then run 2 fails because the iteration limit is reached
      And the model is called 3 times

    @axis:limit-ends
    Scenario: Two interrupts
      Given an iteration limit of 2
      And the tools
        | name | interrupts |
        | t3   | yes        |
      And a model that answers
        | text | calls |
        | Look | t1    |
        | More | t3    |
        | Seen |       |
      When the agent runs, is resumed, and is resumed again from the new stop
      Then run 3 fails because the iteration limit is reached
      And the model is called 2 times

    @axis:limit-ends
    Scenario: Two interrupts at one call of the second answer
      Given an iteration limit of 3
      And a model that answers
        | text | calls |
        | Look | t2    |
        | More | t2    |
        | Last | t2    |
        | Seen |       |
      And a handler "H1" that, around tool call 2 of run 1, interrupts the run
      And a handler "H2" that, around tool of run 2, interrupts the run
      When the agent runs, is resumed, and is resumed again from the new stop
      Then run 2 is interrupted
      And run 3 fails because the iteration limit is reached
      And the model is called 3 times

    @axis:limit-ends
    Scenario: Two interrupts inside one call of a sub-agent
      Given an iteration limit of 1
      And a model that answers
        | text | calls                       |
        | Ask  | helper({"request": "Help"}) |
        | Seen |                             |
      And a sub-agent "helper"
      And the tools
        | name  | interrupts |
        | inner | yes        |
        | other | yes        |
      And a model that answers
        | text | calls |
        | Hm   | inner |
        | So   | other |
        | Here |       |
      When the agent runs, is resumed, and is resumed again from the new stop
      Then run 3 fails because the iteration limit is reached
      And "model" is called once

  @INTERRUPT-11 @derived
  Rule: A resumed run keeps the tool lists that hooks changed before the interrupt

    @axis:edits-last
    Scenario: A hook has removed a tool
      Given a model that answers
        | text | calls |
        | Look | t2    |
        | More | t1    |
        | Seen |       |
      And a handler "H1" that, before model call 2, offers the model the tools "t1"
      When the agent runs and is resumed
      Then model call 3 receives only the tool "t1"

    @axis:edits-last
    Scenario: A hook has deferred a tool
      Given a model that answers
        | text | calls |
        | Look | t2    |
        | More | t1    |
        | Seen |       |
      And a handler "H1" that, before model call 2, defers the tools "t9"
      When the agent runs and is resumed
      Then model call 3 receives only the deferred tool "t9"

    @axis:edits-last
    Scenario: A hook has removed a tool and deferred another one, and a later hook interrupts the run
      Given a model that answers
        | text | calls |
        | Look | t2    |
        | Seen |       |
      And a handler "H1" that, before model call 1, offers the model the tools "t2"; defers the tools "t9"
      And a handler "H2" that, before model call 2, interrupts the run
      When the agent runs and is resumed
      Then model call 2 receives only the tool "t2"
      And model call 2 receives only the deferred tool "t9"
