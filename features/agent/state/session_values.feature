Feature: Session values
  Session values are data of a run as a whole. The caller can pass initial values. Handlers, tools and sub-agents read
  and set the values during the run. Run-local values, in contrast, belong to one agent.

  @CTX-08 @clarified
  Rule: Handlers, tools and sub-agents of a run share its session values

    Scenario: Set before the agent and read in all later places
      Given the tools
        | name | does                             |
        | t1   | looks up the session value "who" |
      And a model that answers
        | text | calls                            |
        |      | t1, helper({"request": "Help."}) |
        | done |                                  |
      And a handler "H1" that, before agent, sets the session value "who" to "Ann"
      And a handler "H2" that does
        | hook         | deed                             |
        | before model | looks up the session value "who" |
        | around model | looks up the session value "who" |
        | after model  | looks up the session value "who" |
        | around tool  | looks up the session value "who" |
        | after agent  | looks up the session value "who" |
      And a sub-agent "helper", with
      And a handler "S1" that, before model, looks up the session value "who"
      When the agent runs
      Then before model, "H2" finds "who" as "Ann"
      And around model, "H2" finds "who" as "Ann"
      And after model, "H2" finds "who" as "Ann"
      And around tool, "H2" finds "who" as "Ann"
      And the tool "t1" finds "who" as "Ann"
      And before model, "S1" finds "who" as "Ann"
      And after agent, "H2" finds "who" as "Ann"

    Scenario: Set by a tool and by a sub-agent
      Given the tools
        | name | does                                 |
        | t1   | sets the session value "tool" to "x" |
      And a model that answers
        | text | calls                            |
        |      | t1, helper({"request": "Help."}) |
        | done |                                  |
      And a handler "H1" that, after agent, looks up the session value "tool"; looks up the session value "helper"
      And a sub-agent "helper", with
      And a handler "S1" that, before model, sets the session value "helper" to "y"
      When the agent runs
      Then after agent, "H1" finds "tool" as "x"
      And after agent, "H1" finds "helper" as "y"

    Scenario: A sub-agent reads one value and sets another
      Given a session in which "city" is "Rome"
      And a sub-agent "helper", with
      And a handler "H2" that, before model, looks up the session value "city"; sets the session value "days" to "three"
      And an agent above it, with
      And a handler "H1" that, before model call 2, looks up the session value "days"
      And a model that answers
        | calls                        | text |
        | helper({"request": "Help."}) |      |
        |                              | done |
      When the agent runs
      Then before model, "H2" finds "city" as "Rome"
      And before model call 2, "H1" finds "days" as "three"
      And afterwards the session holds "days" as "three"

  @CTX-11 @clarified
  Rule: A resumed run has the session values of the interrupted run

    Scenario: Set before a tool interrupts the run
      Given the tools
        | name | interrupts |
        | t1   | yes        |
      And a model that answers
        | text | calls |
        |      | t1    |
        | done |       |
      And a handler "H1" that, after model, sets the session value "who" to "Ann"
      And a handler "H2" that, before model, looks up the session value "who"
      When the agent runs and is resumed
      Then run 1 is interrupted
      And before model call 2, "H2" finds "who" as "Ann"
