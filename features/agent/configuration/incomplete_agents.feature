Feature: Agents that cannot run
  An agent needs a model, a failover needs both of its callbacks, and tools need a model that supports tools. An agent
  without one of them fails when it is built, or before the first model call of a run.

  @CFG-01 @derived
  Rule: An agent without a model fails when it is built or before the first model call of a run

    Scenario: No model
      Given an agent without a model
      When the agent runs
      Then building the agent fails, or the run fails before any model call

    Scenario: An agent with a model
      Given an agent
      When the agent runs
      Then the model is called once

    Scenario: Two runs of an agent without a model
      Given the conversation
        | role | content |
        | user | Grüße.  |
        | user |         |
      And an agent without a model
      And tool calls run sequentially
      When the agent runs twice
      Then building the agent fails, or the run fails before any model call

  @CFG-05 @derived
  Rule: An agent whose failover has no backup selector fails before its first model call

    Scenario: No backup selector
      Given a failover without a backup selector
      When the agent runs
      Then building the agent fails, or the run fails before any model call

    Scenario: A failover with a backup selector
      Given a failover to the model "backup"
      When the agent runs
      Then the model is called once

    Scenario: Two runs without a backup selector
      Given the conversation
        | role | content |
        | user | Grüße.  |
        | user |         |
      And tool calls run sequentially
      And a failover without a backup selector
      When the agent runs twice
      Then building the agent fails, or the run fails before any model call

  @CFG-06 @derived
  Rule: An agent whose failover has no failover predicate fails before its first model call

    Scenario: No failover predicate
      Given a failover without a failover predicate
      When the agent runs
      Then building the agent fails, or the run fails before any model call

    Scenario: A failover with a failover predicate
      Given a failover to the model "backup"
      When the agent runs
      Then the run succeeds
      And the model is called once

    Scenario: Two runs of an agent without a failover predicate
      Given the conversation
        | role | content |
        | user | Grüße.  |
        | user |         |
      And a failover without a failover predicate
      And tool calls run sequentially
      When the agent runs twice
      Then building the agent fails, or the run fails before any model call

  @CFG-17 @derived
  Rule: An agent with tools fails before its first model call if its model does not support tools

    Scenario: A tool and a model without tool support
      Given a tool "search" that returns "found"
      And a model that does not support tools
      When the agent runs
      Then building the agent fails, or the run fails before any model call

    Scenario: A tool that a before-agent hook adds, and a model without tool support
      Given a model that does not support tools
      And the additional tools
        | name   | returns |
        | search | found   |
      And a handler "H" that, before agent, sets the tools of the run to "search"
      When the agent runs
      Then building the agent fails, or the run fails before any model call

    Scenario: A model with tool support
      Given a tool "search" that returns "found"
      When the agent runs
      Then the model is called once

    Scenario: The tool of a legacy middleware, and a model without tool support
      Given a model that does not support tools
      And a legacy middleware "L" that adds the tools
        | name   | returns |
        | search | found   |
      When the agent runs
      Then building the agent fails, or the run fails before any model call

    Scenario: The exit tool, and a model without tool support
      Given a model that does not support tools
      And the exit tool
      When the agent runs
      Then building the agent fails, or the run fails before any model call

    Scenario: Long and empty agentic messages
      Given a conversation of agentic messages
        | role      | content |
        | user      | \ü*2001 |
        | assistant |         |
        | user      | Grüße.  |
      And a tool "t1" that returns "one"
      And a model that does not support tools
      When the agent runs
      Then building the agent fails, or the run fails before any model call
