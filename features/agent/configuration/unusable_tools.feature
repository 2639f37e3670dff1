Feature: Unusable and unknown tools
  A tool must provide its name and at least one way to call it. Tool names must
  be unique within an agent. A model can also call a tool that the agent does
  not have. In each of these cases no tool runs.

  @CFG-07 @clarified
  Rule: A run fails before its first hook if a tool provides no information about itself

    @axis:tool-information
    Scenario: No information about one of two tools
      Given the tools
        | name | nameless |
        | t1   |          |
        | t2   | yes      |
      And a handler "H" that observes
      When the agent runs
      Then the run fails
      And the stream ends with one error
      And "H" is never called before agent
      And the model is called 0 times

    @axis:tool-information
    Scenario: No information about the only tool
      Given the tools
        | name | nameless |
        | t1   | yes      |
      When the agent runs
      Then the run fails
      And the model is called 0 times

    Scenario: Information about each of two tools
      Given the tools
        | name |
        | t1   |
        | t2   |
      And a handler "H" that observes
      When the agent runs
      Then the run succeeds
      And "H" is called once before agent

  @CFG-08 @clarified
  Rule: A tool with none of the four tool interfaces fails the run before the model call, with an error that names the tool

    Scenario: One of two tools cannot be called
      Given the tools
        | name | kind      |
        | t1   | invokable |
        | t2   | none      |
      When the agent runs
      Then the run fails with an error that names "t2"
      And the model is called 0 times

  @CFG-09 @clarified
  Rule: Building an agent fails if two tools have the same name, with an error that contains the name

    @axis:same-name
    Scenario: The first and the last of three tools have the same name
      Given the tools
        | name   | returns    |
        | search | found      |
        | read   | text       |
        | search | also found |
      When the agent runs
      Then building the agent fails with an error that names "search"

    @axis:same-name
    Scenario: A legacy middleware adds a tool with the name of a configured one
      Given a tool "search" that returns "found"
      And a legacy middleware "L" that adds the tools
        | name   |
        | search |
      When the agent runs
      Then building the agent fails with an error that names "search"

    @axis:same-name
    Scenario: A configured tool has the name of the exit tool
      Given the exit tool
      And the tools
        | name | returns |
        | exit | out     |
        | read | text    |
      When the agent runs
      Then building the agent fails with an error that names "exit"

    @axis:same-name
    Scenario: A legacy middleware adds a tool with the name of the exit tool
      Given the exit tool
      And a legacy middleware "L" that adds the tools
        | name |
        | exit |
      When the agent runs
      Then building the agent fails with an error that names "exit"

    @axis:same-name
    Scenario: Two legacy middlewares add tools with the same name
      Given a legacy middleware "L" that adds the tools
        | name   |
        | search |
      And a legacy middleware "M" that adds the tools
        | name   |
        | search |
      When the agent runs
      Then building the agent fails with an error that names "search"

  @TOOLS-04 @clarified
  Rule: A call of an unknown tool fails the run before any tool of the same answer runs, with an error that names the tool

    @axis:unknown-tool
    Scenario Outline: The <which> of two called tools is unknown
      Given a tool "weather" that returns "sunny"
      And a model that answers
        | calls   |
        | <calls> |
      And a handler "watch" that observes around tool
      When the agent runs
      Then the run fails because a tool is unknown
      And the run fails with an error that names "oracle"
      And the tool "weather" never runs
      And "watch" is never called around tool
      And the model is called once

      Examples:
        | which  | calls           |
        | second | weather, oracle |
        | first  | oracle, weather |
