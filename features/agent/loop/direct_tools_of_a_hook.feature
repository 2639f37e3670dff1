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

    Scenario: A tool of a sub-agent, after an interrupt, next to another run
      Given a sub-agent "helper"
      And a tool "weather" that returns "sunny"
      And a handler "chooser" that, before agent, sets the return-directly tools to "weather"
      And a model that answers
        | calls        |
        | weather as p |
        | weather as q |
        | weather as r |
      And an outer agent
      And a conversation of agentic messages
        | role | content |
        | user | Grüße.  |
      And a session in which "mood" is ""
      And tool calls run sequentially
      And failed model calls are retried at most once
      And the tools
        | name | returns | kind       | interrupts |
        | t0   |         | streamable | yes        |
      And a model that answers
        | calls                                                                | fails with | text    |
        | t0 as b                                                              |            |         |
        | helper({"request": "Bonn?"}) as a                                    |            | \ü*2001 |
        |                                                                      | busy       |         |
        | helper({"request": "Bonn?"}) as c, helper({"request": "Kiel?"}) as d |            | \ü*2001 |
        |                                                                      |            | done    |
      And a handler "H0" that, before model, reads the session value "mood"
      When the agent runs, and is resumed while it runs once more
      Then the final answer of run 2 is "done"
      And "model helper's" is called 3 times
      And run 3 is interrupted by "t0"

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

    Scenario: The only tool of a sub-agent, after an interrupt, next to another run
      Given a sub-agent "helper"
      And a tool "weather" that returns "sunny"
      And the tool "weather" returns directly
      And a handler "chooser" that, before agent, sets the return-directly tools to nothing
      And a model that answers
        | calls        | text   |
        | weather as p |        |
        |              | helped |
        | weather as q |        |
        |              | helped |
        | weather as r |        |
        |              | helped |
      And an outer agent
      And a conversation of agentic messages
        | role | content |
        | user | Grüße.  |
      And a session in which "mood" is ""
      And tool calls run sequentially
      And failed model calls are retried at most once
      And the tools
        | name | returns | kind       | interrupts |
        | t0   |         | streamable | yes        |
      And a model that answers
        | calls                                                                | fails with | text    |
        | t0 as b                                                              |            |         |
        | helper({"request": "Bonn?"}) as a                                    |            | \ü*2001 |
        |                                                                      | busy       |         |
        | helper({"request": "Bonn?"}) as c, helper({"request": "Kiel?"}) as d |            | \ü*2001 |
        |                                                                      |            | done    |
      And a handler "H0" that, before model, reads the session value "mood"
      When the agent runs, and is resumed while it runs once more
      Then the final answer of run 2 is "done"
      And "model helper's" is called 6 times
      And run 3 is interrupted by "t0"
