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

    Scenario: A sub-agent in the second round of a run that is resumed next to another run
      Given a sub-agent "helper"
      And an agent with the instruction "Be brief."
      And a model that answers
        | text   |
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
        | t0   | \ü*2001 | streamable | yes        |
      And a model that answers
        | calls                                                                                                   | fails with | text |
        | t0({"city": "Ulm"}) as a                                                                                |            |      |
        |                                                                                                         | busy       |      |
        | helper({"request": "Kiel?"}) as b, helper({"request": "Bonn?"}) as c, helper({"request": "Kiel?"}) as d |            |      |
        |                                                                                                         |            | done |
      And a handler "H" that, before model, reads the session value "mood"
      When the agent runs, and is resumed while it runs once more
      Then the final answer of run 2 is "done"
      And "model helper's" is called 3 times
      And call 1 of the model "helper's" contains, in this order
        """
        Be brief.
        Kiel?
        """
      And call 3 of the model "helper's" contains, in this order
        """
        Be brief.
        Kiel?
        """

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

    Scenario: Two concurrent runs with long agentic messages
      Given an agent with the instruction ""
      And a conversation of agentic messages
        | role      | content |
        | assistant | \ü*2001 |
        | user      |         |
      When the agent runs 2 times concurrently
      Then model call 1 receives
        | role      | content |
        | assistant | \ü*2001 |
        | user      |         |
      And model call 2 receives
        | role      | content |
        | assistant | \ü*2001 |
        | user      |         |

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
