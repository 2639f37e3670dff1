Feature: The before-agent hook
  The before-agent hook runs once, at the start of a run. A handler receives the
  instruction, the tools and the names of the return-directly tools, and can
  change them for this run. The configuration of the agent itself does not
  change. A legacy middleware, the older form of a handler, can add to the
  instruction and to the tools before the hook runs. The session holds values of
  a whole run, which the caller can pass.

  @HOOK-BA-01 @documented
  Rule: A before-agent hook receives the changes of the earlier before-agent hooks

    Scenario: Two hooks that add to the instruction
      Given an agent with the instruction "I"
      And a handler "H1" that, before agent, adds "+1" to the instruction
      And a handler "H2" that, before agent, adds "+2" to the instruction
      When the agent runs
      Then before agent, "H1" sees the instruction "I"
      And before agent, "H2" sees the instruction "I+1"

    Scenario: A hook that adds a tool
      Given a tool "t1" that returns "one"
      And the additional tools
        | name |
        | t2   |
      And a handler "H1" that, before agent, sets the tools of the run to "t1", "t2"
      And a handler "H2" that observes before agent
      When the agent runs
      Then before agent, "H2" sees, in any order, the tools "t1", "t2"

    Scenario: A hook that changes the instruction and the tools
      Given an agent with the instruction "I"
      And the tools
        | name |
        | t1   |
        | t2   |
      And a handler "H1" with the actions
        | hook         | action                            |
        | before agent | sets the instruction to "N"       |
        | before agent | sets the tools of the run to "t2" |
      And a handler "H2" that observes before agent
      When the agent runs
      Then before agent, "H2" sees the instruction "N"
      And before agent, "H2" sees only the tool "t2"

    Scenario: A hook that changes the return-directly tools
      Given the tools
        | name |
        | t1   |
        | t2   |
      And the tool "t1" returns directly
      And a handler "H1" that, before agent, sets the return-directly tools to "t2"
      And a handler "H2" that observes before agent
      When the agent runs
      Then before agent, "H2" sees only the return-directly tool "t2"

  @HOOK-BA-19 @derived
  Rule: Before-agent hooks are called in registration order

    Scenario: Three handlers
      Given a handler "H1" that observes before agent
      And a handler "H2" that observes before agent
      And a handler "H3" that observes before agent
      When the agent runs
      Then the trace is
        """
        before agent H1
        before agent H2
        before agent H3
        model
        """

  @HOOK-BA-02 @documented
  Rule: The before-agent hook is called once per run

    Scenario: Three model calls
      Given a tool "t1" that returns "one"
      And a model that answers
        | text | calls |
        |      | t1    |
        |      | t1    |
        | done |       |
      And a handler "H" that observes before agent
      When the agent runs
      Then the final answer is "done"
      And the model is called 3 times
      And "H" is called once before agent

  @HOOK-BA-03 @documented
  Rule: The before-agent hook runs before every other step of a run

    Scenario: A custom input function and a before-model hook
      Given a custom input function that prepends
        | role   | content |
        | system | S       |
      And a handler "H1" that observes before model
      And a handler "H2" that observes before agent
      When the agent runs
      Then the trace is
        """
        before agent H2
        input
        before model H1
        model
        """

    Scenario: A before-model hook of a handler that is registered first
      Given a handler "H1" that observes before model
      And a handler "H2" that observes before agent
      When the agent runs
      Then the trace is
        """
        before agent H2
        before model H1
        model
        """

  @HOOK-BA-05 @documented
  Rule: The system message is built from the instruction that the last before-agent hook returns

    Scenario: A hook that replaces the instruction and one that adds to it
      Given an agent with the instruction "I"
      And a handler "H1" that, before agent, sets the instruction to "J"
      And a handler "H2" that, before agent, adds "+2" to the instruction
      When the agent runs
      Then model call 1 receives
        | role   | content |
        | system | J+2     |
        | user   | Hello.  |

    Scenario: An agent without an instruction
      Given a handler "H" that, before agent, sets the instruction to "J"
      When the agent runs
      Then model call 1 receives
        | role   | content |
        | system | J       |
        | user   | Hello.  |

    Scenario: A hook that empties the instruction
      Given an agent with the instruction "I"
      And a handler "H" that, before agent, sets the instruction to ""
      When the agent runs
      Then model call 1 receives
        | role | content |
        | user | Hello.  |

    Scenario: A sub-agent without an instruction, after an interrupt, next to another run
      Given a sub-agent "helper"
      And a handler "H" that, before agent, sets the instruction to "J"
      And a model that answers
        | text   |
        | helped |
        | helped |
        | helped |
        | helped |
      And an outer agent
      And a conversation of agentic messages
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
      And call 1 of the model "helper's" contains "J"
      And call 2 of the model "helper's" contains "J"
      And call 3 of the model "helper's" contains "J"

  @HOOK-BA-09 @derived
  Rule: Session values fill the placeholders of an instruction that a before-agent hook sets

    @axis:instruction-template
    Scenario: A placeholder in the new instruction
      Given an agent with the instruction "old"
      And a session in which "k" is "v"
      And a handler "H" that, before agent, sets the instruction to "new {k}"
      When the agent runs
      Then model call 1 receives
        | role   | content |
        | system | new v   |
        | user   | Hello.  |

    @axis:instruction-template
    Scenario: A sub-agent, after an interrupt, next to another run
      Given a sub-agent "helper"
      And an agent with the instruction "old"
      And a handler "H" that, before agent, sets the instruction to "new {mood}."
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
      And call 1 of the model "helper's" contains "new ."
      And call 2 of the model "helper's" contains "new ."
      And call 3 of the model "helper's" contains "new ."

  @HOOK-BA-16 @documented
  Rule: The before-agent hook receives the instructions and the tools that legacy middlewares add

    Scenario: A legacy middleware that adds an instruction and a tool
      Given an agent with the instruction "Be brief."
      And a tool "t1" that returns "one"
      And a legacy middleware "L" that adds the instruction "Be kind."
      And a legacy middleware "L" that adds the tools
        | name |
        | t2   |
      And a handler "H" that observes before agent
      When the agent runs
      Then before agent, the instruction that "H" sees contains "Be brief."
      And before agent, the instruction that "H" sees contains "Be kind."
      And before agent, "H" sees, in any order, the tools "t1", "t2"

  @HOOK-BA-15 @clarified
  Rule: A before-agent hook can read and replace the session values that fill the instruction

    @axis:instruction-template
    Scenario: A session value in the instruction
      Given an agent with the instruction "Serve {k}."
      And a session in which "k" is "v"
      And a handler "H" with the actions
        | hook         | action                             |
        | before agent | reads the session value "k"        |
        | before agent | sets the session value "k" to "v2" |
      When the agent runs
      Then before agent, "H" finds "v" under "k"
      And model call 1 receives
        | role   | content   |
        | system | Serve v2. |
        | user   | Hello.    |

  @HOOK-BA-11 @clarified
  Rule: An error in a before-agent hook ends the run immediately, with the error as its only event

    Scenario: The first of two hooks fails
      Given a handler "H1" that, before agent, fails with "not today"
      And a handler "H2" that observes
      When the agent runs
      Then the events are
        | event | content   |
        | error | not today |
      And the trace is
        """
        before agent H1
        """

  @HOOK-BA-12 @clarified
  Rule: A crash in a before-agent hook is reported as the run's error event

    Scenario: A hook crashes
      Given a handler "H" that, before agent, crashes with "oops"
      When the agent runs
      Then the events are
        | event | content |
        | error | oops    |
      And the model is called 0 times
