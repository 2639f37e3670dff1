Feature: Interrupting a run
  A tool can interrupt its run, for example to ask a person for approval. The run stops at the interrupted call and
  saves its progress in a checkpoint. The caller can resume the run later from the checkpoint, also in another process.
  A sub-agent is an agent that is a tool of another agent, the outer agent.

  Background:
    Given the conversation
      | role | content |
      | user | Hello   |

  @INTERRUPT-01 @derived
  Rule: An interrupt by a tool stops the run at the interrupted call

    Scenario Outline: A tool interrupts a <mode> run
      Given a <mode> run
      And the tools
        | name | interrupts |
        | t1   | yes        |
      And a model that answers
        | text | calls |
        | Look | t1    |
        | Seen |       |
      When the agent runs
      Then the trace is
        """
        model
        tool t1
        """

      Examples:
        | mode        |
        | synchronous |
        | streaming   |

    Scenario: A tool interrupts a run that was cancelled and resumed
      Given the tools
        | name | interrupts |
        | t1   | yes        |
      And a model that answers
        | text | calls |
        | Look | t1    |
        | Seen |       |
      And a cancel request, which takes effect after the model call, is made when the model is called
      When the agent runs and is resumed
      Then run 2 is interrupted
      And the tool "t1" runs once

    Scenario: A handler wraps the interrupting call
      Given the tools
        | name | interrupts |
        | t1   | yes        |
      And a model that answers
        | text | calls |
        | Look | t1    |
        | Seen |       |
      And a handler "H1" that observes around tool
      When the agent runs
      Then the tool "t1" runs once
      And the model is called once

  @INTERRUPT-15 @derived
  Rule: An interrupted run can be resumed until its final answer

    Scenario Outline: One interrupt in a <mode> run
      Given a <mode> run
      And the tools
        | name | interrupts |
        | t1   | yes        |
      And a model that answers
        | text | calls |
        | Look | t1    |
        | Seen |       |
      When the agent runs and is resumed
      Then the final answer of run 2 is "Seen"

      Examples:
        | mode        |
        | synchronous |
        | streaming   |

    Scenario: Two interrupts
      Given the tools
        | name | interrupts |
        | t1   | yes        |
        | t2   | yes        |
      And a model that answers
        | text | calls |
        | Look | t1    |
        | More | t2    |
        | Seen |       |
      When the agent runs, is resumed, and is resumed again from the new stop
      Then the final answer of run 3 is "Seen"

  @INTERRUPT-06 @clarified
  Rule: An interrupted run reports the interrupted call and no error

    Scenario: A run that is not resumed
      Given the tools
        | name | interrupts |
        | t1   | yes        |
      And a model that answers
        | text | calls |
        | Look | t1    |
      When the agent runs
      Then run 1 is interrupted by "t1"

  @INTERRUPT-05 @clarified
  Rule: A resumed run does not repeat completed tool calls

    Scenario: The second of three calls completes
      Given the tools
        | name | returns | interrupts |
        | t1   | one     | yes        |
        | t2   | two     |            |
        | t3   | three   | yes        |
      And a model that answers
        | text | calls      |
        | Look | t1, t2, t3 |
        | Seen |            |
      When the agent runs and is resumed
      Then the tool "t2" runs once
      And model call 2 receives
        | role      | content |
        | user      | Hello   |
        | assistant | Look    |
        | tool      | one     |
        | tool      | two     |
        | tool      | three   |

    Scenario: The first and the third of three calls complete
      Given the tools
        | name | returns | interrupts |
        | t1   | one     |            |
        | t2   | two     | yes        |
        | t3   | three   |            |
      And a model that answers
        | text | calls      |
        | Look | t1, t2, t3 |
        | Seen |            |
      When the agent runs and is resumed
      Then the tool "t1" runs once
      And the tool "t3" runs once
      And in any order, model call 2 receives the results
        | content |
        | one     |
        | two     |
        | three   |

    Scenario: A call of an earlier answer has completed
      Given the tools
        | name | returns | interrupts |
        | t1   | found   |            |
        | t2   | ok      | yes        |
      And a model that answers
        | text | calls |
        | Look | t1    |
        | More | t2    |
        | Seen |       |
      When the agent runs and is resumed
      Then the tool "t1" runs once
      And model call 3 contains the message "found"
      And the final answer of run 2 is "Seen"

    Scenario: The first of two calls completes
      Given the tools
        | name | returns | interrupts |
        | t1   | one     |            |
        | t2   | two     | yes        |
      And a model that answers
        | text | calls  |
        | Look | t1, t2 |
        | Seen |        |
      When the agent runs and is resumed
      Then the tool "t1" runs once
      And model call 2 receives
        | role      | content |
        | user      | Hello   |
        | assistant | Look    |
        | tool      | one     |
        | tool      | two     |

    Scenario: A completed call has an empty result
      Given the tools
        | name | returns | interrupts |
        | t1   |         |            |
        | t2   | ok      | yes        |
      And a model that answers
        | text | calls  |
        | Look | t1, t2 |
        | Seen |        |
      When the agent runs and is resumed
      Then the tool "t1" runs once
      And model call 2 receives
        | role      | content |
        | user      | Hello   |
        | assistant | Look    |
        | tool      |         |
        | tool      | ok      |

    Scenario: A completed call returns parts
      Given the tools
        | name | kind               | parts           | interrupts |
        | t1   | enhanced invokable | sunny/image:sun |            |
        | t2   | invokable          |                 | yes        |
      And a model that answers
        | text | calls  |
        | Look | t1, t2 |
        | Seen |        |
      When the agent runs and is resumed
      Then the tool "t1" runs once
      And model call 2 receives
        | role      | parts           |
        | user      |                 |
        | assistant |                 |
        | tool      | sunny/image:sun |
        | tool      |                 |

    Scenario: A sub-agent interrupts the run twice, next to a completed call
      Given a tool "t1" that returns "one"
      And a model that answers
        | text | calls                           |
        | Look | t1, helper({"request": "Help"}) |
        | Seen |                                 |
      And a sub-agent "helper"
      And the tools
        | name  | interrupts |
        | inner | yes        |
        | other | yes        |
      And a model that answers
        | text | calls |
        | Hm   | inner |
        | So   | other |
        | Here |       |
      When the agent runs, is resumed, and is resumed again from the new stop
      Then the tool "t1" runs once
      And in any order, model call 5 receives the results
        | content |
        | one     |
        | Here    |

  @INTERRUPT-16 @clarified
  Rule: All interrupts of one answer are reported together

    Scenario: Two of three calls interrupt a run
      Given the tools
        | name | returns | interrupts |
        | t1   | one     | yes        |
        | t2   | two     |            |
        | t3   | three   | yes        |
      And a model that answers
        | text | calls      |
        | Look | t1, t2, t3 |
        | Seen |            |
      When the agent runs
      Then run 1 is interrupted by "t1", "t3"

  @INTERRUPT-17 @clarified
  Rule: An interrupt inside a sub-agent is reported as an interrupt of the outer run

    Scenario: A tool of a sub-agent interrupts a run
      Given a model that answers
        | text | calls                       |
        | Ask  | helper({"request": "Help"}) |
        | Seen |                             |
      And a sub-agent "helper"
      And the tools
        | name  | returns | interrupts |
        | inner | helped  | yes        |
      And a model that answers
        | text | calls |
        | Hm   | inner |
        | Here |       |
      When the agent runs
      Then run 1 is interrupted by "inner"
