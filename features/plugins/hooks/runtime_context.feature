Feature: The runtime context
  The caller can pass values that are valid for one run only, such as the
  user, a language or permissions. A middleware declares in a schema which of
  these values it needs. Its hooks can read the values and cannot change them.

  @XP-CTX-01 @derived
  Rule: All hooks of a middleware can read the runtime context fields that its schema declares

    Scenario: Each of the six hooks reads two fields
      Given a tool "t1" that returns "ok"
      And a model that calls "t1" once before it answers "done"
      And a middleware "A" that observes
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

    Scenario: Two runs of an agent with different contexts
      Given a middleware "A" that observes before model
      And the context of "A" has the fields
        | field | type | required |
        | user  | text | yes      |
      And the runtime context {"user": "ann"}
      And run 2 has the runtime context {"user": "bob"}
      When the agent runs twice
      Then before model call 1, "A" sees the runtime context {"user": "ann"}
      And before model call 2, "A" sees the runtime context {"user": "bob"}

    Scenario: Fields with empty values
      Given a middleware "A" that observes
      And the context of "A" has the fields
        | field | type   | required |
        | user  | text   | yes      |
        | level | number | yes      |
        | tags  | list   | no       |
        | debug | any    | no       |
      And the runtime context {"user": "", "level": 0, "tags": [], "debug": {}}
      When the agent runs
      Then before model, "A" sees the runtime context {"user": "", "level": 0, "tags": [], "debug": {}}
      And after model, "A" sees the runtime context {"user": "", "level": 0, "tags": [], "debug": {}}

  @XP-CTX-02 @documented
  Rule: The runtime context of a run is not persisted

    Scenario: The state after the run
      Given a middleware "A" that, before model, increments "seen" in the state
      And the state of "A" has the fields
        | field | type   |
        | seen  | number |
      And the context of "A" has the fields
        | field | type | required |
        | user  | text | yes      |
      And the runtime context {"user": "ann"}
      When the agent runs
      Then before model, "A" sees the runtime context {"user": "ann"}
      And afterwards the state includes {"seen": 1}
      And no stored state of run 1 contains "ann"

    Scenario: The next run of the thread has a smaller context
      Given a middleware "A" that observes before model
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

    Scenario: The next run of the thread has an empty context
      Given a middleware "A" that observes before model
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
      And a middleware "A" that observes before model
      And the context of "A" has the fields
        | field | type |
        | user  | text |
      And the runtime context {"user": "annabel-lee"}
      When the agent runs
      Then before model, "A" sees the runtime context {"user": "annabel-lee"}
      And run 1 is interrupted
      And no stored state of run 1 contains "annabel-lee"

    Scenario: The resumed run has a smaller context
      Given the tools
        | name | interrupts |
        | t1   | yes        |
      And a model that calls "t1" once before it answers "done"
      And a middleware "A" that observes before model
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

    Scenario: A run that is interrupted late and resumed with a smaller context, and the next run of the thread
      Given a streaming run
      And a conversation of agentic messages
        | role | content |
        | user | \ü*2001 |
        | user | \ü*2001 |
      And the tools
        | name | returns | kind       | interrupts |
        | t0   |         | streamable |            |
        | t1   |         | streamable | yes        |
      And a model that answers
        | text | calls                                                |
        |      | t0({"city": "Köln"}) as a                            |
        |      | t0({"city": "Köln"}) as b                            |
        |      | t0({"city": "Bonn"}) as c, t1({"city": "Köln"}) as d |
        | done |                                                      |
      And a middleware "A" that observes before model and after model
      And the context of "A" has the fields
        | field    | type |
        | user     | text |
        | language | text |
      And the runtime context {"user": "annabel-lee", "language": "en"}
      And run 2 has the runtime context {"language": "fr"}
      And run 3 has the runtime context {"language": "de"}
      And run 1 belongs to the thread "t"
      And run 2 belongs to the thread "t"
      And run 3 belongs to the thread "t"
      When the agent runs, is resumed, and runs once more
      Then run 1 is interrupted by t1
      And no stored state of run 1 contains "annabel-lee"
      And before model call 4, "A" sees the runtime context {"language": "fr"}
      And before model of run 2, "A" sees no "user" in the runtime context
      And before model of run 3, "A" sees no "user" in the runtime context

  @XP-CTX-03 @derived
  Rule: A middleware hook cannot change the runtime context

    Scenario: Attempts before the agent and before the model
      Given a middleware "A" with the actions
        | hook         | action                                           |
        | before agent | tries to set the runtime context "user" to "eve" |
        | before model | tries to set the runtime context "user" to "bob" |
        | after model  | observes                                         |
      And the context of "A" has the fields
        | field | type | required |
        | user  | text | yes      |
      And a middleware "B" that observes before model
      And the context of "B" has the fields
        | field | type | required |
        | user  | text | yes      |
      And the runtime context {"user": "ann"}
      When the agent runs
      Then the runtime context that "A" sees never changes
      And before agent, "A" sees the runtime context {"user": "ann"}
      And before model, "B" sees the runtime context {"user": "ann"}

  @XP-CTX-04 @clarified
  Rule: A run without a required runtime context value fails before any middleware hook is called

    Scenario Outline: The context contains <given>
      Given a middleware "A" that observes
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

      Examples: missing values
        | given              | context            |
        | only another value | {"language": "en"} |
        | no value           | {}                 |

    Scenario: The run has no context
      Given a middleware "A" that observes
      And the context of "A" has the fields
        | field | type | required |
        | user  | text | yes      |
      When the agent runs
      Then the run fails
      And "A" is never called before agent
      And "A" is never called before model
      And the model is called 0 times

    Scenario: A value is missing that only the second middleware requires
      Given a middleware "A" that observes
      And a middleware "B" that observes after agent
      And the context of "B" has the fields
        | field | type | required |
        | user  | text | yes      |
      When the agent runs
      Then the run fails
      And "A" is never called before agent
      And the model is called 0 times

    Scenario: An optional value is missing
      Given a middleware "A" that observes
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
  Rule: A run with a runtime context value of the wrong type fails before any middleware hook is called

    Scenario Outline: A <value> for a <type>
      Given a middleware "A" that observes
      And the context of "A" has the fields
        | field | type   | required |
        | it    | <type> | yes      |
      And the runtime context {"it": <given>}
      When the agent runs
      Then the run fails
      And "A" is never called before agent
      And "A" is never called before model
      And the model is called 0 times

      Examples: values of another type
        | type   | value  | given   |
        | text   | number | 3       |
        | number | text   | "three" |
        | number | digit  | "3"     |
        | list   | text   | "three" |

    Scenario: An undeclared value
      Given a middleware "A" that observes
      And the context of "A" has the fields
        | field | type | required |
        | user  | text | yes      |
      And the runtime context {"user": "ann", "level": "three"}
      When the agent runs
      Then the run succeeds
      And before agent, "A" sees the runtime context {"user": "ann"}

  @PLUGIN-47 @clarified
  Rule: The middlewares of a sub-agent read the runtime context of the outer run

    Scenario: A middleware of the agent and one of its sub-agent
      Given a model that answers
        | text | calls                             |
        |      | helper({"request": "Look it up"}) |
        | done |                                   |
      And a middleware "A" that observes before model
      And the context of "A" has the fields
        | field | type | required |
        | user  | text | yes      |
      And the runtime context {"user": "ann"}
      And a sub-agent "helper"
      And a middleware "B" that observes before model
      And the context of "B" has the fields
        | field | type | required |
        | user  | text | yes      |
      When the agent runs
      Then the run succeeds
      And before model, "A" sees the runtime context {"user": "ann"}
      And before model, "B" sees the runtime context {"user": "ann"}

    Scenario: A middleware of a sub-agent's own sub-agent
      Given a model that answers
        | text | calls                             |
        |      | middle({"request": "Look it up"}) |
        | done |                                   |
      And a middleware "A" that observes before model
      And the runtime context {"user": "ann"}
      And a sub-agent "middle"
      And a model that answers
        | text   | calls                             |
        |        | helper({"request": "Look it up"}) |
        | helped |                                   |
      And a sub-agent "helper"
      And a middleware "B" that observes before model
      And the context of "B" has the fields
        | field | type | required |
        | user  | text | yes      |
      When the agent runs
      Then the run succeeds
      And before model, "B" sees the runtime context {"user": "ann"}
