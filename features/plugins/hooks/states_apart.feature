Feature: States are kept apart
  Several middlewares may serve one agent, and one kind of middleware several
  agents. Their authors need not know of each other: what one of them remembers
  is neither lost nor changed because another one remembers something, too.

  @XP-STATE-06 @documented
  Rule: A state update of one middleware does not affect the state of another middleware

    Scenario: Two middlewares with different fields
      Given a tool "t1" that returns "ok"
      And a model that calls "t1" once before it answers "done"
      And a middleware "A" that, before model, counts "a" in the state
      And the state of "A" has the fields
        | field | type   |
        | a     | number |
      And a middleware "B" that does
        | hook         | deed                        |
        | before agent | sets the state "b" to "Ann" |
        | before model | looks on                    |
      And the state of "B" has the fields
        | field | type |
        | b     | text |
      When the agent runs
      Then before model call 1, "B" sees the state {"b": "Ann"}
      And before model call 2, "B" sees the state {"b": "Ann"}
      And before model call 2, "A" sees the state {"a": 1}
      And afterwards the state holds {"a": 2, "b": "Ann"}

    Scenario: A third middleware without a state schema
      Given a middleware "A" that, before agent, sets the state "a" to 1
      And the state of "A" has the fields
        | field | type   |
        | a     | number |
      And a middleware "B" that does
        | hook         | deed                        |
        | before agent | sets the state "b" to "Ann" |
      And the state of "B" has the fields
        | field | type |
        | b     | text |
      And a middleware "C" that looks on
      When the agent runs
      Then afterwards the state holds {"a": 1, "b": "Ann"}

  @XP-STATE-09 @documented
  Rule: The middlewares of different agents have separate states

    Scenario: An agent and its sub-agent, each with a counter
      Given a middleware "A" that, before model, counts "calls" in the state
      And the state of "A" has the fields
        | field | type   |
        | calls | number |
      And a model that calls "helper" once before it answers "done"
      And a sub-agent "helper", with
      And it takes any arguments
      And a middleware "A" that, before model, counts "calls" in the state
      And the state of "A" has the fields
        | field | type   |
        | calls | number |
      When the agent runs
      Then "A" is called 3 times before model
      And before model call 2, "A" sees no "calls" in its state
      And before model call 3, "A" sees the state {"calls": 1}

    Scenario: Two middlewares of an agent and one of its sub-agent
      Given a model that calls "helper" once before it answers "done"
      And a middleware "A" that does
        | hook         | deed                       |
        | before agent | sets the state "a" to 1    |
        | before model | counts "seen" in the state |
      And the state of "A" has the fields
        | field | type   |
        | a     | number |
        | seen  | number |
      And a middleware "B" that does
        | hook        | deed                                           |
        | after model | sets the state "b" to {"last": ["word", null]} |
        | after agent | looks on                                       |
      And the state of "B" has the fields
        | field | type |
        | b     | any  |
      And a sub-agent "helper", with
      And it takes any arguments
      And a middleware "S" that does
        | hook         | deed                      |
        | before agent | sets the state "s" to "x" |
        | before model | looks on                  |
      And the state of "S" has the fields
        | field | type |
        | s     | text |
      When the agent runs
      Then before model call 2, "A" sees the state {"a": 1, "seen": 1}
      And after agent, "B" sees the state {"b": {"last": ["word", null]}}
      And before model, "S" sees the state {"s": "x"}

  @PLUGIN-01 @clarified
  Rule: Two middlewares that declare the same field never share its value

    Scenario: Two counters with the same name
      Given a tool "t1" that returns "ok"
      And a model that calls "t1" once before it answers "done"
      And a middleware "A" that, before model, counts "n" in the state
      And the state of "A" has the fields
        | field | type   |
        | n     | number |
      And a middleware "B" that, before model, counts "n" in the state
      And the state of "B" has the fields
        | field | type   |
        | n     | number |
      When the agent runs
      Then the agent is refused, or before model call 2, "A" sees the state {"n": 1}
      And the agent is refused, or before model call 2, "B" sees the state {"n": 1}

    Scenario: Two declarations with different types and defaults
      Given a tool "t1" that returns "ok"
      And a model that calls "t1" once before it answers "done"
      And a middleware "A" that does
        | hook         | deed                         |
        | before agent | sets the state "who" to "Bo" |
        | before model | looks on                     |
      And the state of "A" has the fields
        | field | type | default  |
        | who   | text | "nobody" |
      And a middleware "B" that looks on before model
      And the state of "B" has the fields
        | field | type   | default |
        | who   | number | 7       |
      When the agent runs
      Then the agent is refused, or before model call 2, "A" sees the state {"who": "Bo"}
      And the agent is refused, or before model call 2, "B" sees the state {"who": 7}

  @PLUGIN-02 @clarified
  Rule: A middleware has no access to the state fields of other middlewares

    Scenario: Two middlewares with one field each
      Given a middleware "A" that, before agent, sets the state "a" to 1
      And the state of "A" has the fields
        | field | type   |
        | a     | number |
      And a middleware "B" that, before agent, sets the state "b" to 2
      And a middleware "B" that looks on before model
      And the state of "B" has the fields
        | field | type   |
        | b     | number |
      When the agent runs
      Then before model, "B" sees the state {"b": 2}
      And before model, "B" sees no "a" in its state

    Scenario: A middleware sets a field that another middleware declares
      Given a middleware "A" that does
        | hook         | deed                    |
        | before agent | sets the state "a" to 1 |
        | before model | looks on                |
      And the state of "A" has the fields
        | field | type   |
        | a     | number |
      And a middleware "B" that, before agent, sets the state "a" to 9
      And the state of "B" has the fields
        | field | type   |
        | b     | number |
      When the agent runs
      Then before model, "A" sees the state {"a": 1}
      And afterwards the state holds {"a": 1}
