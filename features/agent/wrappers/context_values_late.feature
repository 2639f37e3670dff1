Feature: Context values late in a run
  A hook or a wrapper adds a value to the context of the inner calls. The examples below do so in later rounds, with
  several calls in an answer, and in the second run of an agent.

  @CTX-02 @documented
  Rule: A context value that a before-model hook sets reaches the handlers that follow, the model wrappers and the model

    @axis:nesting
    Scenario Outline: The first of two before-model hooks sets a value, in a <mode> run
      Given a <mode> run
      And a handler "H1" with the actions
        | hook         | action                                 |
        | before model | sets the context value "user" to "Ann" |
        | around model | observes                               |
      And a handler "H2" that observes before model and around model
      When the agent runs
      Then before model, the context of "H2" has the value "Ann" under "user"
      And around model, the context of "H1" has the value "Ann" under "user"
      And around model, the context of "H2" has the value "Ann" under "user"
      And the context of model call 1 has the value "Ann" under "user"

      Examples:
        | mode        |
        | synchronous |
        | streaming   |

    @axis:nesting
    Scenario: Set before three model calls of the second of two equal runs
      Given a conversation of agentic messages
        | role | content |
        | user | Grüße.  |
      And tool calls run sequentially
      And a tool "t0" that returns "\ü*2001"
      And a model that answers
        | calls   | text |
        | t0 as a |      |
        | t0 as b |      |
        |         | done |
      And a handler "H1" that, before model, sets the context value "user" to "Ann"
      And a handler "H2" that observes before model and around model
      When the agent runs twice
      Then around model call 2 of run 1, the context of "H2" has the value "Ann" under "user"
      And around model call 3 of run 1, the context of "H2" has the value "Ann" under "user"
      And the context of model call 3 has the value "Ann" under "user"
      And around model call 2 of run 2, the context of "H2" has the value "Ann" under "user"
      And around model call 3 of run 2, the context of "H2" has the value "Ann" under "user"
      And the context of model call 6 has the value "Ann" under "user"

  @CTX-06 @derived
  Rule: A context value that a tool wrapper sets reaches only the inner wrappers and the tool

    Scenario: The second of three wrappers sets a value for the first of two tool calls
      Given the tools
        | name | returns |
        | t1   | one     |
        | t2   | two     |
      And a model that answers
        | text | calls |
        |      | t1    |
        |      | t2    |
        | done |       |
      And a handler "H1" that observes
      And a handler "H2" that, around tool "t1", sets the context value "user" to "Ann"
      And a handler "H3" that observes
      When the agent runs
      Then around tool call 1, the context of "H3" has the value "Ann" under "user"
      And the context of the tool "t1" has the value "Ann" under "user"
      And before model call 2, the context of "H1" has no "user"
      And the context of model call 2 has no "user"
      And around tool call 2, the context of "H1" has no "user"
      And the context of the tool "t2" has no "user"
      And after agent, the context of "H1" has no "user"

    Scenario: Two tool calls of one answer
      Given the tools
        | name | returns |
        | t1   | one     |
        | t2   | two     |
      And a model that answers
        | text | calls  |
        |      | t1, t2 |
        | done |        |
      And a handler "H1" that, around tool "t1", sets the context value "user" to "Ann"
      When the agent runs
      Then the context of the tool "t1" has the value "Ann" under "user"
      And the context of the tool "t2" has no "user"

    Scenario: The second wrapper sets a value for the first of two tool calls that the outermost wrapper makes
      Given a tool "t1" that returns "one"
      And a model that answers
        | text | calls |
        |      | t1    |
        | done |       |
      And a handler "H1" that, around tool, calls the next handler; calls the next handler
      And a handler "H2" that, around tool call 1, sets the context value "user" to "Ann"
      And a handler "H3" that observes around tool
      When the agent runs
      Then around tool call 1, the context of "H3" has the value "Ann" under "user"
      And around tool call 2, the context of "H3" has no "user"
