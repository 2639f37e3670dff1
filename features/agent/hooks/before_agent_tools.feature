Feature: Tools changed by a before-agent hook
  A before-agent hook can add tools to a run and remove tools from it. The
  tools that the last handler returns are the tools of the run: the model
  receives these tools and can call them. The hook can also set the tool
  search: the description of a tool with which a model searches for further
  tools itself.

  @HOOK-BA-06 @documented
  Rule: A tool that a before-agent hook adds is available to the model like a configured tool

    Scenario: A second tool
      Given a tool "t1" that returns "one"
      And the additional tools
        | name | returns |
        | t2   | two     |
      And a model that answers
        | text | calls |
        |      | t2    |
        | done |       |
      And a handler "H" that, before agent, sets the tools of the run to "t1", "t2"
      When the agent runs
      Then the final answer is "done"
      And in any order, model call 1 receives the tools "t1", "t2"
      And model call 2 receives
        | role      | content | calls |
        | user      | Hello.  |       |
        | assistant |         | t2    |
        | tool      | two     |       |

    Scenario: An agent without tools
      Given the additional tools
        | name | returns |
        | t2   | two     |
      And a model that answers
        | text | calls |
        |      | t2    |
        | done |       |
      And a handler "H" that, before agent, sets the tools of the run to "t2"
      When the agent runs
      Then the final answer is "done"
      And model call 1 receives only the tool "t2"
      And the tool "t2" runs once

  @HOOK-BA-07 @documented
  Rule: A tool that a before-agent hook removes is neither sent to the model nor run when the model calls it

    Scenario: A call of the removed tool
      Given the tools
        | name | returns |
        | t1   | one     |
        | t2   | two     |
      And a model that answers
        | text | calls |
        |      | t1    |
        | done |       |
      And a handler "H" that, before agent, sets the tools of the run to "t2"
      When the agent runs
      Then model call 1 receives only the tool "t2"
      And the tool "t1" never runs

    Scenario: A call of the removed tool after an interrupt
      Given the tools
        | name | returns | interrupts |
        | t1   | one     |            |
        | t2   | two     | yes        |
      And a model that answers
        | text | calls |
        |      | t2    |
        |      | t1    |
        | done |       |
      And a handler "H" that, before agent, sets the tools of the run to "t2"
      When the agent runs and is resumed
      Then the model receives only the tool "t2"
      And the tool "t2" runs 2 times
      And the tool "t1" never runs

    Scenario: The exit tool and the tool of a legacy middleware
      Given a tool "t2" that returns "two"
      And the exit tool
      And a legacy middleware "L" that adds the tools
        | name |
        | t3   |
      And a handler "H" that, before agent, sets the tools of the run to "t2"
      When the agent runs
      Then model call 1 receives only the tool "t2"

  @HOOK-BA-08 @derived
  Rule: An agent whose last tool a before-agent hook removes runs as an agent without tools

    @axis:calls-without-tools
    Scenario: A call of the only tool after its removal
      Given a tool "t1" that returns "one"
      And a model that answers
        | text   | calls |
        | asking | t1    |
        | done   |       |
      And a handler "H" that, before agent, sets the tools of the run to nothing
      When the agent runs
      Then the final answer is "asking"
      And "H" is called once before agent
      And model call 1 receives no tools
      And the model is called once
      And the tool "t1" never runs

  @HOOK-BA-10 @derived
  Rule: Each model call of a run receives the tool search that a before-agent hook sets

    Scenario: Two model calls
      Given a tool "t1" that returns "one"
      And a model that answers
        | text | calls |
        |      | t1    |
        | done |       |
      And a handler "H" that, before agent, sets the tool search to "search"
      When the agent runs
      Then model call 1 receives the tool search "search"
      And model call 2 receives the tool search "search"

    Scenario: A model call after a resumption
      Given the tools
        | name | returns | interrupts |
        | t1   | one     | yes        |
      And a model that answers
        | text | calls |
        |      | t1    |
        | done |       |
      And a handler "H" that, before agent, sets the tool search to "search"
      When the agent runs and is resumed
      Then run 2 succeeds
      And model call 2 receives the tool search "search"

    Scenario: A before-model hook changes the tools
      Given the tools
        | name |
        | t1   |
        | t2   |
      And a handler "H1" that, before agent, sets the tool search to "search"
      And a handler "H2" that, before model, offers the model the tools "t2"
      When the agent runs
      Then model call 1 receives only the tool "t2"
      And model call 1 receives the tool search "search"

    Scenario: A later middleware provides a tool
      Given a tool "t1" that returns "one"
      And a handler "H" that, before agent, sets the tool search to "search"
      And a middleware "A" without hooks
      And "A" provides the tools
        | name | returns |
        | t2   | two     |
      When the agent runs
      Then model call 1 receives the tool search "search"

    Scenario: A later before-agent hook changes the instruction
      Given a tool "t1" that returns "one"
      And an agent with the instruction "Be brief."
      And a handler "H1" that, before agent, sets the tool search to "search"
      And a handler "H2" that, before agent, sets the instruction to "Be kind."
      When the agent runs
      Then model call 1 receives the tool search "search"

    Scenario: A model call of a sub-agent
      Given a sub-agent "helper"
      And an input schema without properties
      And a tool "t1" that returns "one"
      And a handler "H" that, before agent, sets the tool search to "search"
      And an outer agent
      And a model that answers
        | calls  | text |
        | helper |      |
        |        | done |
      When the agent runs
      Then model call 2 receives the tool search "search"

  @HOOK-BA-20 @documented
  Rule: The before-agent hook receives the tools without wrappers

    Scenario: A hook that returns the tools unchanged
      Given a tool "t1" that returns "one"
      And a model that answers
        | text | calls |
        |      | t1    |
        | done |       |
      And a handler "H" that observes before agent and around tool
      And a legacy middleware "L" that, around tool, observes
      And a tool middleware "M" that observes
      When the agent runs
      Then before agent, "H" sees only the tool "t1"
      And "around tool M" is called once
      And "around tool L" is called once
      And "around tool H" is called once
      And the final answer is "done"

    Scenario: A sub-agent that is called twice in each of three runs
      Given a sub-agent "helper"
      And a tool "t1" that returns "one"
      And a model that answers
        | text   | calls   |
        |        | t1 as d |
        | helped |         |
        |        | t1 as e |
        | helped |         |
      And a handler "H" that observes before agent and around tool
      And a legacy middleware "L" that, around tool, observes
      And a tool middleware "M" that observes
      And an outer agent
      And a session in which "mood" is ""
      And tool calls run sequentially
      And the tools
        | name | kind       |
        | t0   | streamable |
      And a model that answers
        | text | calls                                                                |
        |      | t0 as a                                                              |
        |      | helper({"request": "Kiel?"}) as b, helper({"request": "Bonn?"}) as c |
        | done |                                                                      |
      And a handler "H0" that, before model, reads the session value "mood"
      When the agent runs 2 times concurrently, and then once
      Then the run succeeds
      And before agent call 2 of run 3, "H" sees only the tool "t1"
      And "around tool M" is called 6 times
      And "around tool L" is called 6 times
      And "around tool H" is called 6 times

  @HOOK-BA-18 @documented
  Rule: The before-agent hook receives the names of the return-directly tools

    Scenario: One of two tools returns directly
      Given the tools
        | name |
        | t1   |
        | t2   |
      And the tool "t2" returns directly
      And a handler "H" that observes before agent
      When the agent runs
      Then before agent, "H" sees only the return-directly tool "t2"

    Scenario: A sub-agent, after an interrupt, next to another run
      Given a sub-agent "helper"
      And the tools
        | name |
        | t1   |
        | t2   |
      And the tool "t2" returns directly
      And a handler "H" that observes before agent
      And a model that answers
        | text   |
        | helped |
        | helped |
        | helped |
        | helped |
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
      Then before agent call 1 of run 2, "H" sees only the return-directly tool "t2"
      And before agent call 2 of run 2, "H" sees only the return-directly tool "t2"
