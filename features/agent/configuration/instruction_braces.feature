Feature: Braces in the instruction
  Each run sends the instruction as a system message, and a session key in braces is replaced by its value. Doubled
  braces stand for literal braces, and the braces of an unknown key are a mistake.

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

    @axis:instruction-template
    Scenario: A number in the instruction of a sub-agent, after an interrupt, next to another run
      Given a sub-agent "helper"
      And a session in which "n" is the number 42
      And an agent with the instruction "Count to {n}."
      And a model that answers
        | text   |
        | helped |
        | helped |
        | helped |
        | helped |
      And an outer agent
      And the conversation
        | role | content |
        | user | Grüße.  |
      And a session in which "mood" is ""
      And tool calls run sequentially
      And failed model calls are retried at most once
      And the tools
        | name | returns | kind       | interrupts |
        | t0   |         | streamable | yes        |
      And a model that answers
        | calls                                                                | fails with | text    |
        | t0 as b                                                              |            |         |
        | helper({"request": "Bonn?"}) as a                                    |            | \ü*2001 |
        |                                                                      | busy       |         |
        | helper({"request": "Bonn?"}) as c, helper({"request": "Kiel?"}) as d |            | \ü*2001 |
        |                                                                      |            | done    |
      And a handler "H0" that, before model, reads the session value "mood"
      When the agent runs, and is resumed while it runs once more
      Then the final answer of run 2 is "done"
      And call 1 of the model "helper's" contains "Count to 42."
      And call 2 of the model "helper's" contains "Count to 42."
      And call 3 of the model "helper's" contains "Count to 42."

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

    @axis:instruction-template
    Scenario: Doubled braces in the instruction of a sub-agent, after an interrupt, next to another run
      Given a sub-agent "helper"
      And an agent with the instruction "{{a}} is{mood} a."
      And a model that answers
        | text   |
        | helped |
        | helped |
        | helped |
        | helped |
      And an outer agent
      And the conversation
        | role | content |
        | user | Grüße.  |
      And a session in which "mood" is ""
      And tool calls run sequentially
      And failed model calls are retried at most once
      And the tools
        | name | returns | kind       | interrupts |
        | t0   |         | streamable | yes        |
      And a model that answers
        | calls                                                                | fails with | text    |
        | t0 as b                                                              |            |         |
        | helper({"request": "Bonn?"}) as a                                    |            | \ü*2001 |
        |                                                                      | busy       |         |
        | helper({"request": "Bonn?"}) as c, helper({"request": "Kiel?"}) as d |            | \ü*2001 |
        |                                                                      |            | done    |
      And a handler "H0" that, before model, reads the session value "mood"
      When the agent runs, and is resumed while it runs once more
      Then call 2 of the model "helper's" contains "{a} is a."
      And call 3 of the model "helper's" contains "{a} is a."

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
