Feature: The instruction
  The instruction is the system prompt of an agent. Each run sends the
  instruction as a system message before the conversation. A session key in
  braces is replaced by its value, so one agent can serve many callers. Doubled
  braces stand for literal braces. The session holds values of a whole run,
  which the caller can pass. A custom input function replaces the default input,
  the instruction included. An agentic message consists of content blocks, a
  plain message of one text.

  @INSTR-01 @documented
  Rule: The instruction is a system message that precedes the caller's messages

    Scenario: One user message
      Given an agent with the instruction "Be brief."
      When the agent runs
      Then model call 1 receives
        | role   | content   |
        | system | Be brief. |
        | user   | Hello.    |

    Scenario: A conversation with an earlier answer
      Given an agent with the instruction "Be brief."
      And the conversation
        | role      | content         |
        | user      | Hi.             |
        | assistant | How can I help? |
        | user      | What is 2 + 2?  |
      When the agent runs
      Then model call 1 receives
        | role      | content         |
        | system    | Be brief.       |
        | user      | Hi.             |
        | assistant | How can I help? |
        | user      | What is 2 + 2?  |

    Scenario: The instruction of a sub-agent
      Given a sub-agent "helper"
      And an input schema without properties
      And an agent with the instruction "Be brief."
      And an outer agent
      And a model that calls "helper" once before it answers "done"
      When the agent runs
      Then call 1 of the model "helper's" receives
        | role   |
        | system |
        | user   |
      And call 1 of the model "helper's" contains "Be brief."

  @INSTR-02 @derived
  Rule: An empty instruction adds no system message

    Scenario: A conversation that begins with a user message
      Given an agent with the instruction ""
      When the agent runs
      Then model call 1 receives
        | role | content |
        | user | Hello.  |

    Scenario: A conversation that begins with an assistant message
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
  Rule: A session key in braces in the instruction is replaced by its value

    @axis:instruction-template
    Scenario: Two keys
      Given an agent with the instruction "You serve {User} in {City}."
      And a session in which "User" is "Ann"
      And a session in which "City" is "Rome"
      When the agent runs
      Then model call 1 receives
        | role   | content                |
        | system | You serve Ann in Rome. |
        | user   | Hello.                 |

    @axis:instruction-template
    Scenario: A key in the instruction of a sub-agent
      Given a session in which "User" is "Ann"
      And a sub-agent "helper"
      And an agent with the instruction "You serve {User}."
      And an outer agent
      And a model that answers
        | calls                        | text |
        | helper({"request": "Help."}) |      |
        |                              | done |
      When the agent runs
      Then call 1 of the model "helper's" contains "You serve Ann."

    @axis:instruction-template
    Scenario: One key twice in a row
      Given an agent with the instruction "{k}{k}"
      And a session in which "k" is "ha"
      When the agent runs
      Then model call 1 receives
        | role   | content |
        | system | haha    |
        | user   | Hello.  |

    @axis:instruction-template
    Scenario: A key with a number as its value
      Given an agent with the instruction "Count to {n}."
      And a session in which "n" is the number 42
      When the agent runs
      Then model call 1 receives
        | role   | content      |
        | system | Count to 42. |
        | user   | Hello.       |

    @axis:instruction-template
    Scenario: A value that contains a key in braces
      Given an agent with the instruction "You serve {User}."
      And a session in which "User" is "{City}"
      And a session in which "City" is "Rome"
      When the agent runs
      Then model call 1 receives
        | role   | content           |
        | system | You serve {City}. |
        | user   | Hello.            |

    @axis:instruction-template
    Scenario: Two runs of one agent with different values
      Given an agent with the instruction "You serve {User}."
      And a session of run 1 in which "User" is "Ann"
      And a session of run 2 in which "User" is "Bo"
      When the agent runs twice
      Then model call 1 receives
        | role   | content        |
        | system | You serve Ann. |
        | user   | Hello.         |
      And model call 2 receives
        | role   | content       |
        | system | You serve Bo. |
        | user   | Hello.        |

    @axis:instruction-template
    Scenario: Two concurrent runs of one agent with different values
      Given an agent with the instruction "You serve {User}."
      And a session of run 1 in which "User" is "Ann"
      And a session of run 2 in which "User" is "Bo"
      When the agent runs 2 times concurrently
      Then every model call of run 1 contains the text "You serve Ann."
      And every model call of run 2 contains the text "You serve Bo."

    @axis:instruction-template
    Scenario: Two keys that begin alike
      Given an agent with the instruction "{User} has the number {UserId}, {UserId} is {User}."
      And a session in which "User" is "Ann"
      And a session in which "UserId" is "7"
      When the agent runs
      Then model call 1 receives
        | role   | content                         |
        | system | Ann has the number 7, 7 is Ann. |
        | user   | Hello.                          |

    @axis:instruction-template
    Scenario Outline: A key with <what> as its value
      Given an agent with the instruction "Count from {n}."
      And a session in which "n" is the JSON value <value>
      When the agent runs
      Then model call 1 receives
        | role   | content   |
        | system | <content> |
        | user   | Hello.    |

      Examples: empty values
        | what          | value | content       |
        | zero          | 0     | Count from 0. |
        | an empty text | ""    | Count from .  |

    @axis:instruction-template
    Scenario Outline: A value with <what>
      Given an agent with the instruction "You serve {User} in {City}."
      And a session in which "City" is "Rome"
      And a session in which "User" is "<value>"
      When the agent runs
      Then model call 1 receives
        | role   | content                    |
        | system | You serve <value> in Rome. |
        | user   | Hello.                     |

      Examples:
        | what                   | value     |
        | a key in braces        | {City}    |
        | a key in double braces | {{City}}  |
        | an unknown key         | {Unknown} |
        | an unpaired brace      | a } b     |
        | a dollar sign          | $1 $User  |
        | a percent sign         | %s %(x)s  |
        | no text                |           |

    @axis:instruction-template
    Scenario: Keys that begin and end alike
      Given an agent with the instruction "{User} {UserName} {Name}"
      And a session in which "User" is "one"
      And a session in which "Name" is "two"
      And a session in which "UserName" is "three"
      When the agent runs
      Then model call 1 receives
        | role   | content       |
        | system | one three two |
        | user   | Hello.        |

    @axis:instruction-template
    Scenario Outline: A key with <what>
      Given an agent with the instruction "You serve {<key>}."
      And a session in which "<key>" is "Ann"
      When the agent runs
      Then model call 1 receives
        | role   | content        |
        | system | You serve Ann. |
        | user   | Hello.         |

      Examples:
        | what                  | key       |
        | a hyphen              | user-name |
        | a space               | user name |
        | an underscore         | user_name |
        | a letter not in ASCII | größe     |

    @axis:instruction-template
    Scenario: A value with backslashes
      Given an agent with the instruction "Work in {folder}."
      And a session in which "folder" is "C:\dir\1\g<0>"
      When the agent runs
      Then model call 1 receives
        | role   | content                         |
        | system | Work in C:\\\\dir\\\\1\\\\g<0>. |
        | user   | Hello.                          |

  @INSTR-10 @clarified
  Rule: An agent with agentic messages replaces session keys in its instruction

    @axis:instruction-template
    Scenario: A key in an instruction with agentic messages
      Given an agent with the instruction "Serve {k}."
      And the messages are agentic
      And a session in which "k" is "v"
      When the agent runs
      Then model call 1 receives
        | role   | content  |
        | system | Serve v. |
        | user   | Hello.   |

  @INSTR-11 @clarified
  Rule: A system message of the caller is a message of its own after the instruction

    Scenario: A conversation that has a system message
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
