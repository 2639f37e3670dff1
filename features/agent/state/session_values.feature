Feature: Session values
  Session values are data of a run as a whole. The caller can pass initial values. Handlers, tools and sub-agents read
  and set the values during the run. Run-local values, in contrast, belong to one agent.

  @CTX-08 @clarified
  Rule: Handlers, tools and sub-agents of a run share its session values

    Scenario: Set before the agent and read in all later places
      Given the tools
        | name | actions                       |
        | t1   | reads the session value "who" |
      And a model that answers
        | text | calls                            |
        |      | t1, helper({"request": "Help."}) |
        | done |                                  |
      And a handler "H1" that, before agent, sets the session value "who" to "Ann"
      And a handler "H2" with the actions
        | hook         | action                        |
        | before model | reads the session value "who" |
        | around model | reads the session value "who" |
        | after model  | reads the session value "who" |
        | around tool  | reads the session value "who" |
        | after agent  | reads the session value "who" |
      And a sub-agent "helper"
      And a handler "S1" that, before model, reads the session value "who"
      When the agent runs
      Then before model, "H2" finds "Ann" under "who"
      And around model, "H2" finds "Ann" under "who"
      And after model, "H2" finds "Ann" under "who"
      And around tool, "H2" finds "Ann" under "who"
      And the tool "t1" finds "Ann" under "who"
      And before model, "S1" finds "Ann" under "who"
      And after agent, "H2" finds "Ann" under "who"

    Scenario: Set by a tool and by a sub-agent
      Given the tools
        | name | actions                              |
        | t1   | sets the session value "tool" to "x" |
      And a model that answers
        | text | calls                            |
        |      | t1, helper({"request": "Help."}) |
        | done |                                  |
      And a handler "H1" that, after agent, reads the session value "tool"; reads the session value "helper"
      And a sub-agent "helper"
      And a handler "S1" that, before model, sets the session value "helper" to "y"
      When the agent runs
      Then after agent, "H1" finds "x" under "tool"
      And after agent, "H1" finds "y" under "helper"

    Scenario: A sub-agent reads one value and sets another
      Given a session in which "city" is "Rome"
      And a sub-agent "helper"
      And a handler "H2" that, before model, reads the session value "city"; sets the session value "days" to "three"
      And an outer agent
      And a handler "H1" that, before model call 2, reads the session value "days"
      And a model that answers
        | calls                        | text |
        | helper({"request": "Help."}) |      |
        |                              | done |
      When the agent runs
      Then before model, "H2" finds "Rome" under "city"
      And before model call 2, "H1" finds "three" under "days"
      And afterwards the session has the value "three" under "days"

    Scenario: Set by a sub-agent after an interrupt
      Given a sub-agent "helper"
      And the tools
        | name | interrupts |
        | t1   | yes        |
      And a handler "H2" that, before model of run 2, sets the session value "days" to "three"
      And a model that answers
        | calls | text   |
        | t1    |        |
        |       | helped |
      And an outer agent
      And a handler "H1" that, after agent, reads the session value "days"
      And a model that answers
        | calls                        | text |
        | helper({"request": "Help."}) |      |
        |                              | done |
      When the agent runs and is resumed
      Then after agent of run 2, "H1" finds "three" under "days"

    Scenario: Set by two concurrent sub-agents
      Given a model that answers
        | text | calls                                                     |
        |      | first({"request": "Help."}), second({"request": "Help."}) |
        | done |                                                           |
      And a handler "H1" with the actions
        | hook        | action                        |
        | after agent | reads the session value "one" |
        | after agent | reads the session value "two" |
      And a sub-agent "first"
      And a model that answers
        | text | held until                     |
        | Here | the model "second's" is called |
      And a handler "S1" that, before model, sets the session value "one" to "x"
      And an outer agent
      And a sub-agent "second"
      And a model that answers
        | text  |
        | There |
      And a handler "S2" that, before model, sets the session value "two" to "y"
      When the agent runs
      Then after agent, "H1" finds "x" under "one"
      And after agent, "H1" finds "y" under "two"

    Scenario: An empty text
      Given the tools
        | name | actions                       |
        | t1   | reads the session value "who" |
      And a model that calls "t1" once before it answers "done"
      And a session in which "who" is ""
      And a handler "H2" that, before model, reads the session value "who"
      When the agent runs
      Then before model, "H2" finds "" under "who"
      And the tool "t1" finds "" under "who"
      And afterwards the session has the value "" under "who"

    Scenario: The value null
      Given a session in which "who" is the JSON value null
      And a handler "H2" that, before model, reads the session value "who"; reads the session value "weather"
      When the agent runs
      Then before model, "H2" finds the empty value under "who"

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
      And a handler "H2" that, before model, reads the session value "who"
      When the agent runs and is resumed
      Then run 1 is interrupted
      And before model call 2, "H2" finds "Ann" under "who"

    Scenario: Three session values
      Given the tools
        | name | interrupts |
        | t1   | yes        |
      And a model that answers
        | text | calls |
        |      | t1    |
        | done |       |
      And a session of run 1 in which "one" is "1"
      And a session of run 1 in which "two" is "2"
      And a session of run 1 in which "three" is "3"
      When the agent runs and is resumed
      Then after run 2, the session has the value "1" under "one"
      And after run 2, the session has the value "2" under "two"
      And after run 2, the session has the value "3" under "three"

    Scenario Outline: A session value that is <what>
      Given the tools
        | name | interrupts |
        | t1   | yes        |
      And a model that answers
        | text | calls |
        |      | t1    |
        | done |       |
      And a session of run 1 in which "left" is the JSON value <value>
      And a handler "H" that, before model, reads the session value "left"
      When the agent runs and is resumed
      Then before model of run 2, "H" finds the JSON value <value> under "left"

      Examples: empty values
        | what            | value |
        | zero            | 0     |
        | false           | false |
        | an empty text   | ""    |
        | an empty list   | []    |
        | an empty object | {}    |

  @CTX-12 @clarified
  Rule: A session value that the caller passes to a resumed run replaces the saved value

    Scenario: A key with a new value
      Given the tools
        | name | interrupts |
        | t1   | yes        |
      And a model that answers
        | text | calls |
        |      | t1    |
        | done |       |
      And a session of run 1 in which "user" is "Ann"
      And a session of run 2 in which "user" is "Bo"
      And a handler "H" that, before model of run 2, reads the session value "user"
      When the agent runs and is resumed
      Then before model of run 2, "H" finds "Bo" under "user"

    Scenario: The new value is an empty text
      Given the tools
        | name | interrupts |
        | t1   | yes        |
      And a model that answers
        | text | calls |
        |      | t1    |
        | done |       |
      And a session of run 1 in which "user" is "Ann"
      And a session of run 2 in which "user" is the JSON value ""
      And a handler "H" that, before model of run 2, reads the session value "user"
      When the agent runs and is resumed
      Then before model of run 2, "H" finds the JSON value "" under "user"
