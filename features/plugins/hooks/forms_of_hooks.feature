Feature: The forms of a hook
  A hook of a middleware is a function, which can be asynchronous or synchronous, or an object that contains the
  function and declares the targets of its jumps. The form changes nothing else.

  @XP-HOOK-16 @clarified
  Rule: A synchronous middleware hook works like an asynchronous one

    Scenario Outline: A synchronous <hook> hook, with an asynchronous one
      Given a middleware "A" that, <hook>, adds the user message "from A"
      And the hooks of "A" are synchronous functions
      And a middleware "B" that observes <hook>
      When the agent runs
      Then the model receives
        | role | content |
        | user | Hello.  |
        | user | from A  |
      And "A" is called once <hook>
      And "B" is called once <hook>

      Examples:
        | hook         |
        | before agent |
        | before model |

    Scenario: Synchronous hooks after the model and after the agent
      Given a middleware "A" with the actions
        | hook        | action                              |
        | after model | changes the last message to "Done." |
        | after agent | increments "ends" in the state      |
      And the state of "A" has the fields
        | field | type   | default |
        | ends  | number | 0       |
      And the hooks of "A" are synchronous functions
      When the agent runs
      Then after agent, the last message that "A" sees is "Done."
      And afterwards the state includes {"ends": 1}

  @XP-HOOK-09 @clarified
  Rule: A middleware hook object that declares its jumps works like the function that it contains

    Scenario Outline: A <hook> hook object that adds a message
      Given a middleware "A" that, <hook>, adds the user message "from A"
      And the hooks of "A" are objects that declare their jumps
      When the agent runs
      Then the run succeeds
      And "A" is called once <hook>
      And model call 1 contains the message "from A"

      Examples:
        | hook         |
        | before agent |
        | before model |

    Scenario: Hook objects after the model and after the agent
      Given a middleware "A" with the actions
        | hook        | action                              |
        | after model | changes the last message to "Done." |
        | after agent | observes                            |
      And the hooks of "A" are objects that declare their jumps
      When the agent runs
      Then the run succeeds
      And after agent, the last message that "A" sees is "Done."

    Scenario Outline: A declared jump of a <hook> hook object
      Given a middleware "A" that, <hook>, jumps to "end"
      And the hooks of "A" are objects that declare their jumps
      When the agent runs
      Then the run succeeds
      And "<hook> A" is called once
      And the model is called 0 times

      Examples:
        | hook         |
        | before agent |
        | before model |

  @XP-STATE-02 @documented
  Rule: A middleware's state schema can be an object, an optional object or an object with defaults

    Scenario Outline: A state declared as <form>
      Given a middleware "A" with the actions
        | hook         | action                        |
        | before agent | sets the state "who" to "Ann" |
        | before model | observes                      |
      And the state of "A" has the fields
        | field | type |
        | who   | text |
      And the state of "A" is declared as <form>
      When the agent runs
      Then before model, "A" sees the state {"who": "Ann"}
      And afterwards the state includes {"who": "Ann"}

      Examples: required form
        | form      |
        | an object |

      Examples: optional form
        | form               |
        | an optional object |

    Scenario: A state declared as an object with defaults
      Given a middleware "A" with the actions
        | hook         | action                        |
        | before agent | sets the state "who" to "Ann" |
        | before model | observes                      |
      And the state of "A" has the fields
        | field | type | default   |
        | who   | text | "unknown" |
      And the state of "A" is declared as an object with defaults
      When the agent runs
      Then before model, "A" sees the state {"who": "Ann"}
      And afterwards the state includes {"who": "Ann"}
