Feature: Interrupting a run and going on with it
  A tool may interrupt the run it is called in, because somebody has to be asked
  first. The run then stops where it is, and what it needs to go on is stored in
  a checkpoint. Whoever has the checkpoint can resume the run in an agent built
  anew, maybe days later: the call is made again, and the run takes its course.

  Background:
    Given the conversation
      | role | content |
      | user | Hello   |

  @INTERRUPT-01 @derived
  Rule: A run that a tool interrupts stops there, and can be resumed to its end

    Scenario Outline: A tool that interrupts a <mode> run
      Given a <mode> run
      And the tools
        | name | interrupts |
        | t1   | yes        |
      And a model that answers
        | text | calls |
        | Look | t1    |
        | Seen |       |
      When the agent runs and is resumed
      Then the trace is
        """
        model
        tool t1
        """
      And the final answer of run 2 is "Seen"

      Examples:
        | mode        |
        | synchronous |
        | streaming   |

    Scenario: Another tool call had been made before
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
      Then the final answer of run 2 is "Seen"
      And model call 3 holds a message that says "found"

    Scenario: The resumed run is interrupted, too
      Given the tools
        | name | interrupts |
        | t1   | yes        |
        | t2   | yes        |
      And a model that answers
        | text | calls |
        | Look | t1    |
        | More | t2    |
        | Seen |       |
      When the agent runs, is resumed, and is resumed once more from where that stopped
      Then the final answer of run 3 is "Seen"

  @INTERRUPT-06 @clarified
  Rule: A run that a tool interrupts ends without an error and says which call it was, resumed or not

    Scenario Outline: Nobody resumes the <mode> run
      Given a <mode> run
      And the tools
        | name | interrupts |
        | t1   | yes        |
      And a model that answers
        | text | calls |
        | Look | t1    |
      When the agent runs
      Then run 1 is interrupted by "t1"

      Examples:
        | mode        |
        | synchronous |
        | streaming   |

  @INTERRUPT-05 @clarified
  Rule: All interrupts of one answer are told together, and calls that were done are not made again

    Scenario Outline: The second of three calls is done, in a <mode> run
      Given a <mode> run
      And the tools
        | name | returns | interrupts |
        | t1   | one     | yes        |
        | t2   | two     |            |
        | t3   | three   | yes        |
      And a model that answers
        | text | calls      |
        | Look | t1, t2, t3 |
        | Seen |            |
      When the agent runs and is resumed
      Then run 1 is interrupted by "t1", "t3"
      And the tool "t2" runs once
      And model call 2 receives
        | role      | content |
        | user      | Hello   |
        | assistant | Look    |
        | tool      | one     |
        | tool      | two     |
        | tool      | three   |

      Examples:
        | mode        |
        | synchronous |
        | streaming   |

    Scenario: A call of an earlier answer is done
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
      And the final answer of run 2 is "Seen"
