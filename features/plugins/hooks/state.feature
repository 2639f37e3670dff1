Feature: The state of a middleware
  A middleware may have a memory of its own: a number it counts, a list it fills.
  It says beforehand which fields that memory has. What it puts into them is
  there when it is called again, in the same run and, where the agent keeps
  threads, in the next run of the same thread.

  @XP-STATE-01 @documented
  Rule: What a middleware puts into a field of its state is there in all later hooks of the run

    Scenario: Counted before each of three model calls
      Given a tool "t1" that returns "ok"
      And a model that calls "t1" 2 times before it answers "done"
      And a middleware "A" that, before model, counts "seen" in the state
      And the state of "A" has the fields
        | field | type   |
        | seen  | number |
      When the agent runs
      Then before model call 2, "A" sees the state {"seen": 1}
      And before model call 3, "A" sees the state {"seen": 2}
      And afterwards the state holds {"seen": 3}

    Scenario: Put there by one hook, and seen by all that come later
      Given a middleware "A" that does
        | hook         | deed                          |
        | before agent | sets the state "who" to "Ann" |
        | before model | looks on                      |
        | after model  | looks on                      |
        | after agent  | looks on                      |
      And the state of "A" has the fields
        | field | type |
        | who   | text |
      When the agent runs
      Then before agent, "A" sees no "who" in its state
      And before model, "A" sees the state {"who": "Ann"}
      And after model, "A" sees the state {"who": "Ann"}
      And after agent, "A" sees the state {"who": "Ann"}

    Scenario: The run is interrupted by a tool and resumed
      Given the tools
        | name | interrupts |
        | t1   | yes        |
      And a model that calls "t1" once before it answers "done"
      And a middleware "A" that, before model, counts "seen" in the state
      And the state of "A" has the fields
        | field | type   |
        | seen  | number |
      When the agent runs and is resumed
      Then run 1 is interrupted
      And before model of run 2, "A" sees the state {"seen": 1}

  @XP-STATE-11 @clarified
  Rule: What a run leaves in the state of a middleware is there in the next run of the thread

    Scenario: The next run of the thread
      Given a middleware "A" that, before agent, counts "runs" in the state
      And the state of "A" has the fields
        | field | type   |
        | runs  | number |
      And run 1 belongs to the thread "t"
      And run 2 belongs to the thread "t"
      When the agent runs twice
      Then before agent of run 2, "A" sees the state {"runs": 1}

  @XP-STATE-12 @clarified
  Rule: What a run leaves in the state of a middleware is absent from the runs of other threads

    Scenario: The next run is of another thread
      Given a middleware "A" that, before agent, counts "runs" in the state
      And the state of "A" has the fields
        | field | type   |
        | runs  | number |
      And run 1 belongs to the thread "t"
      And run 2 belongs to the thread "another"
      When the agent runs twice
      Then afterwards the state holds {"runs": 1}
      And before agent call 2, "A" sees no "runs" in its state

  @XP-BEST-04 @documented
  Rule: All fields that a state schema declares are kept, each with its own value

    Scenario: A text, a number, a list and an object, of which one changes later
      Given a tool "t1" that returns "ok"
      And a model that calls "t1" once before it answers "done"
      And a middleware "A" that does
        | hook                | deed                                                   |
        | before agent        | sets the state "who" to "Ann"                          |
        | before agent        | sets the state "tries" to 2                            |
        | before agent        | sets the state "log" to ["a", "b"]                     |
        | before agent        | sets the state "plan" to {"do": ["x"], "by": {"n": 1}} |
        | before model        | looks on                                               |
        | before model call 2 | sets the state "tries" to 3                            |
      And the state of "A" has the fields
        | field | type   |
        | who   | text   |
        | tries | number |
        | log   | list   |
        | plan  | any    |
      When the agent runs
      Then before model call 2, "A" sees the state {"who": "Ann", "tries": 2, "log": ["a", "b"], "plan": {"do": ["x"], "by": {"n": 1}}}
      And afterwards the state holds {"who": "Ann", "tries": 3, "log": ["a", "b"], "plan": {"do": ["x"], "by": {"n": 1}}}

  @XP-STATE-02 @documented
  Rule: A state can be declared as an object, as an optional object, and with defaults

    Scenario Outline: A value that is kept by a state declared as <form>
      Given a middleware "A" that does
        | hook         | deed                          |
        | before agent | sets the state "who" to "Ann" |
        | before model | looks on                      |
      And the state of "A" has the fields
        | field | type |
        | who   | text |
      And the state of "A" is declared as <form>
      When the agent runs
      Then before model, "A" sees the state {"who": "Ann"}
      And afterwards the state holds {"who": "Ann"}

      Examples: The plain form
        | form      |
        | an object |

      Examples: A form that may be missing as a whole
        | form               |
        | an optional object |

    Scenario: A state declared as an object with defaults
      Given a middleware "A" that does
        | hook         | deed                          |
        | before agent | sets the state "who" to "Ann" |
        | before model | looks on                      |
      And the state of "A" has the fields
        | field | type | default  |
        | who   | text | "nobody" |
      And the state of "A" is declared as an object with defaults
      When the agent runs
      Then before model, "A" sees the state {"who": "Ann"}
      And afterwards the state holds {"who": "Ann"}

  @XP-STATE-03 @documented
  Rule: A field that nothing has been put into has its default, and one that has a value keeps it

    Scenario: Before the agent, nothing has been put into any field
      Given a middleware "A" that looks on before agent
      And the state of "A" has the fields
        | field | type   | default        |
        | who   | text   | "nobody"       |
        | tries | number | 3              |
        | log   | list   | ["it was new"] |
      When the agent runs
      Then before agent, "A" sees the state {"who": "nobody", "tries": 3, "log": ["it was new"]}

    Scenario: Some fields are given a value, one of them an empty list and one a nought
      Given a middleware "A" that does
        | hook         | deed                                                    |
        | before agent | sets the state "tries" to 0; sets the state "log" to [] |
        | before model | looks on                                                |
      And the state of "A" has the fields
        | field | type   | default        |
        | who   | text   | "nobody"       |
        | tries | number | 3              |
        | log   | list   | ["it was new"] |
      When the agent runs
      Then before model, "A" sees the state {"who": "nobody", "tries": 0, "log": []}

  @XP-STATE-04 @clarified
  Rule: An update puts its values in the place of the old ones and leaves all other fields as they are

    Scenario: One field, and then another
      Given a middleware "A" that does
        | hook         | deed                          |
        | before agent | sets the state "who" to "Ann" |
        | before model | sets the state "tries" to 2   |
        | after model  | looks on                      |
      And the state of "A" has the fields
        | field | type   |
        | who   | text   |
        | tries | number |
      When the agent runs
      Then after model, "A" sees the state {"who": "Ann", "tries": 2}

    Scenario: One field twice
      Given a middleware "A" that does
        | hook         | deed                                                                                      |
        | before agent | sets the state "log" to ["a"]; sets the state "plan" to {"x": 1}; sets the state "n" to 5 |
        | before model | sets the state "log" to ["b"]; sets the state "plan" to {"y": 2}; sets the state "n" to 4 |
        | after model  | looks on                                                                                  |
      And the state of "A" has the fields
        | field | type   |
        | log   | list   |
        | plan  | any    |
        | n     | number |
      When the agent runs
      Then after model, "A" sees the state {"log": ["b"], "plan": {"y": 2}, "n": 4}

  @XP-STATE-07 @clarified
  Rule: What an update holds besides the declared fields is dropped, and the rest of it is kept

    Scenario: A declared field and one that is not
      Given a middleware "A" that does
        | hook         | deed                                                       |
        | before agent | sets the state "wo" to "Bo"; sets the state "who" to "Ann" |
        | before model | looks on                                                   |
      And the state of "A" has the fields
        | field | type |
        | who   | text |
      When the agent runs
      Then the run succeeds
      And before model, "A" sees the state {"who": "Ann"}
      And before model, "A" sees no "wo" in its state
      And afterwards the state does not hold "wo"

    Scenario: No field is declared at all
      Given a middleware "A" that does
        | hook         | deed                        |
        | before agent | sets the state "wo" to "Bo" |
        | before model | looks on                    |
      When the agent runs
      Then the run succeeds
      And before model, "A" sees no "wo" in its state
      And afterwards the state does not hold "wo"
