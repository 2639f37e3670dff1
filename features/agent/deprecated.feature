Feature: What is deprecated and still there
  Two things have a successor and go on working beside it. Wrappers of the model
  should read the list of tools in the state, and are still told of it in the
  context of the model call. Handlers should take the place of legacy middlewares,
  and still an agent may have both.

  @DEPREC-02 @documented
  Rule: A wrapper of the model is still told of the tools

    Scenario Outline: Two tools in a <mode> run
      Given a <mode> run
      And the tools
        | name | returns |
        | t1   | one     |
        | t2   | two     |
      And a handler "H1" that looks on around model
      When the agent runs
      Then around model, "H1" is told, in any order, of the tools "t1", "t2"

      Examples:
        | mode        |
        | synchronous |
        | streaming   |

  @DEPREC-03 @documented
  Rule: Legacy middlewares are called beside handlers, each at every call of its kind

    Scenario Outline: Two model calls and two tool calls in a <mode> run
      Given a <mode> run
      And the tools
        | name | returns |
        | t1   | one     |
        | t2   | two     |
      And a model that answers
        | text | calls  |
        |      | t1, t2 |
        | done |        |
      And a legacy middleware "L1" that looks on
      And a handler "H1" that looks on
      When the agent runs
      Then "before model L1" happens 2 times
      And "after model L1" happens 2 times
      And "around tool L1" happens 2 times
      And "before model H1" happens 2 times
      And "after model H1" happens 2 times
      And "around tool H1" happens 2 times

      Examples:
        | mode        |
        | synchronous |
        | streaming   |
