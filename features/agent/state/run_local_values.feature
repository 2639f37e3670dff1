Feature: Values kept for a run
  A handler may keep a value under a key for as long as the current run of its agent
  lasts, look it up in any of its hooks and wrappers, and forget it. Such run-local
  values are shared by the handlers of the agent: with them one hook tells another
  what it has seen. They end with the run.

  @RUNLOCAL-01 @documented
  Rule: A value that one handler has kept is found by the others later in the run

    Scenario Outline: Kept before the first of two calls of a <mode> run
      Given a <mode> run
      And a tool "t1" that returns "ok"
      And a model that answers
        | text | calls |
        |      | t1    |
        | done |       |
      And a handler "H1" that, before model call 1, keeps "Ann" as "user"
      And a handler "H2" that, before model, looks up "user"
      And a handler "H2" that, around model, looks up "user"
      When the agent runs
      Then before model, "H2" finds "user" as "Ann"
      And around model, "H2" finds "user" as "Ann"
      And before model call 2, "H2" finds "user" as "Ann"
      And around model call 2, "H2" finds "user" as "Ann"

      Examples:
        | mode        |
        | synchronous |
        | streaming   |

  @RUNLOCAL-02 @documented
  Rule: A value kept around a tool call is found in later hooks around model calls

    Scenario Outline: The name of the last tool, in a <mode> run
      Given a <mode> run
      And a tool "t1" that returns "ok"
      And a model that answers
        | text | calls |
        |      | t1    |
        | done |       |
      And a handler "H1" that does
        | hook         | deed                                        |
        | around tool  | calls further in; keeps "t1" as "last tool" |
        | before model | looks up "last tool"                        |
        | after model  | looks up "last tool"                        |
      When the agent runs
      Then after model, "H1" finds nothing under "last tool"
      And before model call 2, "H1" finds "last tool" as "t1"
      And after model call 2, "H1" finds "last tool" as "t1"

      Examples:
        | mode        |
        | synchronous |
        | streaming   |

  @RUNLOCAL-03 @documented
  Rule: Looking up what nobody has kept finds nothing and is no error

    Scenario: Another key has a value
      Given a handler "H1" that, before model, keeps "Ann" as "user"; looks up "weather"
      When the agent runs
      Then before model, "H1" finds nothing under "weather"
      And the run succeeds

  @RUNLOCAL-04 @documented
  Rule: A value that was forgotten is not found any more

    Scenario: Forgotten by another handler
      Given a handler "H1" that, before model, keeps "Ann" as "user"; keeps "rain" as "weather"
      And a handler "H2" that does
        | hook         | deed                                |
        | before model | looks up "user"; forgets "user"     |
        | around model | looks up "user"; looks up "weather" |
      When the agent runs
      Then before model, "H2" finds "user" as "Ann"
      And around model, "H2" finds nothing under "user"
      And around model, "H2" finds "weather" as "rain"

  @RUNLOCAL-05 @clarified
  Rule: Forgetting what nobody has kept is no error

    Scenario: A key that was never used
      Given a handler "H1" that, before model, forgets "user"
      When the agent runs
      Then before model, "H1" is refused nothing
      And the run succeeds

  @RUNLOCAL-06 @derived
  Rule: A value kept under a key takes the place of the one before

    Scenario: Kept twice
      Given a handler "H1" that, before model, keeps "Ann" as "user"; keeps "Bob" as "user"
      And a handler "H2" that, around model, looks up "user"
      When the agent runs
      Then around model, "H2" finds "user" as "Bob"

  @RUNLOCAL-16 @clarified
  Rule: The empty value can be kept, and is found

    Scenario: Nothing but the empty value
      Given a handler "H1" that, before model, keeps the empty value as "user"
      And a handler "H2" that, around model, looks up "user"
      When the agent runs
      Then around model, "H2" finds the empty value under "user"
