Feature: Braces in the instruction
  In an instruction a brace begins or ends the name of a session value. One
  that is meant literally is written twice, always: whether or not the run's
  session holds anything. What a caller writes is rendered as a whole, or not at
  all.

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
  Rule: Braces in the caller's messages all stay as they are, or are all rendered as in the instruction

    Scenario: A user who writes a key in braces and in doubled braces
      Given an agent with the instruction "Serve {k}."
      And a session in which "k" is "v"
      And the conversation
        | role | content                    |
        | user | What is {k}, what is {{k}} |
      When the agent runs
      Then the last message of model call 1 is "What is {k}, what is {{k}}" or "What is v, what is {k}"
