Feature: Braces in the instruction
  Each run sends the instruction as a system message, and a session key in braces is replaced by its value. The rules
  are about other braces: doubled ones stand for literal braces, and the braces of an unknown key are a mistake.

  @INSTR-07 @documented
  Rule: Doubled braces in the instruction stand for literal braces

    @axis:instruction-template
    Scenario: Doubled braces next to a key
      Given an agent with the instruction "{{a: [1]}} {k}"
      And a session in which "k" is "v"
      When the agent runs
      Then model call 1 receives
        | role   | content    |
        | system | {a: [1]} v |
        | user   | Hello.     |

    @axis:instruction-template
    Scenario: Closing braces alone
      Given an agent with the instruction "End with }}."
      When the agent runs
      Then model call 1 receives
        | role   | content     |
        | system | End with }. |
        | user   | Hello.      |

    @axis:instruction-template
    Scenario: A key in doubled braces
      Given an agent with the instruction "{{k}} {k}"
      And a session in which "k" is "v"
      When the agent runs
      Then model call 1 receives
        | role   | content |
        | system | {k} v   |
        | user   | Hello.  |

  @INSTR-04 @clarified
  Rule: Doubled braces in the instruction stand for literal braces even if the session is empty

    @axis:instruction-template
    Scenario: An empty session
      Given an agent with the instruction "Answer as {{x}}."
      When the agent runs
      Then model call 1 receives
        | role   | content        |
        | system | Answer as {x}. |
        | user   | Hello.         |

  @INSTR-05 @clarified
  Rule: If the session has values, an unknown key or an unpaired brace in the instruction fails the run before the model call

    @axis:instruction-template
    Scenario Outline: The instruction <instruction>
      Given an agent with the instruction "<instruction>"
      And a session in which "k" is "v"
      When the agent runs
      Then the run fails because the instruction cannot be rendered
      And the model is called 0 times

      Examples: a key that is not in the session
        | instruction |
        | {k} {other} |

      Examples: an unpaired brace
        | instruction |
        | {k} {       |
        | } {k}       |
        | Go {        |
        | Go }        |

    @axis:instruction-template
    Scenario Outline: The session has the key "User", and the instruction contains <token>
      Given an agent with the instruction "Serve {User} and <token>."
      And a session in which "User" is "Ann"
      When the agent runs
      Then the run fails because the instruction cannot be rendered
      And the model is called 0 times

      Examples: a key with white space
        | token   |
        | { User} |
        | {User } |

      Examples: a key in other letters
        | token  |
        | {user} |

      Examples: a longer and a shorter key
        | token      |
        | {UserName} |
        | {Use}      |

      Examples: no key
        | token |
        | {}    |

    Scenario: The instruction has a known key alone
      Given an agent with the instruction "{k}"
      And a session in which "k" is "v"
      When the agent runs
      Then the run succeeds
      And the model is called once

  @INSTR-08 @clarified
  Rule: Braces in the caller's messages are either all unchanged or all rendered as in the instruction

    Scenario: A user message with a key in single and in doubled braces
      Given an agent with the instruction "Serve {k}."
      And a session in which "k" is "v"
      And the conversation
        | role | content                    |
        | user | What is {k}, what is {{k}} |
      When the agent runs
      Then the last message of model call 1 is "What is {k}, what is {{k}}" or "What is v, what is {k}"
