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

    Scenario: Another field has no default
      Given a middleware "A" that observes before agent
      And the state of "A" has the fields
        | field | type   | default |
        | note  | text   |         |
        | tries | number | 3       |
      When the agent runs
      Then before agent, "A" sees the state {"tries": 3}

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

    Scenario: Empty values in a later round of an agentic run
      Given a streaming run
      And a conversation of agentic messages
        | role | content |
        | user | \ü*2001 |
        | user | \ü*2001 |
      And the tools
        | name | returns | kind       |
        | t0   |         | streamable |
      And a model that calls "t0" 2 times before it answers "done"
      And a middleware "A" with the actions
        | hook                | action                                                 |
        | before model call 1 | sets the state "seen" to 0; sets the state "mood" to "" |
        | before model call 2 | observes                                               |
      And the state of "A" has the fields
        | field | type   | default |
        | seen  | number | 3       |
        | mood  | text   | "gut"   |
      When the agent runs
      Then before model call 2, "A" sees the state {"seen": 0, "mood": ""}
      And afterwards the state includes {"seen": 0, "mood": ""}

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

    Scenario: Two calls of one answer set two fields, and the first call ends last
      Given a middleware "A" with the actions
        | hook         | action                      |
        | before agent | sets the state "tries" to 1 |
        | before model | observes                    |
      And "A" provides the tools
        | name | sets           | held until                 |
        | t1   | {"who": "Ann"} | the tool "t2" has returned |
        | t2   | {"tries": 2}   |                            |
      And the state of "A" has the fields
        | field | type   |
        | who   | text   |
        | tries | number |
      And a model that answers
        | calls  | text |
        | t1, t2 |      |
        |        | done |
      When the agent runs
      Then before model call 2, "A" sees the state {"who": "Ann", "tries": 2}
