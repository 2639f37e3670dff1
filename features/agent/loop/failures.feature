Feature: Failures in a run
  A model or a tool can return an error, crash, or return nothing. Retries,
  failovers and handlers can recover from such a failure. The documents do not
  say what happens otherwise, so the rules about these failures are advisory.

  @LOOP-13 @clarified
  Rule: A tool error fails the run once all tool calls of the answer have ended

    @axis:tool-failure
    Scenario Outline: A tool fails, in a <mode> run
      Given a <mode> run
      And the tools
        | name | fails with |
        | t1   | boom       |
      And a model that answers
        | calls | text |
        | t1    |      |
        |       | done |
      When the agent runs
      Then the run fails with the error "boom"
      And the model is called once
      And the stream ends with one error

      Examples:
        | mode        |
        | synchronous |
        | streaming   |

    @axis:tool-failure @axis:failed-sibling @axis:message-events
    Scenario: A slower tool in the same answer
      Given the tools
        | name | returns | fails with | held until                 |
        | t1   |         | boom       |                            |
        | t2   | two     |            | the tool "t1" has returned |
      And a model that answers
        | calls  | text |
        | t1, t2 |      |
        |        | done |
      When the agent runs
      Then the events are
        | event   | content |
        | message |         |
        | message | two     |
        | error   | boom    |

  @LOOP-30 @clarified
  Rule: A run with several failed tool calls reports the error of the first call in the answer

    @axis:tool-failure @axis:failed-sibling
    Scenario: The second of two tools fails first
      Given the tools
        | name | fails with | held until                 |
        | t1   | first      | the tool "t2" has returned |
        | t2   | second     |                            |
      And a model that answers
        | calls  | text |
        | t1, t2 |      |
        |        | done |
      When the agent runs
      Then the run fails with the error "first"

    @axis:tool-failure
    Scenario: One of two tools fails, and the other one interrupts the run
      Given the tools
        | name | fails with | interrupts |
        | t1   |            | yes        |
        | t2   | second     |            |
      And a model that answers
        | calls  | text |
        | t1, t2 |      |
        |        | done |
      When the agent runs
      Then the run fails with the error "second"

  @LOOP-14 @clarified
  Rule: A crash in a tool ends the run with an error

    @axis:tool-failure
    Scenario: A tool crashes
      Given the tools
        | name | crashes |
        | t1   | yes     |
      And a model that answers
        | calls | text |
        | t1    |      |
        |       | done |
      When the agent runs
      Then the run fails
      And the stream ends with one error
      And the model is called once

  @LOOP-16 @clarified
  Rule: A model error ends the run and adds only one error event to the earlier events

    @axis:message-events=<messages>
    Scenario Outline: The second model call fails, in a <mode> run
      Given a <mode> run
      And a tool "t1" that returns "one"
      And a model that answers
        | text    | calls | fails with |
        | I look. | t1    |            |
        |         |       | boom       |
      When the agent runs
      Then the events are
        | role      | content |
        | assistant | I look. |
        | tool      | one     |
        |           | boom    |
      And the stream ends with one error

      Examples:
        | mode        | messages       |
        | synchronous | as-they-happen |
        | streaming   |                |

  @LOOP-17 @clarified
  Rule: A run fails if a model or a tool returns neither a result nor an error

    Scenario Outline: A model returns nothing, in a <mode> run
      Given a <mode> run
      And a model that answers
        | returns nothing |
        | yes             |
      And a handler "H" that observes before model
      When the agent runs
      Then the run fails
      And the stream ends with one error
      And the trace has, in this order
        """
        before model H
        model
        """

      Examples:
        | mode        |
        | synchronous |
        | streaming   |

    @axis:tool-failure
    Scenario: A tool returns nothing
      Given the tools
        | name | returns nothing |
        | t1   | yes             |
      And a model that answers
        | calls | text |
        | t1    |      |
        |       | done |
      When the agent runs
      Then the run fails
      And the stream ends with one error
      And the model is called once

  @LOOP-18 @clarified
  Rule: A crash in a model ends the run with an error

    Scenario: A model crashes
      Given a model that answers
        | crashes |
        | yes     |
      And a handler "H" that observes before model
      When the agent runs
      Then the run fails
      And the stream ends with one error
      And the trace has, in this order
        """
        before model H
        model
        """
