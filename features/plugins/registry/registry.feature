Feature: How strategies get into the registry
  A kind of middleware is a strategy: it says about itself what people are to
  see, and it makes the middlewares. It is marked with the name of its provider.
  Plugin modules bring strategies along; a registry finds them by provider.

  @XP-REG-01 @documented
  Rule: Behind a provider there are a strategy's own metadata and its own factory

    Scenario: Two strategies, looked up
      Given a plugin module "plugins" with the strategies
        | provider | label          |
        | audit    | Writes it down |
        | limit    | Slows it down  |
      When the plugin modules are loaded and the providers audit, limit are looked up
      Then looking up "audit" gives the metadata
        """
        {"name": "audit", "label": {"en_US": "Writes it down"}}
        """
      And looking up "limit" gives the metadata
        """
        {"name": "limit", "label": {"en_US": "Slows it down"}}
        """

    Scenario: Two strategies, each with a node
      Given a plugin module "plugins" with the providers audit, limit
      And a workflow with the nodes
        | key   | provider |
        | agent |          |
        | m1    | audit    |
        | m2    | limit    |
      And the connections agent to m1, agent to m2
      When the agent runs
      Then the factories are called for
        | node | provider |
        | m1   | audit    |
        | m2   | limit    |
      And "before model m1" happens once
      And "before model m2" happens once

  @XP-REG-02 @documented
  Rule: A strategy is known by the provider it is marked with

    Scenario: Its metadata has another name
      Given a plugin module "plugins" with the strategies
        | provider | name       | label       |
        | compress | Compressor | Compression |
      When the plugin modules are loaded and the providers compress are looked up
      Then looking up "compress" gives the label "Compression"
      And the registry does not list Compressor

  @XP-REG-03 @documented
  Rule: The registry knows every marked strategy of a module that is loaded

    Scenario Outline: A module with <kinds>
      Given a plugin module "plugins" with the providers <providers>
      When the plugin modules are loaded
      Then among others, the registry lists <providers>

      Examples: one, and more than one
        | kinds            | providers            |
        | one strategy     | audit                |
        | three strategies | limit, audit, notify |

  @XP-REG-13 @documented
  Rule: Every plugin module contributes its strategies

    Scenario: Two modules
      Given a plugin module "first" with the providers audit
      And a plugin module "second" with the providers limit
      When the plugin modules are loaded
      Then among others, the registry lists audit, limit

    Scenario: A node for a strategy of each of two modules
      Given a plugin module "first" with the providers audit
      And a plugin module "second" with the providers limit
      And a workflow with the nodes
        | key   | provider |
        | agent |          |
        | m1    | audit    |
        | m2    | limit    |
      And the connections agent to m1, agent to m2
      When the agent runs
      Then before model, the middlewares are called in the order m1, m2

  @XP-REG-04 @derived
  Rule: A class that is not marked is no strategy

    Scenario: Beside a class that is marked
      Given a plugin module "plugins" with the providers audit, limit
      And its class for "limit" is not decorated
      When the plugin modules are loaded and the providers audit are looked up
      Then looking up "audit" gives the label "audit"
      And the registry does not list limit

  @XP-REG-05 @clarified
  Rule: Looking up a provider that nobody registered is an error that names it

    Scenario: A provider beside those there are
      Given a plugin module "plugins" with the providers audit
      When the plugin modules are loaded and the providers limit, audit are looked up
      Then looking up "limit" fails, and "limit" is named
      And looking up "audit" gives the label "audit"

    Scenario: An empty registry
      When the plugin modules are loaded and the providers limit are looked up
      Then looking up "limit" fails, and "limit" is named

  @XP-REG-06 @clarified
  Rule: Providers are found by their exact name

    Scenario Outline: A name <how>
      Given a plugin module "plugins" with the providers audit
      When the plugin modules are loaded and the providers audit, <name> are looked up
      Then looking up "audit" gives the label "audit"
      And looking up "<name>" fails

      Examples: nearly the same
        | how                         | name   |
        | with another letter size    | Audit  |
        | in capital letters          | AUDIT  |
        | that is the beginning of it | audi   |
        | that begins with it         | audits |

    Scenario: Two providers that differ in the size of a letter
      Given a plugin module "plugins" with the strategies
        | provider | label     |
        | audit    | The small |
        | Audit    | The large |
      When the plugin modules are loaded and the providers audit, Audit are looked up
      Then looking up "audit" gives the label "The small"
      And looking up "Audit" gives the label "The large"

  @XP-REG-07 @clarified
  Rule: A second strategy for a provider takes the place of the first, with a warning

    Scenario: Two modules with one provider
      Given a plugin module "first" with the strategies
        | provider | label   |
        | audit    | The old |
      And a plugin module "second" with the strategies
        | provider | label   |
        | audit    | The new |
      And the log is watched
      When the plugin modules are loaded and the providers audit are looked up
      Then looking up "audit" gives the label "The new"
      And the registry lists audit
      And a warning that names "audit" is logged

    Scenario: A provider for each module
      Given a plugin module "first" with the strategies
        | provider | label   |
        | audit    | The old |
      And a plugin module "second" with the strategies
        | provider | label   |
        | notify   | The new |
      And the log is watched
      When the plugin modules are loaded and the providers audit are looked up
      Then looking up "audit" gives the label "The old"
      And no warning is logged
