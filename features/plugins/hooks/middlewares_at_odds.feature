Feature: Middlewares that cannot be together
  What an agent's middlewares are called, and what they bring along, must be told
  apart by whoever reads a log, by the model and by the run itself. Where this is
  not so the agent is refused, before a run finds out in its own way.

  @PLUGIN-11 @clarified
  Rule: An agent with two middlewares of the same name never calls its model

    Scenario: A middleware in the configuration and one in the workflow
      Given a plugin module "pm" with the providers "p1"
      And a workflow with the nodes
        | key   | provider |
        | agent |          |
        | A     | p1       |
      And the connections agent to A
      And a middleware "A" that looks on before model
      When the agent runs
      Then the agent is refused because its middlewares cannot work
      And "model" never happens

    Scenario: AgentsMD between the two middlewares
      Given the instructions file "/p/a.md" holding "Be brief."
      And a plugin module "pm" with the providers "p1"
      And a workflow with the nodes
        | key   | provider |
        | agent |          |
        | A     | p1       |
      And the connections agent to A
      And AgentsMD with the configured files
      And a middleware "A" that looks on before model
      When the agent runs
      Then the agent is refused, or the run fails before any model call

    Scenario: Two middlewares with different names
      Given a plugin module "pm" with the providers "p1"
      And a workflow with the nodes
        | key   | provider |
        | agent |          |
        | A     | p1       |
      And the connections agent to A
      And a middleware "B" that looks on before model
      When the agent runs
      Then the run succeeds

  @PLUGIN-12 @clarified
  Rule: Building an agent fails if its middlewares provide two tools with the same name

    Scenario: Two middlewares with one tool each
      Given a middleware "A" that looks on before model
      And "A" brings the tools
        | name | known as |
        | t1   | search   |
      And a middleware "B" that looks on before model
      And "B" brings the tools
        | name | known as |
        | t2   | search   |
      When the agent runs
      Then the agent is refused because its middlewares cannot work

    Scenario: One middleware with both tools
      Given a middleware "A" that looks on before model
      And "A" brings the tools
        | name | known as |
        | t1   | search   |
        | t2   | search   |
      When the agent runs
      Then the agent is refused because its middlewares cannot work

  @PLUGIN-13 @clarified
  Rule: Building an agent fails if a middleware declares a reserved state field such as messages or tools

    Scenario Outline: The field <field>
      Given a middleware "A" that looks on before model
      And the state of "A" has the fields
        | field   | type |
        | <field> | list |
      When the agent runs
      Then the agent is refused because its middlewares cannot work
      And "A" is never called before model

      Examples:
        | field    |
        | messages |
        | tools    |
