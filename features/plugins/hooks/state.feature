Feature: The state of a middleware
  A middleware can have a state, for example a counter or a list. Its schema
  declares the fields. The values last for the whole run. A thread is a
  conversation over several runs: with threads, the values last for later runs
  of the same thread. Middlewares do not have to know each other: each has a
  state of its own.

  @XP-STATE-01 @derived
  Rule: A value that a middleware sets in its state is available to all later hooks of the run

    Scenario: A counter before each of three model calls
      Given a tool "t1" that returns "ok"
      And a model that calls "t1" 2 times before it answers "done"
      And a middleware "A" that, before model, increments "seen" in the state
      And the state of "A" has the fields
        | field | type   |
        | seen  | number |
      When the agent runs
      Then before model call 2, "A" sees the state {"seen": 1}
      And before model call 3, "A" sees the state {"seen": 2}
      And afterwards the state includes {"seen": 3}

    Scenario: A value from the before-agent hook
      Given a middleware "A" with the actions
        | hook         | action                        |
        | before agent | sets the state "who" to "Ann" |
        | before model | observes                      |
        | after model  | observes                      |
        | after agent  | observes                      |
      And the state of "A" has the fields
        | field | type |
        | who   | text |
      When the agent runs
      Then before agent, "A" sees no "who" in its state
      And before model, "A" sees the state {"who": "Ann"}
      And after model, "A" sees the state {"who": "Ann"}
      And after agent, "A" sees the state {"who": "Ann"}

    Scenario: A tool interrupts the run, which is then resumed
      Given the tools
        | name | interrupts |
        | t1   | yes        |
      And a model that calls "t1" once before it answers "done"
      And a middleware "A" that, before model, increments "seen" in the state
      And the state of "A" has the fields
        | field | type   |
        | seen  | number |
      When the agent runs and is resumed
      Then run 1 is interrupted
      And before model of run 2, "A" sees the state {"seen": 1}

    Scenario: A value from the before-agent hook in both wrappers
      Given a tool "t1" that returns "ok"
      And a model that calls "t1" once before it answers "done"
      And a middleware "A" with the actions
        | hook         | action                        |
        | before agent | sets the state "who" to "Ann" |
        | around model | observes                      |
        | around tool  | observes                      |
      And the state of "A" has the fields
        | field | type |
        | who   | text |
      When the agent runs
      Then around model call 1, "A" sees the state {"who": "Ann"}
      And around tool, "A" sees the state {"who": "Ann"}

    Scenario: Values from the before-agent and before-model hooks in the wrappers
      Given a tool "t1" that returns "ok"
      And a model that calls "t1" once before it answers "done"
      And a middleware "A" with the actions
        | hook         | action                         |
        | before agent | sets the state "who" to "Ann"  |
        | before model | increments "seen" in the state |
        | around model | observes                       |
        | around tool  | observes                       |
      And the state of "A" has the fields
        | field | type   |
        | who   | text   |
        | seen  | number |
      When the agent runs
      Then around model call 1, "A" sees the state {"who": "Ann", "seen": 1}
      And around tool, "A" sees the state {"who": "Ann", "seen": 1}
      And around model call 2, "A" sees the state {"who": "Ann", "seen": 2}

    Scenario: A value from an after-model hook in the tool wrapper
      Given a tool "t1" that returns "ok"
      And a model that calls "t1" once before it answers "done"
      And a middleware "A" with the actions
        | hook        | action                              |
        | after model | sets the state "plan" to {"n": [0]} |
        | around tool | observes                            |
      And the state of "A" has the fields
        | field | type |
        | plan  | any  |
      When the agent runs
      Then around tool, "A" sees the state {"plan": {"n": [0]}}

    Scenario: A value from the command of the first of two sequential tool calls
      Given a tool "t1" that returns "ok"
      And tool calls run sequentially
      And a model that answers
        | calls  | text |
        | t1, t1 |      |
        |        | done |
      And a middleware "A" that, around tool call 1, turns the answer into a command that sets the state "seen" to 1
      And a middleware "A" that, before model, observes
      And the state of "A" has the fields
        | field | type   |
        | seen  | number |
      When the agent runs
      Then around tool call 2, "A" sees the state {"seen": 1}
      And before model call 2, "A" sees the state {"seen": 1}

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

  @XP-BEST-04 @derived
  Rule: A middleware state keeps the value of every field that its schema declares

    Scenario: A text, a number, a list and an object, with one later change
      Given a tool "t1" that returns "ok"
      And a model that calls "t1" once before it answers "done"
      And a middleware "A" with the actions
        | hook                | action                                                 |
        | before agent        | sets the state "who" to "Ann"                          |
        | before agent        | sets the state "tries" to 2                            |
        | before agent        | sets the state "log" to ["a", "b"]                     |
        | before agent        | sets the state "plan" to {"do": ["x"], "by": {"n": 1}} |
        | before model        | observes                                               |
        | before model call 2 | sets the state "tries" to 3                            |
      And the state of "A" has the fields
        | field | type   |
        | who   | text   |
        | tries | number |
        | log   | list   |
        | plan  | any    |
      When the agent runs
      Then before model call 2, "A" sees the state {"who": "Ann", "tries": 2, "log": ["a", "b"], "plan": {"do": ["x"], "by": {"n": 1}}}
      And afterwards the state includes {"who": "Ann", "tries": 3, "log": ["a", "b"], "plan": {"do": ["x"], "by": {"n": 1}}}

    Scenario Outline: A later change to <value>
      Given a tool "t1" that returns "ok"
      And a model that calls "t1" once before it answers "done"
      And a middleware "A" with the actions
        | hook                | action                         |
        | before agent        | sets the state "x" to ["full"] |
        | before model call 2 | sets the state "x" to <value>  |
        | after model         | observes                       |
      And the state of "A" has the fields
        | field | type |
        | x     | any  |
      When the agent runs
      Then after model call 2, "A" sees the state {"x": <value>}
      And afterwards the state includes {"x": <value>}

      Examples: empty values
        | value |
        | ""    |
        | []    |
        | {}    |

      Examples: zero and false
        | value |
        | 0     |
        | false |

  @XP-STATE-02 @documented
  Rule: A middleware's state schema can be an object, an optional object or an object with defaults

    Scenario Outline: A state declared as <form>
      Given a middleware "A" with the actions
        | hook         | action                        |
        | before agent | sets the state "who" to "Ann" |
        | before model | observes                      |
      And the state of "A" has the fields
        | field | type |
        | who   | text |
      And the state of "A" is declared as <form>
      When the agent runs
      Then before model, "A" sees the state {"who": "Ann"}
      And afterwards the state includes {"who": "Ann"}

      Examples: required form
        | form      |
        | an object |

      Examples: optional form
        | form               |
        | an optional object |

    Scenario: A state declared as an object with defaults
      Given a middleware "A" with the actions
        | hook         | action                        |
        | before agent | sets the state "who" to "Ann" |
        | before model | observes                      |
      And the state of "A" has the fields
        | field | type | default   |
        | who   | text | "unknown" |
      And the state of "A" is declared as an object with defaults
      When the agent runs
      Then before model, "A" sees the state {"who": "Ann"}
      And afterwards the state includes {"who": "Ann"}

  @XP-STATE-03 @documented
  Rule: A middleware state field has its declared default until a value is set

    Scenario: No field is set
      Given a middleware "A" that observes before agent
      And the state of "A" has the fields
        | field | type   | default        |
        | who   | text   | "unknown"      |
        | tries | number | 3              |
        | log   | list   | ["it was new"] |
      When the agent runs
      Then before agent, "A" sees the state {"who": "unknown", "tries": 3, "log": ["it was new"]}

    Scenario: Two fields are set, one to zero and one to an empty list
      Given a middleware "A" with the actions
        | hook         | action                                                  |
        | before agent | sets the state "tries" to 0; sets the state "log" to [] |
        | before model | observes                                                |
      And the state of "A" has the fields
        | field | type   | default        |
        | who   | text   | "unknown"      |
        | tries | number | 3              |
        | log   | list   | ["it was new"] |
      When the agent runs
      Then before model, "A" sees the state {"who": "unknown", "tries": 0, "log": []}

    Scenario Outline: The default is <what>
      Given a middleware "A" that observes before agent
      And the state of "A" has the fields
        | field | type | default   |
        | x     | any  | <default> |
      When the agent runs
      Then before agent, "A" sees the state {"x": <default>}

      Examples: empty values
        | what            | default |
        | zero            | 0       |
        | false           | false   |
        | an empty text   | ""      |
        | an empty list   | []      |
        | an empty object | {}      |

  @XP-STATE-04 @clarified
  Rule: A middleware's state update replaces exactly the fields that it contains

    Scenario: Two updates of different fields
      Given a middleware "A" with the actions
        | hook         | action                        |
        | before agent | sets the state "who" to "Ann" |
        | before model | sets the state "tries" to 2   |
        | after model  | observes                      |
      And the state of "A" has the fields
        | field | type   |
        | who   | text   |
        | tries | number |
      When the agent runs
      Then after model, "A" sees the state {"who": "Ann", "tries": 2}

    Scenario: Two updates of the same fields
      Given a middleware "A" with the actions
        | hook         | action                                                                                    |
        | before agent | sets the state "log" to ["a"]; sets the state "plan" to {"x": 1}; sets the state "n" to 5 |
        | before model | sets the state "log" to ["b"]; sets the state "plan" to {"y": 2}; sets the state "n" to 4 |
        | after model  | observes                                                                                  |
      And the state of "A" has the fields
        | field | type   |
        | log   | list   |
        | plan  | any    |
        | n     | number |
      When the agent runs
      Then after model, "A" sees the state {"log": ["b"], "plan": {"y": 2}, "n": 4}

    Scenario Outline: A field that had a value is set to <what>
      Given a middleware "A" with the actions
        | hook         | action                          |
        | before agent | sets the state "x" to "a value" |
        | before model | sets the state "x" to <value>   |
        | after model  | observes                        |
      And the state of "A" has the fields
        | field | type |
        | x     | any  |
      When the agent runs
      Then after model, "A" sees the state {"x": <value>}
      And afterwards the state includes {"x": <value>}

      Examples: empty values
        | what            | value |
        | null            | null  |
        | zero            | 0     |
        | false           | false |
        | an empty text   | ""    |
        | an empty list   | []    |
        | an empty object | {}    |

    Scenario: A list gets two equal items, and loses one of them
      Given a middleware "A" with the actions
        | hook         | action                             |
        | before agent | sets the state "log" to ["a", "a"] |
        | before model | observes                           |
        | after model  | sets the state "log" to ["a"]      |
        | after agent  | observes                           |
      And the state of "A" has the fields
        | field | type |
        | log   | list |
      When the agent runs
      Then before model, "A" sees the state {"log": ["a", "a"]}
      And after agent, "A" sees the state {"log": ["a"]}

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
