Feature: Braces in the instruction
  In an instruction a brace begins or ends the name of a session value. One
  that is meant literally is written twice, always: whether or not the run's
  session holds anything. In what a caller writes braces mean nothing.

  @INSTR-07 @documented
  Rule: Doubled braces stand for single ones

    Scenario: Something in braces beside a key
      Given an agent with the instruction "{{a: [1]}} {k}"
      And a session in which "k" is "v"
      When the agent runs
      Then model call 1 receives
        | role   | content    |
        | system | {a: [1]} v |
        | user   | Hello.     |

    Scenario: A key in doubled braces
      Given an agent with the instruction "{{k}} {k}"
      And a session in which "k" is "v"
      When the agent runs
      Then model call 1 receives
        | role   | content |
        | system | {k} v   |
        | user   | Hello.  |

  @INSTR-04 @clarified
  Rule: Doubled braces become single ones even if the session is empty

    Scenario: No session value
      Given an agent with the instruction "Answer as {{x}}."
      When the agent runs
      Then model call 1 receives
        | role   | content        |
        | system | Answer as {x}. |
        | user   | Hello.         |

  @INSTR-05 @clarified
  Rule: Where there are session values, a key without one or a brace of no pair ends the run before the model

    Scenario Outline: The instruction <instruction>
      Given an agent with the instruction "<instruction>"
      And a session in which "k" is "v"
      When the agent runs
      Then the run fails because its instruction cannot be rendered
      And the model is called 0 times

      Examples: a key that the session lacks
        | instruction |
        | {k} {other} |

      Examples: a brace of no pair
        | instruction |
        | {k} {       |
        | } {k}       |

  @INSTR-08 @clarified
  Rule: Braces in the caller's messages stay as they are

    Scenario: A user who writes braces
      Given an agent with the instruction "Serve {k}."
      And a session in which "k" is "v"
      And the conversation
        | role | content                  |
        | user | What are {k}, {x} and {? |
      When the agent runs
      Then model call 1 receives
        | role   | content                  |
        | system | Serve v.                 |
        | user   | What are {k}, {x} and {? |
