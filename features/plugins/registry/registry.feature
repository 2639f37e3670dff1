Feature: The registry of strategies
  A strategy is a kind of middleware: metadata for the user and a factory for
  the agent. The provider is the name of the strategy, and a mark on the class
  of the strategy contains this name. The classes of the examples are marked,
  unless a step says otherwise. Plugin modules contain strategies, and the
  registry finds a strategy by its provider.

  @XP-REG-01 @derived
  Rule: The registry finds the metadata and the factory of a middleware strategy by its provider

    Scenario: Two strategies that are looked up
      Given a plugin module "plugins" with the strategies
        | provider | label          |
        | audit    | Writes it down |
        | limit    | Slows it down  |
      When the plugin modules are loaded and the providers "audit", "limit" are looked up
      Then looking up "audit" returns the metadata
        """
        {"name": "audit", "label": {"en_US": "Writes it down"}}
        """
      And looking up "limit" returns the metadata
        """
        {"name": "limit", "label": {"en_US": "Slows it down"}}
        """

    Scenario: Two strategies with one node each
      Given a plugin module "plugins" with the providers "audit", "limit"
      And a workflow with the nodes
        | key   | provider |
        | agent |          |
        | m1    | audit    |
        | m2    | limit    |
      And the connections agent to m1, agent to m2
      When the agent runs
      Then the factories are called with
        | node | provider |
        | m1   | audit    |
        | m2   | limit    |
      And "before model m1" is called once
      And "before model m2" is called once

  @XP-REG-02 @derived
  Rule: The registry finds a middleware strategy under the provider that its mark names, not under its display name

    Scenario: A strategy with a different name in its metadata
      Given a plugin module "plugins" with the strategies
        | provider | name       | label       |
        | compress | Compressor | Compression |
      When the plugin modules are loaded and the providers "compress", "Compressor" are looked up
      Then looking up "compress" returns the label "Compression"
      And looking up "Compressor" fails
      And the registry does not list "Compressor"

  @XP-REG-03 @derived
  Rule: The registry contains every class of a loaded module that is marked as a middleware strategy

    Scenario Outline: A module with <kinds>
      Given a plugin module "plugins" with the providers <providers>
      When the plugin modules are loaded
      Then among others, the registry lists <providers>

      Examples: numbers of strategies
        | kinds            | providers            |
        | one strategy     | audit                |
        | three strategies | limit, audit, notify |

    Scenario: A module with a class that is not marked between two marked ones
      Given a plugin module "plugins" with the providers "audit", "limit", "notify"
      And the class of "limit" is not marked
      When the plugin modules are loaded
      Then among others, the registry lists "audit", "notify"

  @XP-REG-13 @derived
  Rule: Every loaded plugin module adds its middleware strategies to the registry

    Scenario: Two modules
      Given a plugin module "first" with the provider "audit"
      And a plugin module "second" with the provider "limit"
      When the plugin modules are loaded
      Then among others, the registry lists "audit", "limit"

    Scenario: Two nodes, each for a strategy of another module
      Given a plugin module "first" with the provider "audit"
      And a plugin module "second" with the provider "limit"
      And a workflow with the nodes
        | key   | provider |
        | agent |          |
        | m1    | audit    |
        | m2    | limit    |
      And the connections agent to m1, agent to m2
      When the agent runs
      Then before model, the middlewares are called in the order "m1", "m2"

  @XP-REG-04 @derived
  Rule: A class without a provider mark is not a middleware strategy

    Scenario: One marked class and one unmarked class
      Given a plugin module "plugins" with the strategies
        | provider | label          |
        | audit    | Writes it down |
        | limit    | Slows it down  |
      And the class of "limit" is not marked
      When the plugin modules are loaded and the provider "audit" is looked up
      Then looking up "audit" returns the label "Writes it down"
      And the registry does not list "limit"

  @XP-REG-05 @clarified
  Rule: Looking up an unregistered provider is an error that names the provider

    Scenario: A registry with another provider
      Given a plugin module "plugins" with the strategies
        | provider | label          |
        | audit    | Writes it down |
      When the plugin modules are loaded and the providers "limit", "audit" are looked up
      Then looking up "limit" fails with an error that names "limit"
      And looking up "audit" returns the label "Writes it down"

    Scenario: An empty registry
      When the plugin modules are loaded and the provider "limit" is looked up
      Then looking up "limit" fails with an error that names "limit"

  @XP-REG-06 @clarified
  Rule: The registry finds a strategy only under the exact name of its provider

    Scenario Outline: A name <how>
      Given a plugin module "plugins" with the strategies
        | provider | label          |
        | audit    | Writes it down |
      When the plugin modules are loaded and the providers audit, <name> are looked up
      Then looking up "audit" returns the label "Writes it down"
      And looking up "<name>" fails

      Examples: similar names
        | how                              | name   |
        | in another case                  | Audit  |
        | in upper case                    | AUDIT  |
        | that is a prefix of the provider | audi   |
        | that begins with the provider    | audits |

    Scenario: A name with a space after it
      Given a plugin module "plugins" with the strategies
        | provider | label          |
        | audit    | Writes it down |
      When the plugin modules are loaded and the providers "audit", "audit " are looked up
      Then looking up "audit" returns the label "Writes it down"
      And looking up "audit " fails

    Scenario: Two providers whose names differ only in case
      Given a plugin module "plugins" with the strategies
        | provider | label     |
        | audit    | The small |
        | Audit    | The large |
      When the plugin modules are loaded and the providers "audit", "Audit" are looked up
      Then looking up "audit" returns the label "The small"
      And looking up "Audit" returns the label "The large"

  @XP-REG-07 @clarified
  Rule: A second middleware strategy for a provider replaces the first one with a warning

    Scenario: Two modules with the same provider
      Given a plugin module "first" with the strategies
        | provider | label   |
        | audit    | The old |
      And a plugin module "second" with the strategies
        | provider | label   |
        | audit    | The new |
      And the log is captured
      When the plugin modules are loaded and the provider "audit" is looked up
      Then looking up "audit" returns the label "The new"
      And the registry lists "audit"
      And a warning that names "audit" is logged

    Scenario: Two modules with different providers
      Given a plugin module "first" with the strategies
        | provider | label   |
        | audit    | The old |
      And a plugin module "second" with the strategies
        | provider | label   |
        | notify   | The new |
      And the log is captured
      When the plugin modules are loaded and the provider "audit" is looked up
      Then looking up "audit" returns the label "The old"
      And no warning is logged
