Feature: The middlewares of an agent in a workflow
  A workflow is a graph of nodes. Agents and middlewares are nodes, and a
  connection from an agent to a middleware attaches the middleware. A
  middleware node names the provider of its strategy. The order of the
  connections is the order in which the middlewares of an agent run.

  @XP-NODE-01 @derived
  Rule: An agent has exactly the middlewares whose nodes it is connected to

    Scenario: One of two nodes is connected
      Given a plugin module "plugins" with the providers "p1", "p2"
      And a workflow with the nodes
        | key   | provider |
        | agent |          |
        | m1    | p1       |
        | m2    | p2       |
      And the connections agent to m2
      When the agent runs
      Then before model, only the middleware "m2" is called

    Scenario: Both nodes are connected
      Given a plugin module "plugins" with the providers "p1", "p2"
      And a workflow with the nodes
        | key   | provider |
        | agent |          |
        | m1    | p1       |
        | m2    | p2       |
      And the connections agent to m1, agent to m2
      When the agent runs
      Then before model, the middlewares are called in the order "m1", "m2"

    Scenario: A node of another kind is connected as well
      Given a plugin module "plugins" with the providers "p1", "p2"
      And a workflow with the nodes
        | key   | provider | kind       |
        | agent |          | agent      |
        | note  | p1       | other      |
        | m1    | p2       | middleware |
      And the connections agent to note, agent to m1
      When the agent runs
      Then before model, only the middleware "m1" is called

  @XP-NODE-02 @documented
  Rule: The middlewares of a workflow are loaded and executed in the order of the connections

    Background:
      Given a plugin module "plugins" with the providers "p1", "p2", "p3"
      And a workflow with the nodes
        | key   | provider |
        | agent |          |
        | m1    | p1       |
        | m2    | p2       |
        | m3    | p3       |
      And the connections agent to m3, agent to m1, agent to m2

    Scenario: The factories
      When the agent runs
      Then the factories are called with
        | node |
        | m3   |
        | m1   |
        | m2   |

    Scenario Outline: The hooks called <hook>
      When the agent runs
      Then <hook>, the middlewares are called in the order m3, m1, m2

      Examples: hooks in the order of the connections
        | hook         |
        | before agent |
        | before model |

    Scenario: The before-model hooks of two model calls
      Given a tool "t1" that returns "one"
      And a model that calls "t1" once before it answers "done"
      When the agent runs
      Then before model, the middlewares are called in the order "m3", "m1", "m2", "m3", "m1", "m2"

    Scenario: The hooks and the factories of a streaming agent with a handler, which is interrupted and resumed
      Given a streaming run
      And a conversation of agentic messages
        | role | content |
        | user | \ü*2001 |
        | user |         |
      And tool calls run sequentially
      And the tools
        | name | interrupts |
        | t1   | yes        |
      And a model that calls "t1" once before it answers "done"
      And a handler "H0" that observes before model
      When the agent runs and is resumed
      Then the factories are called with
        | node |
        | m3   |
        | m1   |
        | m2   |
        | m3   |
        | m1   |
        | m2   |
      And before agent, the middlewares are called in the order m3, m1, m2
      And the final answer of run 2 is "done"

  @XP-NODE-03 @documented
  Rule: Rearranging the connections of an agent changes the order of its middlewares

    Scenario Outline: Three nodes, connected <which>
      Given a plugin module "plugins" with the providers "p1", "p2", "p3"
      And a workflow with the nodes
        | key   | provider |
        | agent |          |
        | m1    | p1       |
        | m2    | p2       |
        | m3    | p3       |
      And the connections <connections>
      When the agent runs
      Then before model, the middlewares are called in the order <order>

      Examples: arrangements
        | which            | connections                           | order      |
        | in node order    | agent to m1, agent to m2, agent to m3 | m1, m2, m3 |
        | in reverse       | agent to m3, agent to m2, agent to m1 | m3, m2, m1 |
        | in a third order | agent to m2, agent to m3, agent to m1 | m2, m3, m1 |

  @XP-NODE-18 @derived
  Rule: The order of the middlewares of an agent does not depend on the providers of their nodes

    Scenario: Nodes whose providers are in another order than the connections
      Given a plugin module "plugins" with the providers "p1", "p2", "p3"
      And a workflow with the nodes
        | key   | provider |
        | agent |          |
        | m1    | p3       |
        | m2    | p1       |
        | m3    | p2       |
      And the connections agent to m1, agent to m2, agent to m3
      When the agent runs
      Then before model, the middlewares are called in the order "m1", "m2", "m3"

  @XP-NODE-05 @clarified
  Rule: A middleware node with an unregistered provider is skipped with a warning

    Scenario: Between two registered providers
      Given a plugin module "plugins" with the providers "p1", "p2"
      And a workflow with the nodes
        | key   | provider |
        | agent |          |
        | m1    | p1       |
        | m2    | unheard  |
        | m3    | p2       |
      And the connections agent to m1, agent to m2, agent to m3
      And the log is captured
      When the agent runs
      Then before model, the middlewares are called in the order "m1", "m3"
      And the final answer is "done"
      And a warning that names "unheard" is logged

    Scenario: All providers are registered
      Given a plugin module "plugins" with the providers "p1", "p2"
      And a workflow with the nodes
        | key   | provider |
        | agent |          |
        | m1    | p1       |
        | m2    | p2       |
      And the connections agent to m1, agent to m2
      And the log is captured
      When the agent runs
      Then before model, the middlewares are called in the order "m1", "m2"
      And no warning is logged

  @XP-NODE-07 @clarified
  Rule: A connection from a middleware to an agent does not attach the middleware

    Scenario: One connection in each direction
      Given a plugin module "plugins" with the providers "p1", "p2"
      And a workflow with the nodes
        | key   | provider |
        | agent |          |
        | m1    | p1       |
        | m2    | p2       |
      And the connections m1 to agent, agent to m2
      When the agent runs
      Then before model, only the middleware "m2" is called
      And the final answer is "done"

  @XP-NODE-08 @derived
  Rule: The middlewares of an agent do not depend on the connections of other agents

    Background:
      Given a sub-agent "helper"
      And an input schema without properties
      And an outer agent

    Scenario: One node for each agent
      Given a plugin module "plugins" with the providers "p1", "p2"
      And a workflow with the nodes
        | key    | provider |
        | agent  |          |
        | helper |          |
        | agents |          |
        | m1     | p1       |
        | m2     | p2       |
      And the connections agent to helper, agent to m1, helper to m2, agents to m2
      And a model that answers
        | calls  | text |
        | helper |      |
        |        | done |
      When the agent runs
      Then "before model m1" is called 2 times
      And "before model helper's m2" is called once
      And "before model m2" is never called
      And "before model helper's m1" is never called

    Scenario: One node for both agents
      Given a plugin module "plugins" with the providers "p1", "p2"
      And a workflow with the nodes
        | key    | provider |
        | agent  |          |
        | helper |          |
        | m1     | p1       |
        | m2     | p2       |
      And the connections helper to m2, agent to m1, helper to m1
      And a model that answers
        | calls  | text |
        | helper |      |
        |        | done |
      When the agent runs
      Then "before model m1" is called 2 times
      And "before model helper's m1" is called once
      And "before model helper's m2" is called once
      And "before model m2" is never called

  @XP-NODE-17 @derived
  Rule: A workflow agent without middlewares makes the same calls and gives the same answer as an agent outside a workflow

    Scenario Outline: A workflow with <what>
      Given a plugin module "plugins" with the provider "p1"
      And a workflow with the nodes
        | key   | provider   | kind   |
        | agent |            | agent  |
        | m1    | <provider> | <kind> |
      And the connections <connections>
      And a tool "t1" that returns "one"
      And a model that answers
        | calls | text |
        | t1    |      |
        |       | done |
      When the agent runs
      Then the trace is
        """
        model
        tool t1
        model
        """
      And model call 1 receives
        | role | content |
        | user | Hello.  |
      And model call 1 receives only the tool "t1"
      And the final answer is "done"

      Examples: workflows without an attached middleware
        | what                      | provider | kind       | connections |
        | an unconnected middleware | p1       | middleware | none        |
        | a node of another kind    |          | other      | agent to m1 |
