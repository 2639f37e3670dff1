Feature: Return-directly tools that a hook chooses
  A return-directly tool is a tool whose result ends the run. A before-agent hook can add tools to the return-directly
  tools of a run, and remove tools from them.

  @RETDIR-09 @documented
  Rule: A tool that a before-agent hook sets to return directly ends the run

    Scenario: A tool of the agent
      Given a tool "weather" that returns "sunny"
      And a model that answers
        | calls   | text |
        | weather |      |
        |         | done |
      And a handler "chooser" that, before agent, sets the return-directly tools to "weather"
      When the agent runs
      Then the model is called once
      And the final answer is "sunny"

    Scenario: A tool that the hook adds
      Given a tool "weather" that returns "sunny"
      And the additional tools
        | name   | returns  |
        | search | a result |
      And a model that answers
        | calls  | text |
        | search |      |
        |        | done |
      And a handler "chooser" that, before agent, sets the tools of the run to "weather", "search"; sets the return-directly tools to "search"
      When the agent runs
      Then the model is called once
      And the final answer is "a result"

  @RETDIR-10 @documented
  Rule: A tool that a before-agent hook removes from the return-directly tools does not end the run

    Scenario: One of two return-directly tools remains
      Given the tools
        | name    | returns  |
        | weather | sunny    |
        | search  | a result |
      And the tools "weather", "search" return directly
      And a model that answers
        | calls   | text |
        | weather |      |
        | search  |      |
        |         | done |
      And a handler "chooser" that, before agent, sets the return-directly tools to "search"
      When the agent runs
      Then the model is called 2 times
      And the final answer is "a result"

    Scenario: No return-directly tool remains
      Given a tool "weather" that returns "sunny"
      And the tool "weather" returns directly
      And a model that answers
        | calls   | text |
        | weather |      |
        |         | done |
      And a handler "chooser" that, before agent, sets the return-directly tools to nothing
      When the agent runs
      Then the model is called 2 times
      And the final answer is "done"
