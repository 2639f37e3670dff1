Feature: Run-local values of several runs
  A run-local value belongs to one run of one agent: another run does not find the value, and neither does a sub-agent,
  which is an agent that is a tool of another agent, the outer agent. A checkpoint of the run contains the values, so the
  resumed run finds them.

  @RUNLOCAL-09 @documented
  Rule: A run-local value is not found in the next run

    Scenario: The first of two runs succeeds
      Given a handler "H1" that, before model, reads the run-local value "user"; sets the run-local value "user" to "Ann"
      When the agent runs twice
      Then before model call 1, "H1" finds nothing under "user"
      And before model call 2, "H1" finds nothing under "user"

    Scenario: The first of two runs fails
      Given a model that answers
        | fails with |
        | broken     |
      And a handler "H1" that, before model, reads the run-local value "user"; sets the run-local value "user" to "Ann"
      When the agent runs twice
      Then before model call 2, "H1" finds nothing under "user"

    Scenario Outline: A tool <ends> the first of two runs
      Given the tools
        | name | interrupts  | fails with |
        | t1   | <interrupt> | <error>    |
      And a model that answers
        | text | calls |
        |      | t1    |
        | done |       |
      And a handler "H1" that, before model, reads the run-local value "user"; sets the run-local value "user" to "Ann"
      When the agent runs twice
      Then before model of run 1, "H1" finds nothing under "user"
      And before model of run 2, "H1" finds nothing under "user"

      Examples:
        | ends       | interrupt | error  |
        | interrupts | yes       |        |
        | fails in   |           | broken |

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
      And a handler "H1" that, before model call 1, reads the run-local value "user"; sets the run-local value "user" to "Ann"
      When the agent runs 2 times concurrently
      Then before model call 1, "H1" finds nothing under "user"
      And before model call 2, "H1" finds nothing under "user"

  @RUNLOCAL-11 @documented
  Rule: An agent and its sub-agent do not share run-local values

    Scenario: Both set a value under the same key
      Given a model that answers
        | text | calls                        |
        |      | helper({"request": "Help."}) |
        | done |                              |
      And a handler "H1" with the actions
        | hook                | action                                                                |
        | before model call 1 | sets the run-local value "user" to "Ann"                              |
        | around tool         | calls the next handler; reads the run-local value "user"              |
        | after agent         | reads the run-local value "user"; reads the run-local value "weather" |
      And a sub-agent "helper"
      And an input schema without properties
      And a handler "S1" that, before model, reads the run-local value "user"; sets the run-local value "user" to "Bob"; sets the run-local value "weather" to "rain"
      When the agent runs
      Then before model, "S1" finds nothing under "user"
      And around tool, "H1" finds "Ann" under "user"
      And after agent, "H1" finds "Ann" under "user"
      And after agent, "H1" finds nothing under "weather"

    Scenario: The sub-agent fails
      Given a model that answers
        | text | calls                        |
        |      | helper({"request": "Help."}) |
        | done |                              |
      And a handler "H1" with the actions
        | hook         | action                                                                                     |
        | before model | sets the run-local value "user" to "Ann"                                                   |
        | around tool  | calls the next handler and answers "no help" if it fails; reads the run-local value "user" |
      And a sub-agent "helper"
      And an input schema without properties
      And a model that answers
        | fails with |
        | down       |
      When the agent runs
      Then around tool, "H1" finds "Ann" under "user"

    Scenario: The run is interrupted inside the sub-agent and resumed
      Given a model that answers
        | text | calls                        |
        |      | helper({"request": "Help."}) |
        | done |                              |
      And a handler "H1" with the actions
        | hook                  | action                                                                |
        | before model of run 1 | sets the run-local value "user" to "Ann"                              |
        | around tool of run 2  | calls the next handler; reads the run-local value "user"              |
        | after agent           | reads the run-local value "user"; reads the run-local value "weather" |
      And a sub-agent "helper"
      And an input schema without properties
      And the tools
        | name | interrupts |
        | t1   | yes        |
      And a model that answers
        | text   | calls |
        |        | t1    |
        | helped |       |
      And a handler "S1" with the actions
        | hook                  | action                                                                         |
        | before model          | sets the run-local value "weather" to "rain"                                   |
        | before model of run 2 | reads the run-local value "user"; sets the run-local value "weather" to "snow" |
      When the agent runs and is resumed
      Then before model of run 2, "S1" finds nothing under "user"
      And around tool of run 2, "H1" finds "Ann" under "user"
      And after agent, "H1" finds "Ann" under "user"
      And after agent, "H1" finds nothing under "weather"

    Scenario: Both set a value, after an interrupt, next to another run
      Given a streaming run
      And a sub-agent "helper"
      And a model that answers
        | text   |
        | helped |
        | helped |
        | helped |
        | helped |
      And a handler "S1" that, before model, reads the run-local value "user"; sets the run-local value "user" to "Bob"
      And an outer agent
      And a conversation of agentic messages
        | role | content |
        | user | \ü*2001 |
      And tool calls run sequentially
      And failed model calls are retried at most once
      And the tools
        | name | returns | kind       | interrupts |
        | t0   | \ü*2001 | streamable | yes        |
      And a model that answers
        | text | calls                                                                                                   | fails with |
        |      | t0 as b                                                                                                 |            |
        |      | helper({"request": "Bonn?"}) as a                                                                       |            |
        |      |                                                                                                         | busy       |
        |      | helper({"request": "Bonn?"}) as c, helper({"request": "Kiel?"}) as d, helper({"request": "Bonn?"}) as e |            |
        | done |                                                                                                         |            |
      And a handler "H1" that, before model, reads the run-local value "mood"; sets the run-local value "user" to "Ann"
      And a handler "H2" that, after agent, reads the run-local value "user"
      When the agent runs, and is resumed while it runs once more
      Then before model call 1 of run 2, "S1" finds nothing under "user"
      And before model call 2 of run 2, "S1" finds nothing under "user"
      And before model call 3 of run 2, "S1" finds nothing under "user"
      And after agent of run 2, "H2" finds "Ann" under "user"

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
      And a handler "H1" that, after model, sets the run-local value "user" to "Ann"; sets the run-local value "weather" to "rain"; deletes the run-local value "weather"
      And a handler "H2" that, before model, reads the run-local value "user"; reads the run-local value "weather"
      When the agent runs and is resumed
      Then run 1 is interrupted
      And before model call 2, "H2" finds "Ann" under "user"
      And before model call 2, "H2" finds nothing under "weather"
      And run 2 succeeds

    Scenario Outline: Values set, replaced and deleted during the interrupted tool calls, in a <mode> run
      Given a <mode> run
      And the tools
        | name | interrupts | actions                                |
        | t1   |            | sets the run-local value "body" to "1" |
        | t2   | yes        |                                        |
        | t3   | yes        |                                        |
      And a model that answers
        | text | calls  |
        |      | t1, t2 |
        |      | t3     |
        | done |        |
      And a handler "H1" with the actions
        | hook                         | action                                                                                 |
        | before model call 1 of run 1 | sets the run-local value "user" to "Ann"; sets the run-local value "weather" to "rain" |
        | around tool "t1" of run 1    | sets the run-local value "user" to "Bob"; deletes the run-local value "weather"        |
        | around tool "t2" of run 1    | sets the run-local value "asked" to "yes"                                              |
        | around tool "t3" of run 2    | sets the run-local value "again" to "yes"                                              |
      And a handler "H2" with the actions
        | hook                  | action                                                                                                                                                                        |
        | before model of run 2 | reads the run-local value "user"; reads the run-local value "weather"; reads the run-local value "asked"; reads the run-local value "body"                                    |
        | after agent           | reads the run-local value "user"; reads the run-local value "weather"; reads the run-local value "asked"; reads the run-local value "body"; reads the run-local value "again" |
      When the agent runs, is resumed, and is resumed again from the new stop
      Then run 1 is interrupted
      And run 2 is interrupted
      And before model of run 2, "H2" finds "Bob" under "user"
      And before model of run 2, "H2" finds nothing under "weather"
      And before model of run 2, "H2" finds "yes" under "asked"
      And before model of run 2, "H2" finds "1" under "body"
      And after agent, "H2" finds "Bob" under "user"
      And after agent, "H2" finds nothing under "weather"
      And after agent, "H2" finds "yes" under "asked"
      And after agent, "H2" finds "1" under "body"
      And after agent, "H2" finds "yes" under "again"

      Examples:
        | mode        |
        | synchronous |
        | streaming   |

    Scenario: A value of a sub-agent
      Given a sub-agent "helper"
      And the tools
        | name | interrupts |
        | t1   | yes        |
      And a model that answers
        | calls | text   |
        | t1    |        |
        |       | helped |
      And a handler "S1" that, before model of run 1, sets the run-local value "user" to "Ann"
      And a handler "S2" that, before model of run 2, reads the run-local value "user"
      And an outer agent
      And a model that answers
        | calls                        | text |
        | helper({"request": "Help."}) |      |
        |                              | done |
      When the agent runs and is resumed
      Then before model of run 2, "S2" finds "Ann" under "user"

    Scenario: A nested value
      Given the tools
        | name | interrupts |
        | t1   | yes        |
      And a model that answers
        | text | calls |
        |      | t1    |
        | done |       |
      And a handler "H1" that, after model, sets the run-local value "trip" to the JSON value {"of": {"name": "Ann", "ids": {"0": 7}}, "to": [["Rome", ["Oslo"]], {"by": ["bus"]}]}
      And a handler "H2" that, before model, reads the run-local value "trip"
      When the agent runs and is resumed
      Then run 1 is interrupted
      And before model call 2, "H2" finds the JSON value {"of": {"name": "Ann", "ids": {"0": 7}}, "to": [["Rome", ["Oslo"]], {"by": ["bus"]}]} under "trip"

    Scenario Outline: The value <value>, set before an interrupt
      Given the tools
        | name | interrupts |
        | t1   | yes        |
      And a model that answers
        | text | calls |
        |      | t1    |
        | done |       |
      And a handler "H1" that, after model, sets the run-local value "user" to the JSON value <value>
      And a handler "H2" that, before model, reads the run-local value "user"
      When the agent runs and is resumed
      Then run 1 is interrupted
      And before model call 2, "H2" finds the JSON value <value> under "user"

      Examples: empty values
        | value |
        | ""    |
        | []    |
        | {}    |

      Examples: zero, false and lists of them
        | value                |
        | 0                    |
        | false                |
        | [0, "", false, null] |

    Scenario: The empty value, set before an interrupt
      Given the tools
        | name | interrupts |
        | t1   | yes        |
      And a model that answers
        | text | calls |
        |      | t1    |
        | done |       |
      And a handler "H1" that, after model, sets the run-local value "user" to the empty value
      And a handler "H2" that, before model, reads the run-local value "user"
      When the agent runs and is resumed
      Then run 1 is interrupted
      And before model call 2, "H2" finds the empty value under "user"

    Scenario: Set before the interrupts of two concurrent runs, of which one is resumed
      Given a conversation of agentic messages
        | role | content |
        | user | Grüße.  |
      And a session in which "mood" is ""
      And tool calls run sequentially
      And the tools
        | name | returns | kind       | interrupts | actions                        |
        | t0   | \ü*2001 | streamable | yes        | reads the session value "mood" |
      And a model that answers
        | text | calls   |
        |      | t0 as a |
        | done |         |
      And a handler "H1" that, before model of run 2, sets the run-local value "user" to "Ann"
      And a handler "H2" that, before model of run 3, reads the run-local value "user"
      When the agent runs twice concurrently, and run 2 is resumed
      Then before model of run 3, "H2" finds "Ann" under "user"
      And run 3 succeeds

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
      And a handler "H1" that, after model, sets the run-local value "ticket" to a value of a registered type
      And a handler "H2" with the actions
        | hook         | action                             |
        | around tool  | reads the run-local value "ticket" |
        | before model | reads the run-local value "ticket" |
      When the agent runs and is resumed
      Then run 1 is interrupted
      And around tool, "H2" finds "ticket 7" under "ticket"
      And before model call 2, "H2" finds "ticket 7" under "ticket"

  @RUNLOCAL-17 @clarified
  Rule: Setting a run-local value of an unregistered type is an error

    Scenario: A value of an unregistered type
      Given a handler "H1" that, before model, sets the run-local value "ticket" to a value of an unregistered type
      And a handler "H2" that, around model, reads the run-local value "ticket"
      When the agent runs
      Then before model, "H1" fails to set the run-local value "ticket"
      And around model, "H2" finds nothing under "ticket"
      And the run succeeds
