Feature: Separate states
  Each middleware has a state of its own, in each agent and in each thread. A thread is a conversation over several
  runs: the values of a state last for later runs of the same thread. Nothing else shares them.

  @XP-STATE-11 @clarified
  Rule: The next run of a thread starts with the middleware state that the previous run left

    Scenario: Two runs of one thread
      Given a middleware "A" that, before agent, increments "runs" in the state
      And the state of "A" has the fields
        | field | type   |
        | runs  | number |
      And run 1 belongs to the thread "t"
      And run 2 belongs to the thread "t"
      When the agent runs twice
      Then before agent of run 2, "A" sees the state {"runs": 1}

  @XP-STATE-12 @clarified
  Rule: The middleware state that a run leaves is not available to other threads

    Scenario: Two runs of different threads
      Given a middleware "A" that, before agent, increments "runs" in the state
      And the state of "A" has the fields
        | field | type   |
        | runs  | number |
      And run 1 belongs to the thread "t"
      And run 2 belongs to the thread "another"
      When the agent runs twice
      Then afterwards the state includes {"runs": 1}
      And before agent call 2, "A" sees no "runs" in its state

  @XP-STATE-06 @documented
  Rule: A state update of one middleware does not affect the state of another middleware

    Scenario: Two middlewares with different fields
      Given a tool "t1" that returns "ok"
      And a model that calls "t1" once before it answers "done"
      And a middleware "A" that, before model, increments "a" in the state
      And the state of "A" has the fields
        | field | type   |
        | a     | number |
      And a middleware "B" with the actions
        | hook         | action                      |
        | before agent | sets the state "b" to "Ann" |
        | before model | observes                    |
      And the state of "B" has the fields
        | field | type |
        | b     | text |
      When the agent runs
      Then before model call 1, "B" sees the state {"b": "Ann"}
      And before model call 2, "B" sees the state {"b": "Ann"}
      And before model call 2, "A" sees the state {"a": 1}
      And afterwards the state includes {"a": 2, "b": "Ann"}

    Scenario: A third middleware without a state schema
      Given a middleware "A" that, before agent, sets the state "a" to 1
      And the state of "A" has the fields
        | field | type   |
        | a     | number |
      And a middleware "B" with the actions
        | hook         | action                      |
        | before agent | sets the state "b" to "Ann" |
      And the state of "B" has the fields
        | field | type |
        | b     | text |
      And a middleware "C" that observes
      When the agent runs
      Then afterwards the state includes {"a": 1, "b": "Ann"}

    Scenario: Two middlewares whose names begin alike
      Given a middleware "A" with the actions
        | hook         | action                        |
        | before agent | sets the state "who" to "Ann" |
        | before model | observes                      |
      And the state of "A" has the fields
        | field | type | default |
        | who   | text | "?"     |
      And a middleware "A2" with the actions
        | hook         | action                       |
        | before agent | sets the state "who" to "Bo" |
        | before model | observes                     |
      And the state of "A2" has the fields
        | field | type | default |
        | who   | text | "?"     |
      When the agent runs
      Then before model, "A" sees the state {"who": "Ann"}
      And before model, "A2" sees the state {"who": "Bo"}

  @XP-STATE-09 @documented
  Rule: The middlewares of different agents have separate states

    Scenario: An agent and its sub-agent, each with a counter
      Given a middleware "A" that, before model, increments "calls" in the state
      And the state of "A" has the fields
        | field | type   |
        | calls | number |
      And a model that calls "helper" once before it answers "done"
      And a sub-agent "helper"
      And an input schema without properties
      And a middleware "A" that, before model, increments "calls" in the state
      And the state of "A" has the fields
        | field | type   |
        | calls | number |
      When the agent runs
      Then "A" is called 3 times before model
      And before model call 2, "A" sees no "calls" in its state
      And before model call 3, "A" sees the state {"calls": 1}

    Scenario: Two middlewares of an agent and one of its sub-agent
      Given a model that calls "helper" once before it answers "done"
      And a middleware "A" with the actions
        | hook         | action                         |
        | before agent | sets the state "a" to 1        |
        | before model | increments "seen" in the state |
      And the state of "A" has the fields
        | field | type   |
        | a     | number |
        | seen  | number |
      And a middleware "B" with the actions
        | hook        | action                                         |
        | after model | sets the state "b" to {"last": ["word", null]} |
        | after agent | observes                                       |
      And the state of "B" has the fields
        | field | type |
        | b     | any  |
      And a sub-agent "helper"
      And an input schema without properties
      And a middleware "S" with the actions
        | hook         | action                    |
        | before agent | sets the state "s" to "x" |
        | before model | observes                  |
      And the state of "S" has the fields
        | field | type |
        | s     | text |
      When the agent runs
      Then before model call 2, "A" sees the state {"a": 1, "seen": 1}
      And after agent, "B" sees the state {"b": {"last": ["word", null]}}
      And before model, "S" sees the state {"s": "x"}

    Scenario: A sub-agent of two sub-agents, with a counter
      Given a model that answers
        | calls | text |
        | left  |      |
        | right |      |
        |       | done |
      And a middleware "B" that observes before model
      And a sub-agent "left"
      And an input schema without properties
      And a model that answers
        | calls  | text |
        | helper |      |
        |        | done |
      And a sub-agent "helper"
      And an input schema without properties
      And a model that answers
        | text |
        | one  |
        | two  |
      And a middleware "A" that, before model, increments "calls" in the state
      And the state of "A" has the fields
        | field | type   |
        | calls | number |
      And an outer agent
      And an outer agent
      And a sub-agent "right"
      And an input schema without properties
      And a model that answers
        | calls  | text |
        | helper |      |
        |        | done |
      And a sub-agent "helper"
      And an input schema without properties
      And a model that answers
        | text |
        | one  |
        | two  |
      And a middleware "A" that, before model, increments "calls" in the state
      And the state of "A" has the fields
        | field | type   |
        | calls | number |
      When the agent runs
      Then "A" is called 2 times before model
      And before model call 1, "A" sees no "calls" in its state
      And before model call 2, "A" sees no "calls" in its state

  @PLUGIN-01 @clarified
  Rule: Two middlewares that declare the same field never share its value

    Scenario: Two counters with the same name
      Given a tool "t1" that returns "ok"
      And a model that calls "t1" once before it answers "done"
      And a middleware "A" that, before model, increments "n" in the state
      And the state of "A" has the fields
        | field | type   |
        | n     | number |
      And a middleware "B" that, before model, increments "n" in the state
      And the state of "B" has the fields
        | field | type   |
        | n     | number |
      When the agent runs
      Then building the agent fails, or before model call 2, "A" sees the state {"n": 1}
      And building the agent fails, or before model call 2, "B" sees the state {"n": 1}

    Scenario: Two declarations with different types and defaults
      Given a tool "t1" that returns "ok"
      And a model that calls "t1" once before it answers "done"
      And a middleware "A" with the actions
        | hook         | action                       |
        | before agent | sets the state "who" to "Bo" |
        | before model | observes                     |
      And the state of "A" has the fields
        | field | type | default   |
        | who   | text | "unknown" |
      And a middleware "B" that observes before model
      And the state of "B" has the fields
        | field | type   | default |
        | who   | number | 7       |
      When the agent runs
      Then building the agent fails, or before model call 2, "A" sees the state {"who": "Bo"}
      And building the agent fails, or before model call 2, "B" sees the state {"who": 7}

    Scenario: Two counters with different names
      Given a tool "t1" that returns "ok"
      And a model that calls "t1" once before it answers "done"
      And a middleware "A" that, before model, increments "n" in the state
      And the state of "A" has the fields
        | field | type   |
        | n     | number |
      And a middleware "B" that, before model, increments "m" in the state
      And the state of "B" has the fields
        | field | type   |
        | m     | number |
      When the agent runs
      Then before model call 2, "A" sees the state {"n": 1}
      And before model call 2, "B" sees the state {"m": 1}

  @PLUGIN-02 @clarified
  Rule: A middleware has no access to the state fields of other middlewares

    Scenario: Two middlewares with one field each
      Given a middleware "A" that, before agent, sets the state "a" to 1
      And the state of "A" has the fields
        | field | type   |
        | a     | number |
      And a middleware "B" with the actions
        | hook         | action                  |
        | before agent | sets the state "b" to 2 |
        | before model | observes                |
      And the state of "B" has the fields
        | field | type   |
        | b     | number |
      When the agent runs
      Then before model, "B" sees the state {"b": 2}
      And before model, "B" sees no "a" in its state

    Scenario: A wrapper inside the wrapper of another middleware
      Given a tool "t1" that returns "ok"
      And a model that calls "t1" once before it answers "done"
      And a middleware "A" with the actions
        | hook         | action                  |
        | before agent | sets the state "a" to 1 |
        | around model | observes                |
        | around tool  | observes                |
      And the state of "A" has the fields
        | field | type   |
        | a     | number |
      And a middleware "B" with the actions
        | hook         | action                  |
        | before agent | sets the state "b" to 2 |
        | around model | observes                |
        | around tool  | observes                |
      And the state of "B" has the fields
        | field | type   |
        | b     | number |
      When the agent runs
      Then around model call 1, "B" sees the state {"b": 2}
      And around model call 1, "B" sees no "a" in its state
      And around tool call 1, "B" sees the state {"b": 2}
      And around tool call 1, "B" sees no "a" in its state

    Scenario: A middleware sets a field that another middleware declares
      Given a middleware "A" with the actions
        | hook         | action                  |
        | before agent | sets the state "a" to 1 |
        | before model | observes                |
      And the state of "A" has the fields
        | field | type   |
        | a     | number |
      And a middleware "B" that, before agent, sets the state "a" to 9
      And the state of "B" has the fields
        | field | type   |
        | b     | number |
      When the agent runs
      Then before model, "A" sees the state {"a": 1}
      And afterwards the state includes {"a": 1}

  @XP-STATE-07 @clarified
  Rule: A middleware's state update is stored without its undeclared fields

    Scenario: A declared and an undeclared field
      Given a middleware "A" with the actions
        | hook         | action                                                     |
        | before agent | sets the state "wo" to "Bo"; sets the state "who" to "Ann" |
        | before model | observes                                                   |
      And the state of "A" has the fields
        | field | type |
        | who   | text |
      When the agent runs
      Then the run succeeds
      And before model, "A" sees the state {"who": "Ann"}
      And before model, "A" sees no "wo" in its state
      And afterwards the state has no "wo"

    Scenario: No declared fields
      Given a middleware "A" with the actions
        | hook         | action                      |
        | before agent | sets the state "wo" to "Bo" |
        | before model | observes                    |
      When the agent runs
      Then the run succeeds
      And before model, "A" sees no "wo" in its state
      And afterwards the state has no "wo"
