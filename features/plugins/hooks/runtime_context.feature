Feature: The runtime context
  Whoever starts a run can tell it something that only this run needs to know:
  who is asking, in which language, with which rights. A middleware says what it
  wants to know of that and reads it in its hooks. It cannot change it, and when
  the run is over, nobody has kept it.

  @XP-CTX-01 @documented
  Rule: All hooks of a middleware can read the fields of the runtime context that its schema declares

    Scenario: Each of the six hooks reads who is asking
      Given a tool "t1" that returns "ok"
      And a model that calls "t1" once before it answers "done"
      And a middleware "A" that looks on
      And the context of "A" has the fields
        | field | type   | required |
        | user  | text   | yes      |
        | level | number | yes      |
      And the runtime context {"user": "ann", "level": 3}
      When the agent runs
      Then before agent, "A" sees the runtime context {"user": "ann", "level": 3}
      And before model, "A" sees the runtime context {"user": "ann", "level": 3}
      And around model, "A" sees the runtime context {"user": "ann", "level": 3}
      And after model, "A" sees the runtime context {"user": "ann", "level": 3}
      And around tool, "A" sees the runtime context {"user": "ann", "level": 3}
      And after agent, "A" sees the runtime context {"user": "ann", "level": 3}

    Scenario: Two runs of an agent, each with a context of its own
      Given a middleware "A" that looks on before model
      And the context of "A" has the fields
        | field | type | required |
        | user  | text | yes      |
      And the runtime context {"user": "ann"}
      And run 2 has the runtime context {"user": "bob"}
      When the agent runs twice
      Then before model call 1, "A" sees the runtime context {"user": "ann"}
      And before model call 2, "A" sees the runtime context {"user": "bob"}

  @XP-CTX-02 @documented
  Rule: The runtime context is not kept: neither what a run leaves nor the next run has it

    Scenario: What a run leaves
      Given a middleware "A" that, before model, counts "seen" in the state
      And the state of "A" has the fields
        | field | type   |
        | seen  | number |
      And the context of "A" has the fields
        | field | type | required |
        | user  | text | yes      |
      And the runtime context {"user": "ann"}
      When the agent runs
      Then before model, "A" sees the runtime context {"user": "ann"}
      And afterwards the state holds {"seen": 1}
      And nothing that run 1 leaves says "ann"

    Scenario: The next run of the thread is given less
      Given a middleware "A" that looks on before model
      And the context of "A" has the fields
        | field    | type |
        | user     | text |
        | language | text |
      And the runtime context {"user": "ann", "language": "en"}
      And run 2 has the runtime context {"language": "fr"}
      And run 1 belongs to the thread "t"
      And run 2 belongs to the thread "t"
      When the agent runs twice
      Then before model call 1, "A" sees the runtime context {"user": "ann"}
      And before model call 2, "A" sees the runtime context {"language": "fr"}
      And before model of run 2, "A" sees no "user" in the runtime context

    Scenario: The next run of the thread is given an empty context
      Given a middleware "A" that looks on before model
      And the context of "A" has the fields
        | field | type |
        | user  | text |
      And the runtime context {"user": "ann"}
      And run 2 has the runtime context {}
      And run 1 belongs to the thread "t"
      And run 2 belongs to the thread "t"
      When the agent runs twice
      Then before model of run 2, "A" sees no "user" in the runtime context

    Scenario: The checkpoint of an interrupted run
      Given the tools
        | name | interrupts |
        | t1   | yes        |
      And a model that calls "t1" once before it answers "done"
      And a middleware "A" that looks on before model
      And the context of "A" has the fields
        | field | type |
        | user  | text |
      And the runtime context {"user": "annabel-lee"}
      When the agent runs
      Then before model, "A" sees the runtime context {"user": "annabel-lee"}
      And run 1 is interrupted
      And nothing that run 1 leaves says "annabel-lee"

    Scenario: The resumed run is given less
      Given the tools
        | name | interrupts |
        | t1   | yes        |
      And a model that calls "t1" once before it answers "done"
      And a middleware "A" that looks on before model
      And the context of "A" has the fields
        | field    | type |
        | user     | text |
        | language | text |
      And the runtime context {"user": "ann", "language": "en"}
      And run 2 has the runtime context {"language": "fr"}
      When the agent runs and is resumed
      Then run 1 is interrupted
      And before model call 1, "A" sees the runtime context {"user": "ann"}
      And before model call 2, "A" sees the runtime context {"language": "fr"}
      And before model of run 2, "A" sees no "user" in the runtime context

  @XP-CTX-03 @derived
  Rule: No hook can change the runtime context, neither for itself nor for others

    Scenario: It tries to, before the agent and before the model
      Given a middleware "A" that does
        | hook         | deed                                             |
        | before agent | tries to set the runtime context "user" to "eve" |
        | before model | tries to set the runtime context "user" to "bob" |
        | after model  | looks on                                         |
      And the context of "A" has the fields
        | field | type | required |
        | user  | text | yes      |
      And a middleware "B" that looks on before model
      And the context of "B" has the fields
        | field | type | required |
        | user  | text | yes      |
      And the runtime context {"user": "ann"}
      When the agent runs
      Then "A" is not allowed to change the runtime context, or changes nothing
      And before agent, "A" sees the runtime context {"user": "ann"}
      And before model, "B" sees the runtime context {"user": "ann"}

  @XP-CTX-04 @clarified
  Rule: A run without a value that a context schema requires fails before any hook is called

    Scenario Outline: The run is given <given>
      Given a middleware "A" that looks on
      And the context of "A" has the fields
        | field    | type | required |
        | user     | text | yes      |
        | language | text |          |
      And the runtime context <context>
      When the agent runs
      Then the run fails
      And "A" is never called before agent
      And "A" is never called before model
      And "A" is never called after agent
      And the model is called 0 times

      Examples: Something is missing
        | given           | context            |
        | another value   | {"language": "en"} |
        | no value at all | {}                 |

    Scenario: The run is given no context
      Given a middleware "A" that looks on
      And the context of "A" has the fields
        | field | type | required |
        | user  | text | yes      |
      When the agent runs
      Then the run fails
      And "A" is never called before agent
      And "A" is never called before model
      And the model is called 0 times

    Scenario: The value is missing that only the second middleware requires
      Given a middleware "A" that looks on
      And a middleware "B" that looks on after agent
      And the context of "B" has the fields
        | field | type | required |
        | user  | text | yes      |
      When the agent runs
      Then the run fails
      And "A" is never called before agent
      And the model is called 0 times

    Scenario: Nothing is missing but what is not required
      Given a middleware "A" that looks on
      And the context of "A" has the fields
        | field    | type | required |
        | user     | text | yes      |
        | language | text |          |
      And the runtime context {"user": "ann"}
      When the agent runs
      Then the run succeeds
      And before agent, "A" sees the runtime context {"user": "ann"}
      And the model is called once

  @XP-CTX-05 @clarified
  Rule: A run with a value that does not fit the context schema fails before any hook is called

    Scenario Outline: A <value> for a <type>
      Given a middleware "A" that looks on
      And the context of "A" has the fields
        | field | type   | required |
        | it    | <type> | yes      |
      And the runtime context {"it": <given>}
      When the agent runs
      Then the run fails
      And "A" is never called before agent
      And "A" is never called before model
      And the model is called 0 times

      Examples: Values of another type
        | type   | value  | given   |
        | text   | number | 3       |
        | number | text   | "three" |
        | number | digit  | "3"     |
        | list   | text   | "three" |

    Scenario: A value that nobody has declared
      Given a middleware "A" that looks on
      And the context of "A" has the fields
        | field | type | required |
        | user  | text | yes      |
      And the runtime context {"user": "ann", "level": "three"}
      When the agent runs
      Then the run succeeds
      And before agent, "A" sees the runtime context {"user": "ann"}

  @PLUGIN-47 @clarified
  Rule: The middlewares of a sub-agent read the runtime context of the run that it is a part of

    Scenario: A middleware of the agent, and one of its sub-agent
      Given a model that answers
        | text | calls                             |
        |      | helper({"request": "Look it up"}) |
        | done |                                   |
      And a middleware "A" that looks on before model
      And the context of "A" has the fields
        | field | type | required |
        | user  | text | yes      |
      And the runtime context {"user": "ann"}
      And a sub-agent "helper", with
      And a middleware "B" that looks on before model
      And the context of "B" has the fields
        | field | type | required |
        | user  | text | yes      |
      When the agent runs
      Then the run succeeds
      And before model, "A" sees the runtime context {"user": "ann"}
      And before model, "B" sees the runtime context {"user": "ann"}
