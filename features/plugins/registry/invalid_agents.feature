Feature: Invalid agents and strategies
  A workflow is a graph of nodes, which have keys. A strategy has a factory, which
  creates its middleware. A workflow or a strategy can contain mistakes, and two middlewares
  of an agent can be in conflict with each other. These mistakes are reported before
  the first model call: an agent that silently lacks a middleware is worse
  than an error.

  @PLUGIN-05 @clarified
  Rule: Building an agent fails if a connection of its workflow has a missing node

    Scenario Outline: An agent, a middleware and the connection <connection>
      Given a plugin module "plugins" with the provider "p1"
      And a workflow with the nodes
        | key   | provider |
        | agent |          |
        | m1    | p1       |
      And the connections agent to m1, <connection>
      When the agent runs
      Then building the agent fails because the workflow is invalid
      And no factory is called

      Examples: missing nodes
        | connection  |
        | agent to m2 |
        | m2 to m1    |
        | m2 to m3    |

    Scenario: An agent, a middleware and their connection
      Given a plugin module "plugins" with the provider "p1"
      And a workflow with the nodes
        | key   | provider |
        | agent |          |
        | m1    | p1       |
      And the connections agent to m1
      When the agent runs
      Then the run succeeds
      And the model is called once

  @PLUGIN-06 @clarified
  Rule: Building an agent fails if the connections of its workflow form a cycle

    Scenario Outline: The connections agent to m1, <connections>
      Given a plugin module "plugins" with the provider "p1"
      And a workflow with the nodes
        | key   | provider |
        | agent |          |
        | m1    | p1       |
        | m2    | p1       |
        | m3    | p1       |
      And the connections agent to m1, <connections>
      When the agent runs
      Then building the agent fails because the workflow is invalid
      And no factory is called

      Examples: cycles of one, two and three nodes
        | connections                  |
        | m1 to m1                     |
        | m1 to agent                  |
        | m1 to m2, m2 to m1           |
        | m2 to m3, m3 to m2           |
        | m1 to m2, m2 to m3, m3 to m1 |

    Scenario: Two paths to one node
      Given a plugin module "plugins" with the provider "p1"
      And a workflow with the nodes
        | key   | provider |
        | agent |          |
        | m1    | p1       |
        | m2    | p1       |
      And the connections agent to m1, agent to m2, m1 to m2
      When the agent runs
      Then the run succeeds
      And the model is called once

  @PLUGIN-07 @clarified
  Rule: Building an agent fails if two nodes of its workflow have the same key

    Scenario Outline: One key for <what>
      Given a plugin module "plugins" with the providers "p1", "p2"
      And a workflow with the nodes
        | key   | provider   |
        | agent |            |
        | m1    | p1         |
        | <key> | <provider> |
      And the connections agent to m1
      When the agent runs
      Then building the agent fails because the workflow is invalid
      And no factory is called

      Examples: nodes of every kind
        | what                      | key   | provider |
        | two middlewares           | m1    | p2       |
        | two agents                | agent |          |
        | an agent and a middleware | agent | p2       |
        | a middleware and an agent | m1    |          |

    Scenario: Two middlewares with a key each
      Given a plugin module "plugins" with the providers "p1", "p2"
      And a workflow with the nodes
        | key   | provider |
        | agent |          |
        | m1    | p1       |
        | m2    | p2       |
      And the connections agent to m1
      When the agent runs
      Then the run succeeds
      And the model is called once

  @PLUGIN-08 @clarified
  Rule: Building an agent fails if its workflow has no agent node with the key of the agent

    Scenario Outline: A workflow with <node> instead
      Given a plugin module "plugins" with the provider "p1"
      And a workflow with the nodes
        | key   | provider | kind   |
        | <key> |          | <kind> |
        | m1    | p1       |        |
      And the connections <key> to m1
      When the agent runs
      Then building the agent fails because the workflow is invalid
      And no factory is called

      Examples: other nodes
        | node                      | key   | kind  |
        | an agent with another key | other | agent |
        | a trigger with that key   | agent | other |

    Scenario: A workflow with the agent and another agent
      Given a plugin module "plugins" with the provider "p1"
      And a workflow with the nodes
        | key   | provider | kind  |
        | agent |          | agent |
        | other |          | agent |
        | m1    | p1       |       |
      And the connections agent to m1
      When the agent runs
      Then the run succeeds
      And the model is called once

  @PLUGIN-09 @clarified
  Rule: Building an agent fails at the first factory that returns no middleware

    Scenario: The first of two factories
      Given a plugin module "plugins" with the providers "p1", "p2"
      And the factory of "p1" returns an invalid value
      And a workflow with the nodes
        | key   | provider |
        | agent |          |
        | m1    | p1       |
        | m2    | p2       |
      And the connections agent to m1, agent to m2
      When the agent runs
      Then building the agent fails
      And the factories are called with
        | node |
        | m1   |

    Scenario: The second of two factories
      Given a plugin module "plugins" with the providers "p1", "p2"
      And the factory of "p2" returns an invalid value
      And a workflow with the nodes
        | key   | provider |
        | agent |          |
        | m1    | p1       |
        | m2    | p2       |
      And the connections agent to m1, agent to m2
      When the agent runs
      Then building the agent fails

  @PLUGIN-10 @clarified
  Rule: Loading a plugin module fails if one of its middleware strategies is incomplete

    Scenario Outline: A strategy class that has no <part>
      Given a plugin module "plugins" with the strategies
        | provider | label |
        | p1       | One   |
      And the class of "p1" has no <part>
      When the plugin modules are loaded
      Then loading the modules fails, and no strategy is listed

      Examples: required parts
        | part                           |
        | metadata                       |
        | factory                        |
        | constructor without parameters |

    Scenario: A strategy without a provider
      Given a plugin module "plugins" with the strategies
        | provider | name | label |
        |          | one  | One   |
      When the plugin modules are loaded
      Then loading the modules fails, and no strategy is listed

    Scenario: A complete strategy class
      Given a plugin module "plugins" with the strategies
        | provider | label |
        | p1       | One   |
      When the plugin modules are loaded and the provider "p1" is looked up
      Then looking up "p1" returns the label "One"

  @PLUGIN-11 @clarified
  Rule: An agent with two middlewares of the same name fails before its first model call

    Scenario: A middleware in the configuration and one in the workflow
      Given a plugin module "plugins" with the provider "p1"
      And a workflow with the nodes
        | key   | provider |
        | agent |          |
        | A     | p1       |
      And the connections agent to A
      And a middleware "A" that observes before model
      When the agent runs
      Then building the agent fails because the middlewares are in conflict
      And the model is called 0 times

    Scenario: AgentsMD between the two middlewares
      Given the instruction file "/p/a.md" containing "Be brief."
      And a plugin module "plugins" with the provider "p1"
      And a workflow with the nodes
        | key   | provider |
        | agent |          |
        | A     | p1       |
      And the connections agent to A
      And AgentsMD with the configured files
      And a middleware "A" that observes before model
      When the agent runs
      Then building the agent fails, or the run fails before any model call

    Scenario: Two middlewares with different names
      Given a plugin module "plugins" with the provider "p1"
      And a workflow with the nodes
        | key   | provider |
        | agent |          |
        | A     | p1       |
      And the connections agent to A
      And a middleware "B" that observes before model
      When the agent runs
      Then the run succeeds
      And "B" is called once before model

  @PLUGIN-12 @clarified
  Rule: Building an agent fails if its middlewares provide two tools with the same name

    Scenario: Two middlewares with one tool each
      Given a middleware "A" that observes before model
      And "A" provides the tools
        | name       | known as |
        | A's search | search   |
      And a middleware "B" that observes before model
      And "B" provides the tools
        | name       | known as |
        | B's search | search   |
      When the agent runs
      Then building the agent fails because the middlewares are in conflict

    Scenario: The first and the last of three middlewares with a tool
      Given a middleware "A" that observes before model
      And "A" provides the tools
        | name       | known as |
        | A's search | search   |
      And a middleware "B" that observes before model
      And "B" provides the tools
        | name   |
        | lookup |
      And a middleware "C" that observes before model
      And "C" provides the tools
        | name       | known as |
        | C's search | search   |
      When the agent runs
      Then building the agent fails because the middlewares are in conflict

    Scenario: One middleware with both tools
      Given a middleware "A" that observes before model
      And "A" provides the tools
        | name          | known as |
        | first search  | search   |
        | second search | search   |
      When the agent runs
      Then building the agent fails because the middlewares are in conflict

    Scenario: Two middlewares with a differently named tool each
      Given a middleware "A" that observes before model
      And "A" provides the tools
        | name   |
        | search |
      And a middleware "B" that observes before model
      And "B" provides the tools
        | name   |
        | lookup |
      When the agent runs
      Then the run succeeds
      And "B" is called once before model

  @PLUGIN-13 @clarified
  Rule: Building an agent fails if a middleware declares a reserved state field such as messages or tools

    Scenario Outline: The field <field>
      Given a middleware "A" that observes before model
      And the state of "A" has the fields
        | field   | type |
        | <field> | list |
        | notes   | list |
      When the agent runs
      Then building the agent fails because the middlewares are in conflict
      And "A" is never called before model

      Examples:
        | field    |
        | messages |
        | tools    |

    Scenario: A field that is not reserved
      Given a middleware "A" that observes before model
      And the state of "A" has the fields
        | field | type |
        | notes | list |
      When the agent runs
      Then the run succeeds
      And "A" is called once before model
