Feature: How a resumed run goes on
  A resumed run is the rest of the run that stopped, and not a new one. What the
  checkpoint holds is what it goes on with: the conversation, the tools offered
  to the model, the mode, and how many model calls are left. Whether the hook
  before the agent is called again is open.

  Background:
    Given the conversation
      | role | content |
      | user | Hello   |
    And the tools
      | name | returns | interrupts |
      | t1   | asked   | yes        |
      | t2   | found   |            |

  @INTERRUPT-02 @clarified
  Rule: The interrupted call is made again with the state it left, without asking the model first

    Scenario Outline: One tool call in a <mode> run
      Given a <mode> run
      And a model that answers
        | text | calls |
        | Look | t1    |
        | Seen |       |
      When the agent runs and is resumed
      Then the trace of run 2 is
        """
        tool t1
        model
        """
      And call 2 of the tool "t1" finds the state that it left
      And model call 2 receives
        | role      | content |
        | user      | Hello   |
        | assistant | Look    |
        | tool      | asked   |
      And the events of run 2 are
        | content |
        | asked   |
        | Seen    |

      Examples:
        | mode        |
        | synchronous |
        | streaming   |

  @INTERRUPT-03 @clarified
  Rule: What the caller answers to an interrupt reaches the call that had interrupted

    Scenario: Two tools are answered, each in its own way
      Given the tools
        | name | interrupts |
        | t3   | yes        |
      And on resumption the tool "t1" is answered "yes"
      And on resumption the tool "t3" is answered "no"
      And a model that answers
        | text | calls  |
        | Look | t1, t3 |
        | Seen |        |
      When the agent runs and is resumed
      Then call 2 of the tool "t1" is answered "yes"
      And call 2 of the tool "t3" is answered "no"

  @INTERRUPT-04 @clarified
  Rule: An interrupt inside a sub-agent interrupts the run outside, and both go on when that is resumed

    Scenario Outline: A tool of a sub-agent is asked again and answered, in a <mode> run
      Given a <mode> run
      And a model that answers
        | text | calls                       |
        | Ask  | helper({"request": "Help"}) |
        | Seen |                             |
      And on resumption the tool "inner" is answered "yes"
      And a sub-agent "helper", with
      And the tools
        | name  | returns | interrupts |
        | inner | helped  | yes        |
      And a model that answers
        | text | calls |
        | Hm   | inner |
        | Here |       |
      When the agent runs and is resumed
      Then run 1 is interrupted by "inner"
      And the trace of run 2 has, in this order
        """
        tool inner
        model helper's
        model
        """
      And call 2 of the tool "inner" is answered "yes"
      And "model helper's" happens 2 times
      And "model" happens 2 times
      And the final answer of run 2 is "Seen"

      Examples:
        | mode        |
        | synchronous |
        | streaming   |

  @INTERRUPT-07 @clarified
  Rule: A resumed run has the mode of the run that stopped

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

  @INTERRUPT-09 @clarified
  Rule: A resumed run continues with the conversation that was stored

    Scenario Outline: A handler that adds to the instruction, in a <mode> run
      Given a <mode> run
      And an agent with the instruction "Be brief."
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

      Examples:
        | mode        |
        | synchronous |
        | streaming   |

    Scenario: The system message had been taken out before the run stopped
      Given an agent with the instruction "Be brief."
      And a model that answers
        | text | calls |
        | Look | t2    |
        | More | t1    |
        | Seen |       |
      And a handler "H1" that, before model call 2, replaces all messages by the user message "Anew"
      When the agent runs and is resumed
      Then model call 3 receives
        | role      | content |
        | user      | Anew    |
        | assistant | More    |
        | tool      | asked   |

  @INTERRUPT-10 @clarified
  Rule: The model calls made before a run stopped count against its limit

    Scenario: One of two calls is left
      Given an iteration limit of 2
      And a model that answers
        | text | calls |
        | Look | t1    |
        | More | t2    |
        | Seen |       |
      When the agent runs and is resumed
      Then run 2 fails because its iteration limit is reached
      And the model is called 2 times

  @INTERRUPT-11 @derived
  Rule: The tools that a handler has left to be offered are offered after a resumption, too

    Scenario Outline: A handler has taken one away in a <mode> run
      Given a <mode> run
      And a model that answers
        | text | calls |
        | Look | t2    |
        | More | t1    |
        | Seen |       |
      And a handler "H1" that, before model call 2, offers the tools "t1"
      When the agent runs and is resumed
      Then model call 3 is offered the tools "t1"

      Examples:
        | mode        |
        | synchronous |
        | streaming   |

    Scenario: A handler has given deferred ones
      Given a model that answers
        | text | calls |
        | Look | t2    |
        | More | t1    |
        | Seen |       |
      And a handler "H1" that, before model call 2, defers the tools "t9"
      When the agent runs and is resumed
      Then model call 3 is given the deferred tools "t9"
