Feature: What goes wrong in a run
  The documents show how errors are retried and how a handler may catch them.
  What an error comes to that nobody catches, they leave open: here it ends the
  run. It is the last event of the stream, after all that had been told before,
  and it never escapes the run, not even when nobody foresaw it.

  @LOOP-13 @clarified
  Rule: The error of a tool ends the run, once the calls beside it have ended

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

    Scenario: A tool beside it is slower
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

    Scenario: Two tools fail, the second one first
      Given the tools
        | name | fails with | held until                 |
        | t1   | first      | the tool "t2" has returned |
        | t2   | second     |                            |
      And a model that answers
        | calls  |
        | t1, t2 |
        |        |
      When the agent runs
      Then the run fails with the error "first"

  @LOOP-14 @clarified
  Rule: A failure of a tool that nobody foresaw ends the run like any other

    Scenario Outline: A tool breaks, in a <mode> run
      Given a <mode> run
      And the tools
        | name | unforeseen |
        | t1   | yes        |
      And a model that answers
        | calls | text |
        | t1    |      |
        |       | done |
      When the agent runs
      Then the run fails
      And the stream ends with one error
      And the model is called once

      Examples:
        | mode        |
        | synchronous |
        | streaming   |

  @LOOP-16 @clarified
  Rule: The error of a model ends the run, and what was told before it stays told

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
        | mode        |
        | synchronous |
        | streaming   |

  @LOOP-17 @clarified
  Rule: A model or a tool that returns nothing at all is an error of the run

    Scenario Outline: No message of the model and no error, in a <mode> run
      Given a <mode> run
      And a model that answers
        | nothing |
        | yes     |
      And a handler "H" that looks on before model
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

    Scenario Outline: No result of a tool, in a <mode> run
      Given a <mode> run
      And the tools
        | name | nothing |
        | t1   | yes     |
      And a model that answers
        | calls | text |
        | t1    |      |
        |       | done |
      When the agent runs
      Then the run fails
      And the stream ends with one error
      And the model is called once

      Examples:
        | mode        |
        | synchronous |
        | streaming   |

  @LOOP-18 @clarified
  Rule: A failure of a model that nobody foresaw ends the run like any other

    Scenario Outline: A model breaks, in a <mode> run
      Given a <mode> run
      And a model that answers
        | unforeseen |
        | yes        |
      And a handler "H" that looks on before model
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
