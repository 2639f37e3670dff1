Feature: Run-local values
  A handler can set a value under a key, read the value in any of its hooks and wrappers, and delete it. All handlers of
  the agent share these run-local values, so one hook can pass data to another. The values last until the run ends. A
  checkpoint of the run contains them. A sub-agent is an agent that is a tool of another agent, the outer agent.

  @RUNLOCAL-01 @documented
  Rule: A run-local value that one handler sets is found by the other handlers later in the run

    @axis:nesting
    Scenario: Set before the first of two model calls
      Given a tool "t1" that returns "ok"
      And a model that answers
        | text | calls |
        |      | t1    |
        | done |       |
      And a handler "H1" that, before model call 1, sets the run-local value "user" to "Ann"
      And a handler "H2" with the actions
        | hook         | action                           |
        | before model | reads the run-local value "user" |
        | around model | reads the run-local value "user" |
      When the agent runs
      Then before model call 1, "H2" finds "Ann" under "user"
      And around model call 1, "H2" finds "Ann" under "user"
      And before model call 2, "H2" finds "Ann" under "user"
      And around model call 2, "H2" finds "Ann" under "user"

    Scenario Outline: The value <value>, read after the model call
      Given a handler "H1" that, before model, sets the run-local value "user" to the JSON value <value>
      And a handler "H2" that, after model, reads the run-local value "user"
      When the agent runs
      Then after model, "H2" finds the JSON value <value> under "user"

      Examples: empty values
        | value |
        | ""    |
        | []    |
        | {}    |

      Examples: zero and false
        | value |
        | 0     |
        | false |

    Scenario: Keys that begin and end alike
      Given a handler "H1" that, before model, sets the run-local value "user" to "Ann"; sets the run-local value "user name" to "Bob"; sets the run-local value "name" to "Cid"; sets the run-local value "User" to "Dan"
      And a handler "H2" that, after model, reads the run-local value "user"; reads the run-local value "user name"; reads the run-local value "name"; reads the run-local value "User"
      When the agent runs
      Then after model, "H2" finds "Ann" under "user"
      And after model, "H2" finds "Bob" under "user name"
      And after model, "H2" finds "Cid" under "name"
      And after model, "H2" finds "Dan" under "User"

    Scenario: Set before the second of three model calls, in the second of two equal runs
      Given a conversation of agentic messages
        | role | content |
        | user | Grüße.  |
      And a session in which "mood" is ""
      And tool calls run sequentially
      And the tools
        | name | returns | kind       | actions                        |
        | t0   | early   | streamable |                                |
        | t1   | \ü*2001 | streamable | reads the session value "mood" |
      And a model that answers
        | calls            | text |
        | t0 as a, t1 as b |      |
        | t0 as c, t1 as d |      |
        |                  | done |
      And a handler "H0" that observes around tool
      And a handler "H1" that, before model call 2, sets the run-local value "user" to "Ann"
      And a handler "H2" that, before model call 3, reads the run-local value "user"
      When the agent runs twice
      Then before model call 3 of run 1, "H2" finds "Ann" under "user"
      And before model call 3 of run 2, "H2" finds "Ann" under "user"

  @RUNLOCAL-02 @derived
  Rule: A run-local value that a tool wrapper sets is found by later before-model and after-model hooks

    Scenario: The name of the last tool
      Given a tool "t1" that returns "ok"
      And a model that answers
        | text | calls |
        |      | t1    |
        | done |       |
      And a handler "H1" with the actions
        | hook         | action                                                               |
        | around tool  | calls the next handler; sets the run-local value "last tool" to "t1" |
        | before model | reads the run-local value "last tool"                                |
        | after model  | reads the run-local value "last tool"                                |
      When the agent runs
      Then after model call 1, "H1" finds nothing under "last tool"
      And before model call 2, "H1" finds "t1" under "last tool"
      And after model call 2, "H1" finds "t1" under "last tool"

    Scenario: The name of the last tool in the second round, in the second of two equal runs
      Given a conversation of agentic messages
        | role | content |
        | user | Grüße.  |
      And a session in which "mood" is ""
      And tool calls run sequentially
      And the tools
        | name | returns | kind       | actions                        |
        | t0   | \ü*2001 |            | reads the session value "mood" |
        | t1   | \ü*2001 | streamable | reads the session value "mood" |
      And a model that answers
        | calls            | text |
        | t0 as a, t1 as b |      |
        | t0 as c, t1 as d |      |
        |                  | done |
      And a handler "H0" that observes around tool
      And a handler "H1" that, around tool "t1", calls the next handler; sets the run-local value "last tool" to "t1"
      And a handler "H2" that, before model call 3, reads the run-local value "last tool"
      When the agent runs twice
      Then before model call 3 of run 1, "H2" finds "t1" under "last tool"
      And before model call 3 of run 2, "H2" finds "t1" under "last tool"

  @RUNLOCAL-06 @derived
  Rule: A run-local value replaces an earlier value of the same key

    Scenario Outline: Set to "Ann" before the first model call, and to <value> <where>
      Given the tools
        | name | interrupts |
        | t1   |            |
        | t2   | yes        |
      And a model that answers
        | text | calls |
        |      | t1    |
        |      | t2    |
        | done |       |
      And a handler "H1" that, before model call 1 of run 1, sets the run-local value "user" to "Ann"
      And a handler "H2" with the actions
        | hook        | action                                                    |
        | <where>     | sets the run-local value "user" to the JSON value <value> |
        | after agent | reads the run-local value "user"                          |
      When the agent runs and is resumed
      Then run 2 succeeds
      And after agent of run 2, "H2" finds the JSON value <value> under "user"

      Examples: by another handler, in the same model call and in later ones
        | where               | value |
        | after model call 1  | "Bob" |
        | around tool "t1"    | "Bob" |
        | before model call 2 | ""    |
        | around model call 2 | 0     |
        | after model call 2  | ["A"] |

      Examples: after the resumption
        | where                 | value |
        | around tool of run 2  | false |
        | before model of run 2 | "Bob" |

    @axis:nesting
    Scenario: Set twice under one key
      Given a handler "H1" that, before model, sets the run-local value "user" to "Ann"; sets the run-local value "user" to "Bob"
      And a handler "H2" that, around model, reads the run-local value "user"
      When the agent runs
      Then around model, "H2" finds "Bob" under "user"

  @RUNLOCAL-16 @clarified
  Rule: A run-local value is found even if the value is empty

    @axis:nesting
    Scenario: Only the empty value is set
      Given a handler "H1" that, before model, sets the run-local value "user" to the empty value
      And a handler "H2" that, around model, reads the run-local value "user"
      When the agent runs
      Then around model, "H2" finds the empty value under "user"

    @axis:nesting
    Scenario Outline: The value is <what>
      Given a handler "H1" that, before model, sets the run-local value "left" to the JSON value <value>
      And a handler "H2" that, around model, reads the run-local value "left"
      When the agent runs
      Then around model, "H2" finds the JSON value <value> under "left"

      Examples: empty values
        | what          | value |
        | zero          | 0     |
        | false         | false |
        | an empty text | ""    |

  @RUNLOCAL-03 @documented
  Rule: Reading a run-local value that was never set finds nothing without an error

    Scenario: Only another key has a value
      Given a handler "H1" that, before model, sets the run-local value "user" to "Ann"; reads the run-local value "weather"
      When the agent runs
      Then before model, "H1" finds nothing under "weather"
      And the run succeeds

  @RUNLOCAL-04 @documented
  Rule: A deleted run-local value is no longer found

    @axis:nesting
    Scenario: Deleted by another handler
      Given a handler "H1" that, before model, sets the run-local value "user" to "Ann"; sets the run-local value "weather" to "rain"
      And a handler "H2" with the actions
        | hook         | action                                                                |
        | before model | reads the run-local value "user"; deletes the run-local value "user"  |
        | around model | reads the run-local value "user"; reads the run-local value "weather" |
      When the agent runs
      Then before model, "H2" finds "Ann" under "user"
      And around model, "H2" finds nothing under "user"
      And around model, "H2" finds "rain" under "weather"

    @axis:nesting
    Scenario: A key that begins like another one
      Given a handler "H1" with the actions
        | hook         | action                                                                                                                   |
        | before model | sets the run-local value "user" to "Ann"; sets the run-local value "user 2" to "Bob"; deletes the run-local value "user" |
        | around model | reads the run-local value "user"; reads the run-local value "user 2"                                                     |
      When the agent runs
      Then around model, "H1" finds nothing under "user"
      And around model, "H1" finds "Bob" under "user 2"

    Scenario: Deleted before two model calls, the first after a repeated message
      Given a conversation of agentic messages
        | role      | content |
        | user      | Grüße.  |
        | assistant | Gut     |
        | user      | Grüße.  |
      And a tool "t0" that returns "zero"
      And a model that answers
        | text | calls   |
        |      | t0 as a |
        | done |         |
      And a handler "H1" that, before model, sets the run-local value "user" to "Ann"
      And a handler "H2" that, before model, reads the run-local value "mood"; deletes the run-local value "user"
      And a handler "H3" that, around model, reads the run-local value "user"
      When the agent runs
      Then around model call 1, "H3" finds nothing under "user"
      And around model call 2, "H3" finds nothing under "user"

  @RUNLOCAL-05 @clarified
  Rule: Deleting a run-local value that was never set is not an error

    Scenario: A key that was never used
      Given a handler "H1" that, before model, deletes the run-local value "user"
      When the agent runs
      Then before model, no action of "H1" fails
      And the run succeeds

  @RUNLOCAL-08 @documented
  Rule: Run-local values can be set, read and deleted in every hook and wrapper after the before-agent hook

    Scenario Outline: All three operations, <where>
      Given a tool "t1" that returns "ok"
      And a model that answers
        | text | calls |
        |      | t1    |
        | done |       |
      And a handler "H1" with the actions
        | hook    | action                                                                                                       |
        | <where> | sets the run-local value "user" to "Ann"; sets the run-local value "weather" to "rain"                       |
        | <where> | deletes the run-local value "weather"; reads the run-local value "user"; reads the run-local value "weather" |
      When the agent runs
      Then <where>, "H1" finds "Ann" under "user"
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
      Given a handler "H1" that, before agent, sets the run-local value "user" to "Ann"; reads the run-local value "user"
      And a handler "H2" that, around model, reads the run-local value "user"
      When the agent runs
      Then before agent, "H1" finds "Ann" under "user"
      And around model, "H2" finds "Ann" under "user"

    Scenario: Set before the agent of a resumed run
      Given the tools
        | name | interrupts |
        | t1   | yes        |
      And a model that answers
        | text | calls |
        |      | t1    |
        | done |       |
      And a handler "H1" with the actions
        | hook                  | action                                                                              |
        | before model of run 1 | sets the run-local value "user" to "Ann"                                            |
        | before agent of run 2 | sets the run-local value "user" to "Bob"; sets the run-local value "city" to "Rome" |
        | before model of run 2 | reads the run-local value "user"; reads the run-local value "city"                  |
      When the agent runs and is resumed
      Then before model of run 2, "H1" finds "Bob" under "user"
      And before model of run 2, "H1" finds "Rome" under "city"

  @RUNLOCAL-12 @derived
  Rule: A run-local value set before the first model call is found in every hook and wrapper until the run ends

    @axis:nesting=<nesting>
    Scenario Outline: Read <where>, in a <mode> run
      Given a <mode> run
      And a tool "t1" that returns "ok"
      And a model that answers
        | text | calls |
        |      | t1    |
        | done |       |
      And a handler "H1" that, before model call 1, sets the run-local value "user" to "Ann"
      And a handler "H2" that, <where>, reads the run-local value "user"
      When the agent runs
      Then <where>, "H2" finds "Ann" under "user"

      Examples: At model calls
        | mode        | where        | nesting             |
        | synchronous | before model |                     |
        | synchronous | around model | hooks-then-wrappers |
        | streaming   | around model | hooks-then-wrappers |
        | synchronous | after model  |                     |
        | streaming   | after model  |                     |

      Examples: At tool calls
        | mode        | where       | nesting |
        | synchronous | around tool |         |
        | streaming   | around tool |         |

      Examples: After the agent
        | mode        | where       | nesting |
        | synchronous | after agent |         |
        | streaming   | after agent |         |

  @RUNLOCAL-07 @documented
  Rule: Outside a run, setting, reading or deleting a run-local value is an error

    Scenario: No run is active
      Given an agent
      When setting, reading and deleting a run-local value are tried outside a run
      Then outside a run, setting a run-local value fails
      And outside a run, reading a run-local value fails
      And outside a run, deleting a run-local value fails

    Scenario: A run is active
      Given a handler "H1" that, before model, sets the run-local value "user" to "Ann"; reads the run-local value "user"
      When the agent runs
      Then before model call 1, "H1" finds "Ann" under "user"
