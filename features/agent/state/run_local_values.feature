Feature: Run-local values
  A handler can set a value under a key, read the value in any of its hooks and wrappers, and delete it. All handlers of
  the agent share these run-local values, so one hook can pass data to another. The values last until the run ends.
  A checkpoint of the run contains them.

  @RUNLOCAL-01 @documented
  Rule: A run-local value that one handler sets is found by the other handlers later in the run

    Scenario Outline: Set before the first of two model calls, in a <mode> run
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
  Rule: A run-local value that a tool wrapper sets is found by later before-model and after-model hooks

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

  @RUNLOCAL-06 @derived
  Rule: A run-local value replaces an earlier value of the same key

    Scenario: Set twice under one key
      Given a handler "H1" that, before model, keeps "Ann" as "user"; keeps "Bob" as "user"
      And a handler "H2" that, around model, looks up "user"
      When the agent runs
      Then around model, "H2" finds "user" as "Bob"

  @RUNLOCAL-16 @clarified
  Rule: A run-local value is found even if the value is empty

    Scenario: Only the empty value is set
      Given a handler "H1" that, before model, keeps the empty value as "user"
      And a handler "H2" that, around model, looks up "user"
      When the agent runs
      Then around model, "H2" finds the empty value under "user"

  @RUNLOCAL-03 @documented
  Rule: Reading a run-local value that was never set finds nothing without an error

    Scenario: Only another key has a value
      Given a handler "H1" that, before model, keeps "Ann" as "user"; looks up "weather"
      When the agent runs
      Then before model, "H1" finds nothing under "weather"
      And the run succeeds

  @RUNLOCAL-04 @documented
  Rule: A deleted run-local value is no longer found

    Scenario: Deleted by another handler
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
  Rule: Deleting a run-local value that was never set is not an error

    Scenario: A key that was never used
      Given a handler "H1" that, before model, forgets "user"
      When the agent runs
      Then before model, "H1" is refused nothing
      And the run succeeds

  @RUNLOCAL-08 @documented
  Rule: Run-local values can be set, read and deleted in every hook and wrapper after the before-agent hook

    Scenario Outline: All three operations, <where>
      Given a tool "t1" that returns "ok"
      And a model that answers
        | text | calls |
        |      | t1    |
        | done |       |
      And a handler "H1" that, <where>, keeps "Ann" as "user"; keeps "rain" as "weather"
      And a handler "H1" that, <where>, forgets "weather"; looks up "user"; looks up "weather"
      When the agent runs
      Then <where>, "H1" finds "user" as "Ann"
      And <where>, "H1" finds nothing under "weather"

      Examples:
        | where        |
        | before model |
        | around model |
        | after model  |
        | around tool  |
        | after agent  |

  @RUNLOCAL-15 @clarified
  Rule: Run-local values can be set in a before-agent hook

    Scenario: Set before the agent and read in a model wrapper
      Given a handler "H1" that, before agent, keeps "Ann" as "user"; looks up "user"
      And a handler "H2" that, around model, looks up "user"
      When the agent runs
      Then before agent, "H1" finds "user" as "Ann"
      And around model, "H2" finds "user" as "Ann"

  @RUNLOCAL-12 @derived
  Rule: A run-local value set before the first model call is found in every hook and wrapper until the run ends

    Scenario Outline: Read <where>, in a <mode> run
      Given a <mode> run
      And a tool "t1" that returns "ok"
      And a model that answers
        | text | calls |
        |      | t1    |
        | done |       |
      And a handler "H1" that, before model call 1, keeps "Ann" as "user"
      And a handler "H2" that, <where>, looks up "user"
      When the agent runs
      Then <where>, "H2" finds "user" as "Ann"

      Examples: At model calls
        | mode        | where        |
        | synchronous | before model |
        | synchronous | around model |
        | streaming   | around model |
        | synchronous | after model  |
        | streaming   | after model  |

      Examples: At tool calls
        | mode        | where       |
        | synchronous | around tool |
        | streaming   | around tool |

      Examples: After the agent
        | mode        | where       |
        | synchronous | after agent |
        | streaming   | after agent |

  @RUNLOCAL-07 @documented
  Rule: Outside a run, setting, reading or deleting a run-local value is an error

    Scenario: No run is active
      Given an agent
      When keeping, looking up and forgetting a value are tried outside of any run
      Then it is an error to keep a run-local value
      And it is an error to look up a run-local value
      And it is an error to forget a run-local value

  @RUNLOCAL-09 @documented
  Rule: A run-local value is not found in the next run

    Scenario: The first of two runs succeeds
      Given a handler "H1" that, before model, looks up "user"; keeps "Ann" as "user"
      When the agent runs twice
      Then before model, "H1" finds nothing under "user"
      And before model call 2, "H1" finds nothing under "user"

    Scenario: The first of two runs fails
      Given a model that answers
        | fails with |
        | broken     |
      And a handler "H1" that, before model, looks up "user"; keeps "Ann" as "user"
      When the agent runs twice
      Then before model call 2, "H1" finds nothing under "user"

  @RUNLOCAL-10 @derived
  Rule: A run-local value is not found in a concurrent run

    Scenario: The second run starts before the first run ends
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
  Rule: An agent and its sub-agent do not share run-local values

    Scenario: Both set a value under the same key
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

  @RUNLOCAL-14 @documented
  Rule: A resumed run has the run-local values of the interrupted run

    Scenario: Values set and deleted before the interrupt
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

    Scenario: A nested value
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

  @RUNLOCAL-13 @documented
  Rule: A run-local value of a registered type keeps its type when the run is resumed

    Scenario: A value of a registered type, set before an interrupt
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
  Rule: Setting a run-local value of an unregistered type is an error

    Scenario: A value of an unregistered type
      Given a handler "H1" that, before model, keeps a value of an unregistered type as "ticket"
      And a handler "H2" that, around model, looks up "ticket"
      When the agent runs
      Then before model, "H1" is refused to keep "ticket"
      And around model, "H2" finds nothing under "ticket"
      And the run succeeds
