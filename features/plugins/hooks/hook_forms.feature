Feature: How hooks are written, and what they return
  A hook is a function, or an object that holds one and declares where it may
  jump to; the function may be a plain one. It returns what it wants to have
  changed, and nothing more. A hook that fails ends the run.

  @XP-HOOK-09 @clarified
  Rule: A hook object that declares its jumps works like the function that it contains

    Scenario Outline: A <hook> hook object that adds a message
      Given a middleware "A" that, <hook>, adds the user message "from A"
      And the hooks of "A" are objects that declare their jumps
      When the agent runs
      Then the run succeeds
      And "A" is called once <hook>
      And model call 1 holds a message that says "from A"

      Examples:
        | hook         |
        | before agent |
        | before model |

    Scenario: Hook objects after the model and after the agent
      Given a middleware "A" that does
        | hook        | deed                                |
        | after model | changes the last message to "Done." |
        | after agent | looks on                            |
      And the hooks of "A" are objects that declare their jumps
      When the agent runs
      Then the run succeeds
      And after agent, the last message that "A" sees is "Done."

    Scenario Outline: A declared jump of a <hook> hook object
      Given a middleware "A" that, <hook>, jumps to "end"
      And the hooks of "A" are objects that declare their jumps
      When the agent runs
      Then the run succeeds
      And "<hook> A" happens once
      And "model" never happens

      Examples:
        | hook         |
        | before agent |
        | before model |

  @XP-HOOK-16 @clarified
  Rule: A synchronous hook function works like an asynchronous one

    Scenario Outline: A synchronous <hook> hook, with an asynchronous one
      Given a middleware "A" that, <hook>, adds the user message "from A"
      And the hooks of "A" are plain functions
      And a middleware "B" that looks on <hook>
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
      Given a middleware "A" that does
        | hook        | deed                                |
        | after model | changes the last message to "Done." |
        | after agent | counts "ends" in the state          |
      And the state of "A" has the fields
        | field | type   | default |
        | ends  | number | 0       |
      And the hooks of "A" are plain functions
      When the agent runs
      Then after agent, the last message that "A" sees is "Done."
      And afterwards the state holds {"ends": 1}

  @XP-HOOK-10 @clarified
  Rule: A hook changes only what it returns

    Scenario: A hook that returns nothing
      Given a tool "t1" that returns "one"
      And a middleware "A" that does
        | hook         | deed                          |
        | before agent | sets the state "k" to 7       |
        | before model | adds the user message "added" |
      And the state of "A" has the fields
        | field | type   | default |
        | k     | number | 0       |
      And a middleware "B" that, before model, returns nothing
      When the agent runs
      Then the model receives
        | role | content |
        | user | Hello.  |
        | user | added   |
      And model call 1 is offered the tools t1
      And afterwards the state holds {"k": 7}

    Scenario: A hook that returns messages
      Given a tool "t1" that returns "one"
      And a middleware "A" that does
        | hook         | deed                          |
        | before agent | sets the state "k" to 7       |
        | before model | adds the user message "added" |
      And the state of "A" has the fields
        | field | type   | default |
        | k     | number | 0       |
      When the agent runs
      Then model call 1 is offered the tools t1
      And afterwards the state holds {"k": 7}

    Scenario: A hook that returns one field of its state
      Given a tool "t1" that returns "one"
      And a middleware "A" that does
        | hook         | deed                    |
        | before agent | sets the state "k" to 7 |
        | before model | sets the state "l" to 8 |
      And the state of "A" has the fields
        | field | type   | default |
        | k     | number | 0       |
        | l     | number | 0       |
      When the agent runs
      Then the model receives
        | role | content |
        | user | Hello.  |
      And model call 1 is offered the tools t1
      And afterwards the state holds {"k": 7, "l": 8}

  @XP-HOOK-13 @clarified
  Rule: A hook that fails ends the run immediately with its error

    Scenario Outline: A failing <hook> hook, with a middleware after it
      Given a middleware "A" that, <hook>, fails with "broken"
      And a middleware "B" that looks on
      When the agent runs
      Then the run fails with the error "broken"
      And "A" is called once <hook>
      And "B" is never called <hook>
      And "model" never happens
      And "B" is never called after agent

      Examples:
        | hook         |
        | before agent |
        | before model |

    Scenario: A failing after-model hook, with a middleware before it
      Given a tool "t1" that returns "one"
      And a model that calls "t1" once before it answers "done"
      And a middleware "A" that looks on
      And a middleware "B" that, after model, fails with "broken"
      When the agent runs
      Then the run fails with the error "broken"
      And "A" is never called after model
      And the tool "t1" never runs
      And the model is called once
      And "A" is never called after agent

    Scenario: A failing after-agent hook, with a middleware before it
      Given a middleware "A" that looks on after agent
      And a middleware "B" that, after agent, fails with "broken"
      When the agent runs
      Then the run fails with the error "broken"
      And "A" is never called after agent

    Scenario: No hook fails
      Given a middleware "A" that looks on
      When the agent runs
      Then the run succeeds
      And "A" is called once after agent
