Feature: Context values of wrappers and legacy middlewares
  A wrapper is the place to give a single call a value of its own, such as a
  deadline: it reaches the call, and is gone when the call is over. Legacy
  middlewares have no way to add one.

  @CTX-05 @derived
  Rule: A value that a wrapper of the model adds reaches what it wraps and nothing outside

    Scenario Outline: The second of three wrappers adds a value to the first of two calls in a <mode> run
      Given a <mode> run
      And a tool "t1" that returns "ok"
      And a model that answers
        | text | calls |
        |      | t1    |
        | done |       |
      And a handler "H1" that looks on
      And a handler "H2" that, around model call 1, sets "user" to "Ann" in the context
      And a handler "H3" that looks on
      When the agent runs
      Then around model, the context of "H3" has "user" as "Ann"
      And the context of model call 1 has "user" as "Ann"
      And after model, the context of "H1" has no "user"
      And after model, the context of "H3" has no "user"
      And the context of the tool "t1" has no "user"
      And before model call 2, the context of "H1" has no "user"
      And around model call 2, the context of "H1" has no "user"
      And the context of model call 2 has no "user"

      Examples:
        | mode        |
        | synchronous |
        | streaming   |

    Scenario: A value added to the first of two attempts
      Given failed model calls are made again 3 times at most
      And a model that answers
        | text | fails with |
        |      | busy       |
        | done |            |
      And a handler "H1" that looks on around model
      And a handler "H2" that, around model call 1, sets "user" to "Ann" in the context
      When the agent runs
      Then the context of model call 1 has "user" as "Ann"
      And around model call 2, the context of "H1" has no "user"
      And the context of model call 2 has no "user"

  @CTX-06 @derived
  Rule: A value that a wrapper of a tool adds reaches what it wraps and nothing outside

    Scenario Outline: The second of three wrappers adds a value to the first of two calls, in a <mode> run
      Given a <mode> run
      And the tools
        | name | returns |
        | t1   | one     |
        | t2   | two     |
      And a model that answers
        | text | calls |
        |      | t1    |
        |      | t2    |
        | done |       |
      And a handler "H1" that looks on
      And a handler "H2" that, around tool "t1", sets "user" to "Ann" in the context
      And a handler "H3" that looks on
      When the agent runs
      Then around tool, the context of "H3" has "user" as "Ann"
      And the context of the tool "t1" has "user" as "Ann"
      And before model call 2, the context of "H1" has no "user"
      And the context of model call 2 has no "user"
      And around tool call 2, the context of "H1" has no "user"
      And the context of the tool "t2" has no "user"
      And after agent, the context of "H1" has no "user"

      Examples:
        | mode        |
        | synchronous |
        | streaming   |

    Scenario: Two calls of one answer
      Given the tools
        | name | returns |
        | t1   | one     |
        | t2   | two     |
      And a model that answers
        | text | calls  |
        |      | t1, t2 |
        | done |        |
      And a handler "H1" that, around tool "t1", sets "user" to "Ann" in the context
      When the agent runs
      Then the context of the tool "t1" has "user" as "Ann"
      And the context of the tool "t2" has no "user"

  @CTX-09 @documented
  Rule: A legacy middleware cannot change the context of a model call

    Scenario: It tries to, on both sides of the model
      Given a legacy middleware "L1" that, before model, sets "before" to "x" in the context
      And a legacy middleware "L1" that, after model, sets "after" to "x" in the context
      And a tool "t1" that returns "ok"
      And a model that answers
        | text | calls |
        |      | t1    |
        | done |       |
      And a handler "H1" that looks on
      When the agent runs
      Then the trace has, in this order
        """
        before model L1
        model
        after model L1
        """
      And before model, the context of "H1" has no "before"
      And around model, the context of "H1" has no "before"
      And the context of model call 1 has no "before"
      And after model, the context of "H1" has no "before"
      And the context of the tool "t1" has no "after"
      And before model call 2, the context of "H1" has no "after"
