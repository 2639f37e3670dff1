Feature: Middlewares that cannot be together
  What an agent's middlewares are called, and what they bring along, must be told
  apart by whoever reads a log, by the model and by the run itself. Where this is
  not so the agent is refused, before a run finds out in its own way.

  @PLUGIN-11 @clarified
  Rule: An agent that has two middlewares of one name calls no model

    Scenario: One is attached by hand, the other by a workflow
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

    Scenario: AgentsMD stands between the two
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

    Scenario: They have different names
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
  Rule: An agent is refused if two of its middlewares bring tools of one name

    Scenario: Both bring a tool that models know as search
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

    Scenario: One middleware brings two tools that models know as search
      Given a middleware "A" that looks on before model
      And "A" brings the tools
        | name | known as |
        | t1   | search   |
        | t2   | search   |
      When the agent runs
      Then the agent is refused because its middlewares cannot work

  @PLUGIN-13 @clarified
  Rule: An agent is refused if a middleware declares a field that every run has, such as the messages or the tools

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
