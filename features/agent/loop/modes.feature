Feature: The same loop in every mode
  A run can stream. Streaming does not change the loop: the calls, the hooks
  around them and the events come in the same order. Features that show a rule
  in one mode only mean both.

  @LOOP-20 @derived
  Rule: A streaming run in which no model call fails takes the same course as a synchronous one

    Scenario Outline: Two rounds, with a handler in every hook, in a <mode> run
      Given a <mode> run
      And a tool "t1" that returns "one"
      And a handler "H" that looks on
      And a model that answers
        | text       | calls | chunks |
        | I look.    | t1    |        |
        | Once more. | t1    |        |
        | done       |       | do/ne  |
      When the agent runs
      Then the trace is
        """
        before agent H
        before model H
        around model H
          model
        after model H
        around tool H
          tool t1
        before model H
        around model H
          model
        after model H
        around tool H
          tool t1
        before model H
        around model H
          model
        after model H
        after agent H
        """
      And the events are
        | role      | content    |
        | assistant | I look.    |
        | tool      | one        |
        | assistant | Once more. |
        | tool      | one        |
        | assistant | done       |

      Examples:
        | mode        |
        | synchronous |
        | streaming   |

    Scenario Outline: A handler that sends an event before the second model call, in a <mode> run
      Given a <mode> run
      And a tool "t1" that returns "one"
      And a handler "H" that, before model call 2, sends the event "soon"
      And a model that answers
        | text    | calls | chunks |
        | I look. | t1    |        |
        | done    |       | do/ne  |
      When the agent runs
      Then the events are
        | role      | content |
        | assistant | I look. |
        | tool      | one     |
        |           | soon    |
        | assistant | done    |

      Examples:
        | mode        |
        | synchronous |
        | streaming   |
