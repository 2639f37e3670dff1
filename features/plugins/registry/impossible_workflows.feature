Feature: Workflows and strategies that cannot be
  A workflow is drawn by people, and strategies are written by people. What they
  get wrong is said before anything is made of it: an agent that lacks one of its
  middlewares, unknown to everybody, would be worse than no agent.

  @PLUGIN-05 @clarified
  Rule: No agent is made from a workflow in which a connection has no node at one of its ends

    Scenario Outline: The connection <connection>, between an agent, a middleware and nothing else
      Given a plugin module "pm" with the providers "p1"
      And a workflow with the nodes
        | key   | provider |
        | agent |          |
        | m1    | p1       |
      And the connections agent to m1, <connection>
      When the agent runs
      Then the agent is refused because its workflow is impossible
      And no factory is called

      Examples: the node that is missing
        | connection  |
        | agent to m2 |
        | m2 to m1    |
        | m2 to m3    |

  @PLUGIN-06 @clarified
  Rule: No agent is made from a workflow whose connections go round in a circle

    Scenario Outline: The connections agent to m1, <connections>
      Given a plugin module "pm" with the providers "p1"
      And a workflow with the nodes
        | key   | provider |
        | agent |          |
        | m1    | p1       |
        | m2    | p1       |
        | m3    | p1       |
      And the connections agent to m1, <connections>
      When the agent runs
      Then the agent is refused because its workflow is impossible
      And no factory is called

      Examples: circles of one node to three
        | connections                  |
        | m1 to m1                     |
        | m1 to agent                  |
        | m1 to m2, m2 to m1           |
        | m2 to m3, m3 to m2           |
        | m1 to m2, m2 to m3, m3 to m1 |

    Scenario: Two ways lead to one node
      Given a plugin module "pm" with the providers "p1"
      And a workflow with the nodes
        | key   | provider |
        | agent |          |
        | m1    | p1       |
        | m2    | p1       |
      And the connections agent to m1, agent to m2, m1 to m2
      When the agent runs
      Then the run succeeds

  @PLUGIN-07 @clarified
  Rule: No agent is made from a workflow in which two nodes have one key

    Scenario Outline: <what>
      Given a plugin module "pm" with the providers "p1, p2"
      And a workflow with the nodes
        | key   | provider   |
        | agent |            |
        | m1    | p1         |
        | <key> | <provider> |
      And the connections agent to m1
      When the agent runs
      Then the agent is refused because its workflow is impossible
      And no factory is called

      Examples: of whichever kind they are
        | what                      | key   | provider |
        | Two middlewares           | m1    | p2       |
        | Two agents                | agent |          |
        | An agent and a middleware | agent | p2       |

  @PLUGIN-08 @clarified
  Rule: No agent is made that its workflow does not have as an agent

    Scenario Outline: A workflow with <node> instead
      Given a plugin module "pm" with the providers "p1"
      And a workflow with the nodes
        | key   | provider | kind   |
        | <key> |          | <kind> |
        | m1    | p1       |        |
      And the connections <key> to m1
      When the agent runs
      Then the agent is refused because its workflow is impossible
      And no factory is called

      Examples: what stands in its place
        | node                     | key   | kind  |
        | an agent of another name | other | agent |
        | a trigger of its name    | agent | other |

  @PLUGIN-09 @clarified
  Rule: A factory that returns no middleware ends the making of the agent

    Scenario: The first of two factories
      Given a plugin module "pm" with the providers "p1, p2"
      And the factory of "p1" returns junk
      And a workflow with the nodes
        | key   | provider |
        | agent |          |
        | m1    | p1       |
        | m2    | p2       |
      And the connections agent to m1, agent to m2
      When the agent runs
      Then the agent is refused because its middlewares cannot work
      And the factories are called for
        | node |
        | m1   |
      And "model" never happens

    Scenario: The second of two factories
      Given a plugin module "pm" with the providers "p1, p2"
      And the factory of "p2" returns junk
      And a workflow with the nodes
        | key   | provider |
        | agent |          |
        | m1    | p1       |
        | m2    | p2       |
      And the connections agent to m1, agent to m2
      When the agent runs
      Then the agent is refused because its middlewares cannot work
      And "model" never happens

  @PLUGIN-10 @clarified
  Rule: A strategy that nothing can be made with is refused when its module is loaded

    Scenario Outline: Its class has no <part>
      Given a plugin module "pm" with the strategies
        | provider | label |
        | p1       | One   |
      And its class for "p1" has no <part>
      When the plugin modules are loaded
      Then the modules are refused, and no strategy is listed

      Examples: what nobody could work with
        | part                        |
        | metadata                    |
        | factory                     |
        | way to be made without more |

    Scenario: It is marked as the strategy of nothing
      Given a plugin module "pm" with the strategies
        | provider | name | label |
        |          | one  | One   |
      When the plugin modules are loaded
      Then the modules are refused, and no strategy is listed
