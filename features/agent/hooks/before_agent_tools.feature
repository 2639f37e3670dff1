Feature: Tools that come and go before the agent
  The tools a run starts with are those that the handlers leave when the
  hook before agent is over: they are what the model is offered and what it
  can have called. A tool may come from a handler, and it may be taken away
  again by one.

  @HOOK-BA-06 @documented
  Rule: A tool that it adds is offered to the model and can be called

    Scenario: A second tool
      Given a tool "t1" that returns "one"
      And the spare tools
        | name | returns |
        | t2   | two     |
      And a model that answers
        | text | calls |
        |      | t2    |
        | done |       |
      And a handler "H" that, before agent, gives the agent the tools t1, t2
      When the agent runs
      Then the final answer is "done"
      And in any order, model call 1 is offered the tools t1, t2
      And model call 2 receives
        | role      | content | calls |
        | user      | Hello.  |       |
        | assistant |         | t2    |
        | tool      | two     |       |

    Scenario: An agent that had no tool
      Given the spare tools
        | name | returns |
        | t2   | two     |
      And a model that answers
        | text | calls |
        |      | t2    |
        | done |       |
      And a handler "H" that, before agent, gives the agent the tools t2
      When the agent runs
      Then the final answer is "done"
      And model call 1 is offered the tools t2
      And the tool "t2" runs once

  @HOOK-BA-07 @documented
  Rule: A tool that it removes is not offered and cannot be called

    Scenario: The model asks for it all the same
      Given the tools
        | name | returns |
        | t1   | one     |
        | t2   | two     |
      And a model that answers
        | text | calls |
        |      | t1    |
        | done |       |
      And a handler "H" that, before agent, gives the agent the tools t2
      When the agent runs
      Then model call 1 is offered the tools t2
      And the tool "t1" never runs

  @HOOK-BA-08 @derived
  Rule: Without its last tool the agent runs as one that has no tools

    Scenario: The answer asks for the tool that is gone
      Given a tool "t1" that returns "one"
      And a model that answers
        | text   | calls |
        | asking | t1    |
        | done   |       |
      And a handler "H" that, before agent, gives the agent the tools nothing
      When the agent runs
      Then the final answer is "asking"
      And "H" is called once before agent
      And model call 1 is offered the tools nothing
      And the model is called once
      And the tool "t1" never runs

  @HOOK-BA-10 @derived
  Rule: A tool search that it sets is given to each model call

    Scenario: Two model calls
      Given a tool "t1" that returns "one"
      And a model that answers
        | text | calls |
        |      | t1    |
        | done |       |
      And a handler "H" that, before agent, sets the tool search to "search"
      When the agent runs
      Then model call 1 is given the tool search "search"
      And model call 2 is given the tool search "search"

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
      And model call 2 is given the tool search "search"
