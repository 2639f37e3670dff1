Feature: How far values kept for a run reach
  Run-local values belong to one run of one agent. Neither the next run has them,
  nor one at the same time, nor an agent that this one uses as a tool. A run that is
  interrupted and resumed is one run, so they are part of its checkpoint; a value of
  a type of one's own must be registered, or it could not be stored.

  @RUNLOCAL-07 @documented
  Rule: Outside a run, keeping, looking up and forgetting a value are errors

    Scenario: No run goes on
      Given an agent
      When keeping, looking up and forgetting a value are tried outside of any run
      Then it is an error to keep a run-local value
      And it is an error to look up a run-local value
      And it is an error to forget a run-local value

  @RUNLOCAL-09 @documented
  Rule: A value kept in one run is not found in the next

    Scenario: Two runs of one agent
      Given a handler "H1" that, before model, looks up "user"; keeps "Ann" as "user"
      When the agent runs twice
      Then before model, "H1" finds nothing under "user"
      And before model call 2, "H1" finds nothing under "user"

    Scenario: The first run fails
      Given a model that answers
        | fails with |
        | broken     |
      And a handler "H1" that, before model, looks up "user"; keeps "Ann" as "user"
      When the agent runs twice
      Then before model call 2, "H1" finds nothing under "user"

  @RUNLOCAL-10 @derived
  Rule: A value kept in one run is not found in another at the same time

    Scenario: The second run begins while the first waits for it
      Given the tools
        | name | held until                       |
        | t1   | the tool "t1" is called in run 2 |
      And a model that answers
        | text | calls |
        |      | t1    |
        | done |       |
      And a handler "H1" that, before model call 1, looks up "user"; keeps "Ann" as "user"
      When the agent runs 2 times at once
      Then before model, "H1" finds nothing under "user"
      And before model call 2, "H1" finds nothing under "user"

  @RUNLOCAL-11 @documented
  Rule: An agent and an agent it uses as a tool do not find each other's values

    Scenario: Both keep a value under one key
      Given a model that answers
        | text | calls                        |
        |      | helper({"request": "Help."}) |
        | done |                              |
      And a handler "H1" that, before model call 1, keeps "Ann" as "user"
      And a handler "H1" that, after agent, looks up "user"; looks up "weather"
      And a sub-agent "helper", with
      And it takes any arguments
      And a handler "S1" that, before model, looks up "user"; keeps "Bob" as "user"; keeps "rain" as "weather"
      When the agent runs
      Then before model, "S1" finds nothing under "user"
      And after agent, "H1" finds "user" as "Ann"
      And after agent, "H1" finds nothing under "weather"

  @RUNLOCAL-13 @documented
  Rule: A value of a type that was registered can be kept, and has its type after a resumption

    Scenario: Kept before a tool interrupts the run
      Given the tools
        | name | interrupts |
        | t1   | yes        |
      And a model that answers
        | text | calls |
        |      | t1    |
        | done |       |
      And a handler "H1" that, after model, keeps a value of a registered type as "ticket"
      And a handler "H2" that does
        | hook         | deed              |
        | around tool  | looks up "ticket" |
        | before model | looks up "ticket" |
      When the agent runs and is resumed
      Then run 1 is interrupted
      And around tool, "H2" finds "ticket" as "ticket 7"
      And before model call 2, "H2" finds "ticket" as "ticket 7"

  @RUNLOCAL-17 @clarified
  Rule: A value of a type that nobody has registered is refused when it is to be kept

    Scenario: Refused, and nothing is kept
      Given a handler "H1" that, before model, keeps a value of an unregistered type as "ticket"
      And a handler "H2" that, around model, looks up "ticket"
      When the agent runs
      Then before model, "H1" is refused to keep "ticket"
      And around model, "H2" finds nothing under "ticket"
      And the run succeeds

  @RUNLOCAL-14 @documented
  Rule: Values are found again when an interrupted run is resumed

    Scenario: Kept before the interrupt, found before the first model call of the resumed run
      Given the tools
        | name | interrupts |
        | t1   | yes        |
      And a model that answers
        | text | calls |
        |      | t1    |
        | done |       |
      And a handler "H1" that, after model, keeps "Ann" as "user"; keeps "rain" as "weather"; forgets "weather"
      And a handler "H2" that, before model, looks up "user"; looks up "weather"
      When the agent runs and is resumed
      Then run 1 is interrupted
      And before model call 2, "H2" finds "user" as "Ann"
      And before model call 2, "H2" finds nothing under "weather"
      And run 2 succeeds

    Scenario: A value that is made of others
      Given the tools
        | name | interrupts |
        | t1   | yes        |
      And a model that answers
        | text | calls |
        |      | t1    |
        | done |       |
      And a handler "H1" that, after model, keeps under "trip" the value {"of": "Ann", "to": ["Rome", {"days": 2}]}
      And a handler "H2" that, before model, looks up "trip"
      When the agent runs and is resumed
      Then run 1 is interrupted
      And before model call 2, "H2" finds under "trip" the value {"of": "Ann", "to": ["Rome", {"days": 2}]}
