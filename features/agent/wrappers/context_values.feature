Feature: Context values
  A hook or a wrapper can set a value in the context, such as a user name or
  a deadline. How far a value reaches depends on where a handler sets it. A
  before-agent hook sets a value for the whole run. A before-model hook sets
  a value for one model call. A wrapper sets a value for the call that it
  wraps, and returns no context. Each hook returns a context, except the
  functions of a legacy middleware, the older form of a handler.

  @CTX-01 @derived
  Rule: A context value that a before-agent hook sets reaches everything that the run calls afterwards

    Scenario: Two model calls with a tool call between
      Given a tool "t1" that returns "ok"
      And a model that answers
        | text | calls |
        |      | t1    |
        | done |       |
      And a handler "H1" that, before agent, sets the context value "user" to "Ann"
      And a handler "H2" that observes
      When the agent runs
      Then before agent, the context of "H2" has the value "Ann" under "user"
      And before model call 1, the context of "H2" has the value "Ann" under "user"
      And around model, the context of "H2" has the value "Ann" under "user"
      And the context of model call 1 has the value "Ann" under "user"
      And after model call 1, the context of "H2" has the value "Ann" under "user"
      And around tool, the context of "H2" has the value "Ann" under "user"
      And the context of the tool "t1" has the value "Ann" under "user"
      And before model call 2, the context of "H2" has the value "Ann" under "user"
      And the context of model call 2 has the value "Ann" under "user"
      And after model call 2, the context of "H2" has the value "Ann" under "user"
      And after agent, the context of "H2" has the value "Ann" under "user"

    Scenario: A custom input function
      Given a custom input function that prepends
        | role   | content   |
        | system | Be brief. |
      And a handler "H1" that, before agent, sets the context value "user" to "Ann"
      When the agent runs
      Then the context of the custom input function has the value "Ann" under "user"

    Scenario: A sub-agent, after an interrupt, next to another run
      Given a sub-agent "helper"
      And a handler "H1" that, before agent, sets the context value "user" to "Ann"
      And a handler "H2" that observes before model
      And a model that answers
        | text   |
        | helped |
        | helped |
        | helped |
        | helped |
      And an outer agent
      And a conversation of agentic messages
        | role | content |
        | user | Grüße.  |
      And a session in which "mood" is ""
      And tool calls run sequentially
      And failed model calls are retried at most once
      And the tools
        | name | returns | kind       | interrupts |
        | t0   |         | streamable | yes        |
      And a model that answers
        | calls                                                                | fails with | text    |
        | t0 as b                                                              |            |         |
        | helper({"request": "Bonn?"}) as a                                    |            | \ü*2001 |
        |                                                                      | busy       |         |
        | helper({"request": "Bonn?"}) as c, helper({"request": "Kiel?"}) as d |            | \ü*2001 |
        |                                                                      |            | done    |
      And a handler "H0" that, before model, reads the session value "mood"
      When the agent runs, and is resumed while it runs once more
      Then before model call 1 of run 2, the context of "H2" has the value "Ann" under "user"
      And before model call 2 of run 2, the context of "H2" has the value "Ann" under "user"

  @CTX-03 @derived
  Rule: A context value that a before-model hook sets reaches the after-model hooks of the same call

    Scenario: Two after-model hooks
      Given a handler "H1" with the actions
        | hook         | action                                 |
        | before model | sets the context value "user" to "Ann" |
        | after model  | observes                               |
      And a handler "H2" that observes after model
      When the agent runs
      Then after model, the context of "H1" has the value "Ann" under "user"
      And after model, the context of "H2" has the value "Ann" under "user"

  @CTX-10 @clarified
  Rule: A context value that a before-model hook sets reaches no tool, no later model call and no after-agent hook

    Scenario: A value set before the first of two model calls
      Given a tool "t1" that returns "ok"
      And a model that answers
        | text | calls |
        |      | t1    |
        | done |       |
      And a handler "H1" that, before model call 1, sets the context value "user" to "Ann"
      And a handler "H2" that observes
      When the agent runs
      Then around tool, the context of "H2" has no "user"
      And the context of the tool "t1" has no "user"
      And before model call 2, the context of "H2" has no "user"
      And the context of model call 2 has no "user"
      And after agent, the context of "H2" has no "user"

    Scenario: A sub-agent, in a run that can be cancelled
      Given a run that can be cancelled
      And a sub-agent "helper"
      And an input schema without properties
      And a tool "t1" that returns "ok"
      And a model that answers
        | text   | calls |
        |        | t1    |
        | helped |       |
      And a handler "H1" that, before model call 1, sets the context value "user" to "Ann"
      And a handler "H2" that observes
      And an outer agent
      And a model that calls "helper" once before it answers "done"
      When the agent runs
      Then the context of model call 2 has the value "Ann" under "user"
      And the context of the tool "t1" has no "user"
      And the context of model call 3 has no "user"
      And after agent, the context of "H2" has no "user"

  @CTX-04 @clarified
  Rule: A context value that an after-model hook sets reaches only the after-model hooks that follow in the same call

    @axis:after-order
    Scenario: A value set after the first of two model calls
      Given a tool "t1" that returns "ok"
      And a model that answers
        | text | calls |
        |      | t1    |
        | done |       |
      And a handler "H1" that, after model call 1, sets the context value "user" to "Ann"
      And a handler "H2" that observes
      When the agent runs
      Then after model call 1, the context of "H2" has the value "Ann" under "user"
      And around tool, the context of "H2" has no "user"
      And the context of the tool "t1" has no "user"
      And before model call 2, the context of "H2" has no "user"
      And the context of model call 2 has no "user"
      And after model call 2, the context of "H2" has no "user"
      And after agent, the context of "H2" has no "user"

  @CTX-07 @derived
  Rule: A context value that an after-agent hook sets reaches the after-agent hook that is called next

    Scenario: The second of three after-agent hooks sets a value
      Given a handler "H1" that observes after agent
      And a handler "H2" that, after agent, sets the context value "user" to "Ann"
      And a handler "H3" that observes after agent
      When the agent runs
      Then after agent, the context of "H1" or of "H3" has the value "Ann" under "user"

  @CTX-05 @derived
  Rule: A context value that a model wrapper sets reaches only the inner wrappers and the model

    @axis:nesting
    Scenario: The second of three wrappers sets a value for the first of two model calls
      Given a tool "t1" that returns "ok"
      And a model that answers
        | text | calls |
        |      | t1    |
        | done |       |
      And a handler "H1" that observes
      And a handler "H2" that, around model call 1, sets the context value "user" to "Ann"
      And a handler "H3" that observes
      When the agent runs
      Then around model call 1, the context of "H3" has the value "Ann" under "user"
      And the context of model call 1 has the value "Ann" under "user"
      And after model, the context of "H1" has no "user"
      And after model, the context of "H3" has no "user"
      And the context of the tool "t1" has no "user"
      And before model call 2, the context of "H1" has no "user"
      And around model call 2, the context of "H1" has no "user"
      And the context of model call 2 has no "user"

    @axis:nesting
    Scenario Outline: The outermost wrapper sets a value for the first of two model calls of a <mode> run
      Given a <mode> run
      And a tool "t1" that returns "ok"
      And a model that answers
        | text | calls |
        |      | t1    |
        | done |       |
      And a handler "H1" that, around model call 1, sets the context value "user" to "Ann"
      And a handler "H2" that observes
      When the agent runs
      Then around model call 1, the context of "H2" has the value "Ann" under "user"
      And the context of model call 1 has the value "Ann" under "user"
      And after model, the context of "H2" has no "user"
      And the context of the tool "t1" has no "user"
      And the context of model call 2 has no "user"

      Examples:
        | mode        |
        | synchronous |
        | streaming   |

    Scenario: A value set for the first of two attempts
      Given failed model calls are retried at most 3 times
      And a model that answers
        | text | fails with |
        |      | busy       |
        | done |            |
      And a handler "H1" that observes around model
      And a handler "H2" that, around model call 1, sets the context value "user" to "Ann"
      When the agent runs
      Then the context of model call 1 has the value "Ann" under "user"
      And around model call 2, the context of "H1" has no "user"
      And the context of model call 2 has no "user"

    Scenario: The second wrapper sets a value for the first of two calls that the outermost wrapper makes
      Given a model that answers
        | text   |
        | first  |
        | second |
      And a handler "H1" that, around model, calls the next handler; calls the next handler
      And a handler "H2" that, around model call 1, sets the context value "user" to "Ann"
      When the agent runs
      Then the context of model call 1 has the value "Ann" under "user"
      And the context of model call 2 has no "user"

    @axis:nesting
    Scenario: The outermost wrapper sets a value for each of three model calls
      Given the conversation
        | role      | content |
        | user      | Grüße.  |
        | assistant | Gut     |
        | user      | Grüße.  |
      And a tool "t0" that returns ""
      And a model that answers
        | text | calls   |
        |      | t0 as a |
        |      | t0 as b |
        | done |         |
      And a handler "H1" that, around model, sets the context value "user" to "Ann"
      And a handler "H2" that observes before model and after model
      When the agent runs
      Then the context of model call 3 has the value "Ann" under "user"
      And after model call 1, the context of "H2" has no "user"
      And before model call 2, the context of "H2" has no "user"
      And after model call 2, the context of "H2" has no "user"
      And before model call 3, the context of "H2" has no "user"
      And after model call 3, the context of "H2" has no "user"

  @CTX-09 @derived
  Rule: A legacy middleware cannot change the context of a model call

    Scenario: Legacy functions before and after the model set values
      Given a legacy middleware "L1" that, before model, sets the context value "before" to "x"
      And a legacy middleware "L1" that, after model, sets the context value "after" to "x"
      And a tool "t1" that returns "ok"
      And a model that answers
        | text | calls |
        |      | t1    |
        | done |       |
      And a handler "H2" that, before model call 1, sets the context value "own" to "y"
      And a handler "H1" that observes
      When the agent runs
      Then the trace has, in this order
        """
        before model L1
        model
        after model L1
        """
      And before model call 1, the context of "H1" has no "before"
      And around model, the context of "H1" has no "before"
      And the context of model call 1 has no "before"
      And after model, the context of "H1" has no "before"
      And after model call 1, the context of "H1" has the value "y" under "own"
      And the context of the tool "t1" has no "after"
      And before model call 2, the context of "H1" has no "after"

  @CTX-13 @clarified
  Rule: A context value that a tool sets does not reach another call

    Scenario: The first of two sequential tool calls
      Given the tools
        | name | returns | actions                                |
        | t1   | one     | sets the context value "user" to "Ann" |
        | t2   | two     |                                        |
      And tool calls run sequentially
      And a model that answers
        | text | calls  |
        |      | t1, t2 |
        | done |        |
      When the agent runs
      Then the context of the tool "t2" has no "user"
      And the context of model call 2 has no "user"

    Scenario Outline: The only call of an answer, of a tool that is <kind>, in a <mode> run
      Given a <mode> run
      And the tools
        | name | kind   | returns | actions                                |
        | t1   | <kind> | one     | sets the context value "user" to "Ann" |
        | t2   | <kind> | two     |                                        |
      And a model that answers
        | text | calls |
        |      | t1    |
        |      | t2    |
        | done |       |
      When the agent runs
      Then the context of model call 2 has no "user"
      And the context of the tool "t2" has no "user"

      Examples:
        | mode        | kind       |
        | synchronous | invokable  |
        | streaming   | invokable  |
        | streaming   | streamable |

    Scenario: A tool of a sub-agent
      Given a sub-agent "helper"
      And an input schema without properties
      And the tools
        | name | returns | actions                                |
        | t1   | one     | sets the context value "user" to "Ann" |
      And a model that answers
        | text   | calls |
        |        | t1    |
        | helped |       |
      And an outer agent
      And a tool "t2" that returns "two"
      And tool calls run sequentially
      And a model that answers
        | text | calls      |
        |      | helper, t2 |
        | done |            |
      When the agent runs
      Then the context of the tool "t2" has no "user"
      And the context of model call 4 has no "user"
