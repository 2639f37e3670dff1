Feature: Events and callbacks in the order of a tool call
  The event of a tool call is sent outside of everything that wraps the tool, so it
  tells the result that the model will see. Callbacks lie at the other end: they
  tell about the tool itself, inside of every wrapper.

  @ORDER-TOOL-03 @documented
  Rule: The event of a tool call tells the result as it comes out of all wrappers, when it has

    Scenario Outline: Everybody adds to the result, and the outermost sends an event of its own, in a <mode> run
      Given a <mode> run
      And a tool "t1" that returns "ok"
      And a model that answers
        | text | calls |
        |      | t1    |
        | done |       |
      And a handler "H1" that, around tool, adds ", H1" to the answer
      And a legacy middleware "L1" that, around tool, adds ", L1" to the answer
      And a tool middleware "M1" that adds ", M1" to the answer; sends the event "M1 is through"
      When the agent runs
      Then the events are
        | role      | content        |
        | assistant |                |
        |           | M1 is through  |
        | tool      | ok, H1, L1, M1 |
        | assistant | done           |

      Examples:
        | mode        |
        | synchronous |
        | streaming   |

  @ORDER-TOOL-05 @documented
  Rule: Callbacks start and end directly around the tool, inside of all wrappers

    Scenario Outline: Something of each kind around the tool, in a <mode> run
      Given a <mode> run
      And callbacks
      And a tool "t1" that returns "ok"
      And a model that answers
        | text | calls |
        |      | t1    |
        | done |       |
      And a handler "H1" that looks on around tool
      And a legacy middleware "L1" that, around tool, looks on
      And a tool middleware "M1" that looks on
      When the agent runs
      Then around the tool call "call 1", the trace is
        """
        around tool M1
          around tool L1
            around tool H1
              callback tool start
              tool t1
              callback tool end
        """

      Examples:
        | mode        |
        | synchronous |
        | streaming   |
