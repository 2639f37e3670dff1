Feature: The instruction
  An agent's instruction is what it is told before anything else. It opens
  the conversation of each run as a system message. It may name values of the
  run's session in braces, so that one agent can serve many callers; a brace
  that is meant literally is doubled. Whoever makes the model's input with a
  function of their own has taken all of this over.

  @INSTR-01 @documented
  Rule: The instruction is one system message in front of the caller's messages

    Scenario: One user message
      Given an agent with the instruction "Be brief."
      When the agent runs
      Then model call 1 receives
        | role   | content   |
        | system | Be brief. |
        | user   | Hello.    |

    Scenario: A conversation with a system message of its own
      Given an agent with the instruction "Be brief."
      And the conversation
        | role      | content         |
        | system    | The user is 7.  |
        | user      | Hi.             |
        | assistant | How can I help? |
        | user      | What is 2 + 2?  |
      When the agent runs
      Then model call 1 receives
        | role      | content         |
        | system    | Be brief.       |
        | system    | The user is 7.  |
        | user      | Hi.             |
        | assistant | How can I help? |
        | user      | What is 2 + 2?  |

  @INSTR-02 @derived
  Rule: An instruction that is empty makes no system message

    Scenario: A conversation that begins with the user
      Given an agent with the instruction ""
      When the agent runs
      Then model call 1 receives
        | role | content |
        | user | Hello.  |

    Scenario: A conversation that begins with the assistant
      Given an agent with the instruction ""
      And the conversation
        | role      | content         |
        | assistant | How can I help? |
        | user      | What is 2 + 2?  |
      When the agent runs
      Then model call 1 receives
        | role      | content         |
        | assistant | How can I help? |
        | user      | What is 2 + 2?  |

  @INSTR-03 @documented
  Rule: A key of the session in braces is replaced by its value

    Scenario: Two keys
      Given an agent with the instruction "You serve {User} in {City}."
      And a session in which "User" is "Ann"
      And a session in which "City" is "Rome"
      When the agent runs
      Then model call 1 receives
        | role   | content                |
        | system | You serve Ann in Rome. |
        | user   | Hello.                 |

    Scenario: The same key twice, side by side
      Given an agent with the instruction "{k}{k}"
      And a session in which "k" is "ha"
      When the agent runs
      Then model call 1 receives
        | role   | content |
        | system | haha    |
        | user   | Hello.  |

    Scenario: A number
      Given an agent with the instruction "Count to {n}."
      And a session in which "n" is the number 42
      When the agent runs
      Then model call 1 receives
        | role   | content      |
        | system | Count to 42. |
        | user   | Hello.       |

  @INSTR-06 @derived
  Rule: An input generation of one's own gets its messages to the model as they are

    Scenario: Braces in what it makes
      Given an agent with the instruction "Serve {k}."
      And a session in which "k" is "v"
      And an input generation that puts before the conversation
        | role   | content          |
        | system | Keep {k}, {{k}}. |
      When the agent runs
      Then model call 1 receives
        | role   | content          |
        | system | Keep {k}, {{k}}. |
        | user   | Hello.           |

  @INSTR-10 @clarified
  Rule: The instruction is rendered for agentic messages, too

    Scenario: A key, in an agent of agentic messages
      Given an agent with the instruction "Serve {k}."
      And the messages are agentic
      And a session in which "k" is "v"
      When the agent runs
      Then model call 1 receives
        | role   | content  |
        | system | Serve v. |
        | user   | Hello.   |
