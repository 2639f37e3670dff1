Feature: Middleware factories
  A strategy has a factory. Building an agent calls the factory once for each
  connected node, with the options of the node. The factory returns a
  middleware: a state schema, a context schema, tools and hooks, each of them
  optional.

  @XP-REG-11 @derived
  Rule: Each connection of an agent to a node creates its own middleware instance

    Scenario: Two nodes with the same provider and the same options
      Given a plugin module "plugins" with the provider "audit"
      And a workflow with the nodes
        | key   | provider | options     |
        | agent |          |             |
        | m1    | audit    | {"size": 3} |
        | m2    | audit    | {"size": 3} |
      And the connections agent to m1, agent to m2
      When the agent runs
      Then "create m1" is called once
      And "create m2" is called once
      And "before model m1" is called once
      And "before model m2" is called once

    Scenario: Two agents with one node each
      Given a plugin module "plugins" with the provider "audit"
      And a sub-agent "helper"
      And an input schema without properties
      And an outer agent
      And a workflow with the nodes
        | key    | provider |
        | agent  |          |
        | helper |          |
        | m1     | audit    |
        | m2     | audit    |
      And the connections agent to m1, helper to m2
      And a model that answers
        | calls  | text |
        | helper |      |
        |        | done |
      When the agent runs
      Then "create m1" is called once
      And "create m2" is called once
      And "before model m1" is called 2 times
      And "before model helper's m2" is called once

  @XP-REG-12 @derived
  Rule: A middleware can have any subset of state, context, tools and hooks

    Background:
      Given a plugin module "plugins" with the provider "p1"
      And a workflow with the nodes
        | key   | provider |
        | agent |          |
        | m1    | p1       |
      And the connections agent to m1

    Scenario: All parts
      Given a middleware "A" that observes
      And the state of "A" has the fields
        | field | type   | default |
        | seen  | number | 0       |
      And the context of "A" has the fields
        | field | type | required |
        | user  | text | yes      |
      And the runtime context {"user": "ann"}
      And "A" provides the tools
        | name | returns |
        | t1   | one     |
      And a tool "t2" that returns "two"
      And the strategy "p1" creates the middleware "A"
      And a model that answers
        | calls | text |
        | t1    |      |
        |       | done |
      When the agent runs
      Then "tool t1" is called once
      And "m1" is called 2 times before model
      And the final answer is "done"

    Scenario: All parts except tools
      Given a middleware "A" that observes
      And the state of "A" has the fields
        | field | type   | default |
        | seen  | number | 0       |
      And the context of "A" has the fields
        | field | type | required |
        | user  | text | yes      |
      And the runtime context {"user": "ann"}
      And the strategy "p1" creates the middleware "A"
      When the agent runs
      Then "m1" is called once before model
      And the final answer is "done"

    Scenario: Tools only
      Given a middleware "A" without hooks
      And "A" provides the tools
        | name | returns |
        | t1   | one     |
      And a tool "t2" that returns "two"
      And the strategy "p1" creates the middleware "A"
      And a model that answers
        | calls | text |
        | t1    |      |
        |       | done |
      When the agent runs
      Then "tool t1" is called once
      And the final answer is "done"

    Scenario: A state only
      Given a middleware "A" without hooks
      And the state of "A" has the fields
        | field | type   | default |
        | seen  | number | 0       |
      And the strategy "p1" creates the middleware "A"
      When the agent runs
      Then the factories are called with
        | node |
        | m1   |
      And before model, no middleware is called
      And the final answer is "done"

    Scenario: A context only
      Given a middleware "A" without hooks
      And the context of "A" has the fields
        | field | type | required |
        | user  | text | yes      |
      And the runtime context {"user": "ann"}
      And the strategy "p1" creates the middleware "A"
      When the agent runs
      Then the factories are called with
        | node |
        | m1   |
      And the final answer is "done"

    Scenario Outline: One hook only: <hook>
      Given a middleware "A" that observes <hook>
      And the strategy "p1" creates the middleware "A"
      And a tool "t1" that returns "one"
      And a model that answers
        | calls | text |
        | t1    |      |
        |       | done |
      When the agent runs
      Then "m1" is called <times> <hook>
      And the final answer is "done"

      Examples: each hook
        | hook         | times   |
        | before agent | once    |
        | before model | 2 times |
        | around model | 2 times |
        | after model  | 2 times |
        | around tool  | once    |
        | after agent  | once    |

  @XP-META-05 @clarified
  Rule: An agent fails before any middleware hook is called if a middleware factory rejects the options of its node

    Background:
      Given a plugin module "plugins" with the providers "p1", "p2"
      And the strategy "p2" requires the option "size"

    Scenario: A required option is missing
      Given a workflow with the nodes
        | key   | provider | options |
        | agent |          |         |
        | m1    | p1       |         |
        | m2    | p2       | {}      |
      And the connections agent to m1, agent to m2
      When the agent runs
      Then building the agent fails, or the run fails before any model call
      And "before agent m1" is never called

    Scenario: The required option is present
      Given a workflow with the nodes
        | key   | provider | options     |
        | agent |          |             |
        | m1    | p1       |             |
        | m2    | p2       | {"size": 3} |
      And the connections agent to m1, agent to m2
      When the agent runs
      Then "before agent m1" is called once
      And "before agent m2" is called once
      And the final answer is "done"

  @XP-META-09 @derived
  Rule: A middleware factory receives the options that are configured on its node

    Scenario: Two nodes with the same provider and different options
      Given a plugin module "plugins" with the provider "p1"
      And a workflow with the nodes
        | key   | provider | options                                                  |
        | agent |          |                                                          |
        | m1    | p1       | {"size": 3, "by": ["words", null], "deep": {"on": true}} |
        | m2    | p1       | {"size": 0.5, "name": ""}                                |
      And the connections agent to m1, agent to m2
      When the agent runs
      Then the factories are called with
        | node | options                                                  |
        | m1   | {"size": 3, "by": ["words", null], "deep": {"on": true}} |
        | m2   | {"size": 0.5, "name": ""}                                |

    Scenario: One node for two agents, and the factory removes its options
      Given a plugin module "plugins" with the provider "p1"
      And the factory of "p1" removes its options
      And a sub-agent "helper"
      And an input schema without properties
      And an outer agent
      And a workflow with the nodes
        | key    | provider | options                        |
        | agent  |          |                                |
        | helper |          |                                |
        | m1     | p1       | {"size": 3, "deep": {"on": 1}} |
      And the connections agent to m1, helper to m1
      When the agent runs
      Then the factories are called with
        | node | options                        |
        | m1   | {"size": 3, "deep": {"on": 1}} |
        | m1   | {"size": 3, "deep": {"on": 1}} |

    Scenario: Two nodes with equal options, and the factory removes its options
      Given a plugin module "plugins" with the provider "p1"
      And the factory of "p1" removes its options
      And a workflow with the nodes
        | key   | provider | options     |
        | agent |          |             |
        | m1    | p1       | {"size": 3} |
        | m2    | p1       | {"size": 3} |
      And the connections agent to m1, agent to m2
      When the agent runs
      Then the factories are called with
        | node | options     |
        | m1   | {"size": 3} |
        | m2   | {"size": 3} |

  @XP-NODE-12 @clarified
  Rule: A middleware factory receives no option that is not configured on its node

    Scenario: A node without options, with a schema without defaults
      Given a plugin module "plugins" with the provider "p1"
      And a workflow with the nodes
        | key   | provider |
        | agent |          |
        | m1    | p1       |
      And the connections agent to m1
      When the agent runs
      Then the factories are called with
        | node | options |
        | m1   | {}      |

    Scenario Outline: A schema with a default, for a node with <what>
      Given a plugin module "plugins" with the strategies
        | provider | schema                                                                                                 |
        | p1       | {"type": "object", "properties": {"size": {"type": "number", "default": 7}, "by": {"type": "string"}}} |
      And a workflow with the nodes
        | key   | provider | options   |
        | agent |          |           |
        | m1    | p1       | <options> |
      And the connections agent to m1
      When the agent runs
      Then the factories are called with
        | node | options   |
        | m1   | <options> |

      Examples: configured options
        | what                        | options         |
        | no options                  | {}              |
        | another option              | {"by": "words"} |
        | the option with the default | {"size": 3}     |

  @XP-NODE-13 @clarified
  Rule: The middleware factories of an agent are called one after another

    Scenario Outline: Three nodes, with a slow factory for the <which> node
      Given a plugin module "plugins" with the providers "p1", "p2", "p3"
      And the factory of "<provider>" takes time
      And a workflow with the nodes
        | key   | provider |
        | agent |          |
        | m1    | p1       |
        | m2    | p2       |
        | m3    | p3       |
      And the connections agent to m1, agent to m2, agent to m3
      When the agent runs
      Then each factory has returned before the next one is called
      And before model, the middlewares are called in the order "m1", "m2", "m3"

      Examples: factories that another factory follows
        | which  | provider |
        | first  | p1       |
        | second | p2       |
