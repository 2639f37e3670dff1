Feature: Agent configuration
  An agent needs a model. All other settings are optional and have defaults. A
  configuration that cannot work fails when the agent is built or before the
  first model call of a run. With failover, the failover predicate decides
  whether an error leads to a backup model, and the backup selector returns the
  model. A sub-agent is an agent that is a tool of another agent. The exit tool
  is a tool with which a model ends the run.

  @CFG-02 @derived
  Rule: An agent that is not a sub-agent needs neither a name nor a description

    Scenario: No name and an empty description
      Given an agent
      And no name
      And the description ""
      And a model that answers
        | text |
        | done |
      When the agent runs
      Then the final answer is "done"

    Scenario: No name, and a sub-agent with a name
      Given a sub-agent "helper"
      And an input schema without properties
      And a model that answers
        | text   |
        | helped |
      And an outer agent
      And no name
      And a model that answers
        | calls  | text |
        | helper |      |
        |        | done |
      When the agent runs
      Then the final answer is "done"

    Scenario: No name in a run that is resumed next to another one
      Given a streaming run
      And an agent
      And no name
      And the description ""
      And a conversation of agentic messages
        | role      | content |
        | user      | \ü*2001 |
        | assistant | Gut     |
        | user      |         |
      And tool calls run sequentially
      And the tools
        | name | returns | interrupts |
        | t0   | early   | yes        |
      And a model that answers
        | calls | text |
        | t0    |      |
        |       | done |
      And in run 3, the model answers
        | text |
        | Gut  |
      And a handler "H1" that observes before model
      And a handler "H2" that observes after model
      When the agent runs, and is resumed while it runs once more
      Then the final answer of run 2 is "done"
      And the final answer of run 3 is "Gut"

  @CFG-03 @documented
  Rule: Every model call receives the tools of the agent

    Scenario: Five model calls
      Given a tool "search" that returns "found"
      And a model that calls "search" 4 times before it answers "done"
      When the agent runs
      Then the model is called 5 times
      And the model receives only the tool "search"

    Scenario: The last model call that the iteration limit allows
      Given a tool "search" that returns "found"
      And an iteration limit of 3
      And a model that calls "search" 2 times before it answers "done"
      When the agent runs
      Then the model is called 3 times
      And the model receives only the tool "search"

    Scenario: One model call before an interrupt, and two after the resumption
      Given the tools
        | name | interrupts |
        | t1   | yes        |
        | t2   |            |
      And a model that answers
        | text | calls |
        |      | t1    |
        |      | t2    |
        | done |       |
      When the agent runs and is resumed
      Then the model is called 3 times
      And the model receives the tools "t1", "t2"

    Scenario: A second run, and a retry of its only call
      Given a tool "search" that returns "found"
      And failed model calls are retried at most once
      And a model that answers
        | text | fails with |
        |      | busy       |
        | done |            |
      When the agent runs twice
      Then the model is called 4 times
      And the model receives only the tool "search"

  @CFG-14 @derived
  Rule: An agent without tools works with a model that does not support tools

    Scenario: A model without tool support
      Given a model that does not support tools
      When the agent runs
      Then the final answer is "done"

  @CFG-13 @derived
  Rule: An agent without an instruction adds no system message to the conversation

    Scenario: A description without an instruction
      Given an agent
      And the description "Finds things out."
      When the agent runs
      Then model call 1 receives
        | role | content |
        | user | Hello.  |

    Scenario: A description without an instruction in two concurrent runs
      Given an agent
      And the description "Finds things out."
      And a conversation of agentic messages
        | role      | content |
        | user      | \ü*2001 |
        | assistant | Fertig  |
        | user      | \ü*2001 |
      When the agent runs 2 times concurrently
      Then model call 1 receives
        | role      | content |
        | user      | \ü*2001 |
        | assistant | Fertig  |
        | user      | \ü*2001 |
      And model call 2 receives
        | role      | content |
        | user      | \ü*2001 |
        | assistant | Fertig  |
        | user      | \ü*2001 |

  @CFG-15 @clarified
  Rule: By default, an agent has no retry, no failover, no exit tool and no forwarded events of sub-agents

    Scenario: A model that fails once
      Given a model that answers
        | fails with | text |
        | busy       |      |
        |            | done |
      When the agent runs
      Then the run fails with the error "busy"
      And the model is called once

    Scenario: An agent without settings
      Given an agent
      When the agent runs
      Then the model receives no tools

    Scenario: A sub-agent without settings
      Given a model that answers
        | calls                        | text |
        | helper({"request": "Help."}) |      |
        |                              | done |
      And a sub-agent "helper"
      And a model that answers
        | text   |
        | helped |
      When the agent runs
      Then the events are
        | role      | content |
        | assistant |         |
        | tool      | helped  |
        | assistant | done    |

  @CALLER-02 @clarified
  Rule: Building an agent does not change the lists that the caller passes

    Scenario: An agent and its sub-agent have one list of handlers
      Given the caller passes the same lists of handlers and tools to all agents
      And a sub-agent "helper"
      And a handler "H1" that observes before model
      And a handler "H2" that observes before model
      And an outer agent
      And a handler "H1" that observes before model
      And a handler "H2" that observes before model
      And a model that answers
        | calls                        | text |
        | helper({"request": "Help."}) |      |
        |                              | done |
      When the agent runs
      Then the trace has, in this order
        """
        before model H1
        before model H2
        model
        before model H1
        before model H2
        model helper's
        before model H1
        before model H2
        model
        """

    Scenario: Two sub-agents have one list of tools, and one of them has the exit tool
      Given the caller passes the same lists of handlers and tools to all agents
      And a sub-agent "first"
      And a tool "t1" that returns "one"
      And the exit tool
      And an outer agent
      And a sub-agent "second"
      And a tool "t1" that returns "one"
      And an outer agent
      And a model that answers
        | calls                        | text |
        | second({"request": "Help."}) |      |
        |                              | done |
      When the agent runs
      Then model call 2 receives only the tool "t1"

    Scenario: Two sub-agents have one list of tools, and a legacy middleware of one of them adds a tool
      Given the caller passes the same lists of handlers and tools to all agents
      And a sub-agent "first"
      And a tool "t1" that returns "one"
      And a legacy middleware "L" that adds the tools
        | name |
        | t2   |
      And an outer agent
      And a sub-agent "second"
      And a tool "t1" that returns "one"
      And an outer agent
      And a model that answers
        | calls                        | text |
        | second({"request": "Help."}) |      |
        |                              | done |
      When the agent runs
      Then model call 2 receives only the tool "t1"
