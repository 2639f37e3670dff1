Feature: Before the agent
  Each run begins with the handlers' hook before agent. A handler is shown
  what the run is about to start with: the instruction, the tools, and which
  of them return directly. What it returns is what this run starts with; the
  agent itself stays as it was configured.

  @HOOK-BA-01 @documented
  Rule: A handler receives what the handlers before it have changed

    Scenario Outline: Two handlers that add to the instruction, in a <mode> run
      Given a <mode> run
      And an agent with the instruction "I"
      And a handler "H1" that, before agent, adds "+1" to the instruction
      And a handler "H2" that, before agent, adds "+2" to the instruction
      When the agent runs
      Then before agent, "H1" sees the instruction "I"
      And before agent, "H2" sees the instruction "I+1"

      Examples:
        | mode        |
        | synchronous |
        | streaming   |

    Scenario: A handler that adds a tool
      Given a tool "t1" that returns "one"
      And the spare tools
        | name |
        | t2   |
      And a handler "H1" that, before agent, gives the agent the tools t1, t2
      And a handler "H2" that looks on before agent
      When the agent runs
      Then before agent, "H2" sees, in any order, the tools t1, t2

    Scenario: A handler that changes the instruction and the tools
      Given an agent with the instruction "I"
      And the tools
        | name |
        | t1   |
        | t2   |
      And a handler "H1" that does
        | hook         | deed                         |
        | before agent | sets the instruction to "N"  |
        | before agent | gives the agent the tools t2 |
      And a handler "H2" that looks on before agent
      When the agent runs
      Then before agent, "H2" sees the instruction "N"
      And before agent, "H2" sees the tools t2

    Scenario: A handler that changes which tools return directly
      Given the tools
        | name |
        | t1   |
        | t2   |
      And the tools t1 return directly
      And a handler "H1" that, before agent, lets the tools t2 return directly
      And a handler "H2" that looks on before agent
      When the agent runs
      Then before agent, "H2" sees that t2 return directly

  @HOOK-BA-19 @derived
  Rule: The hooks before the agent are called in registration order

    Scenario Outline: Three handlers, in a <mode> run
      Given a <mode> run
      And a handler "H1" that looks on before agent
      And a handler "H2" that looks on before agent
      And a handler "H3" that looks on before agent
      When the agent runs
      Then the trace is
        """
        before agent H1
        before agent H2
        before agent H3
        model
        """

      Examples:
        | mode        |
        | synchronous |
        | streaming   |

  @HOOK-BA-02 @documented
  Rule: The hook is called once in a run, however many model calls the run makes

    Scenario Outline: Three model calls, in a <mode> run
      Given a <mode> run
      And a tool "t1" that returns "one"
      And a model that answers
        | text | calls |
        |      | t1    |
        |      | t1    |
        | done |       |
      And a handler "H" that looks on before agent
      When the agent runs
      Then the final answer is "done"
      And the model is called 3 times
      And "H" is called once before agent

      Examples:
        | mode        |
        | synchronous |
        | streaming   |

  @HOOK-BA-03 @documented
  Rule: Nothing else of a run happens before it

    Scenario: An input generation, and a hook before the model
      Given an input generation that puts before the conversation
        | role   | content |
        | system | S       |
      And a handler "H1" that looks on before model
      And a handler "H2" that looks on before agent
      When the agent runs
      Then the trace is
        """
        before agent H2
        input
        before model H1
        model
        """

    Scenario: A hook before the model, of a handler that was registered first
      Given a handler "H1" that looks on before model
      And a handler "H2" that looks on before agent
      When the agent runs
      Then the trace is
        """
        before agent H2
        before model H1
        model
        """

  @HOOK-BA-04 @documented
  Rule: What it changes holds for the whole of this run and for no other

    Scenario: A tool in each model call of a run
      Given a tool "t1" that returns "one"
      And the spare tools
        | name | returns |
        | t2   | two     |
      And a model that answers
        | text | calls |
        |      | t2    |
        |      | t2    |
        | done |       |
      And a handler "H" that, before agent, gives the agent the tools t1, t2
      When the agent runs
      Then the final answer is "done"
      And in any order, model call 2 is offered the tools t1, t2
      And in any order, model call 3 is offered the tools t1, t2
      And the tool "t2" runs 2 times

    Scenario: A second run
      Given an agent with the instruction "I"
      And a tool "t1" that returns "one"
      And the spare tools
        | name |
        | t2   |
      And a handler "H" that does
        | hook         | deed                              |
        | before agent | adds "+1" to the instruction      |
        | before agent | gives the agent the tools t1, t2  |
      When the agent runs twice
      Then the run succeeds
      And before agent call 2, "H" sees the instruction "I"
      And before agent call 2, "H" sees the tools t1
      And model call 2 receives
        | role   | content |
        | system | I+1     |
        | user   | Hello.  |

  @HOOK-BA-05 @documented
  Rule: The system message is made of the instruction that the last handler returns

    Scenario Outline: The instruction is written anew, in a <mode> run
      Given a <mode> run
      And an agent with the instruction "I"
      And a handler "H1" that, before agent, sets the instruction to "J"
      And a handler "H2" that, before agent, adds "+2" to the instruction
      When the agent runs
      Then model call 1 receives
        | role   | content |
        | system | J+2     |
        | user   | Hello.  |

      Examples:
        | mode        |
        | synchronous |
        | streaming   |

    Scenario: An agent without an instruction is given one
      Given a handler "H" that, before agent, sets the instruction to "J"
      When the agent runs
      Then model call 1 receives
        | role   | content |
        | system | J       |
        | user   | Hello.  |

  @HOOK-BA-09 @derived
  Rule: Session values are put into the instruction that it leaves

    Scenario: A key that the configured instruction did not have
      Given an agent with the instruction "old"
      And a session in which "k" is "v"
      And a handler "H" that, before agent, sets the instruction to "new {k}"
      When the agent runs
      Then model call 1 receives
        | role   | content |
        | system | new v   |
        | user   | Hello.  |
