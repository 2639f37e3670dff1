Feature: After the agent
  A run that has come to its final answer ends with the handlers' hook after
  agent. A handler is shown the whole conversation, the answer last, and can
  do with it what is to be done when a run has succeeded: store it, count
  it. The result of the run it cannot change any more.

  @HOOK-AA-01 @documented
  Rule: The hook is called once, behind everything else, when a run has come to its final answer

    Scenario Outline: Without tools, in a <mode> run
      Given a <mode> run
      And a handler "H" that looks on after model and after agent
      When the agent runs
      Then the trace is
        """
        model
        after model H
        after agent H
        """

      Examples:
        | mode        |
        | synchronous |
        | streaming   |

    Scenario Outline: Behind two model calls, in a <mode> run
      Given a <mode> run
      And a tool "t1" that returns "one"
      And a model that answers
        | text | calls |
        |      | t1    |
        | done |       |
      And a handler "H" that looks on after agent
      When the agent runs
      Then the trace is
        """
        model
        tool t1
        model
        after agent H
        """

      Examples:
        | mode        |
        | synchronous |
        | streaming   |

    Scenario: The answer comes with the last model call that is allowed
      Given a tool "t1" that returns "one"
      And an iteration limit of 2
      And a model that answers
        | text | calls |
        |      | t1    |
        | done |       |
      And a handler "H" that looks on after agent
      When the agent runs
      Then the final answer is "done"
      And "H" is called once after agent

  @HOOK-AA-09 @documented
  Rule: It is shown the whole conversation, the final answer last

    Scenario Outline: A run with a tool call, in a <mode> run
      Given a <mode> run
      And a tool "t1" that returns "one"
      And a model that answers
        | text   | calls |
        | asking | t1    |
        | done   |       |
      And a handler "H" that looks on after agent
      When the agent runs
      Then after agent, "H" sees the messages
        | role      | content | calls |
        | user      | Hello.  |       |
        | assistant | asking  | t1    |
        | tool      | one     |       |
        | assistant | done    |       |

      Examples:
        | mode        |
        | synchronous |
        | streaming   |

  @HOOK-AA-02 @derived
  Rule: The result of a tool that returns directly is a final answer, too

    Scenario Outline: One call, in a <mode> run
      Given a <mode> run
      And a tool "t1" that returns "one"
      And the tools t1 return directly
      And a model that answers
        | text   | calls |
        | asking | t1    |
      And a handler "H" that looks on after agent
      When the agent runs
      Then "H" is called once after agent
      And after agent, "H" sees the messages
        | role      | content | calls |
        | user      | Hello.  |       |
        | assistant | asking  | t1    |
        | tool      | one     |       |

      Examples:
        | mode        |
        | synchronous |
        | streaming   |

  @HOOK-AA-03 @documented
  Rule: It is not called when the run has failed

    Scenario Outline: The model fails, in a <mode> run
      Given a <mode> run
      And a model that answers
        | fails with |
        | overload   |
      And a handler "H" that looks on before model and after agent
      When the agent runs
      Then the run fails
      And the trace is
        """
        before model H
        model
        """

      Examples:
        | mode        |
        | synchronous |
        | streaming   |

    Scenario: The model calls are used up
      Given a tool "t1" that returns "one"
      And an iteration limit of 1
      And a model that answers
        | text   | calls |
        | asking | t1    |
      And a handler "H" that looks on before model and after agent
      When the agent runs
      Then the run fails
      And the trace has, in this order
        """
        before model H
        tool t1
        """
      And "H" is never called after agent

  @HOOK-AA-08 @derived
  Rule: It is not called when a run is interrupted or cancelled, but when one that was resumed comes to its end

    Scenario: A tool interrupts the run
      Given the tools
        | name | interrupts |
        | t1   | yes        |
      And a model that answers
        | text | calls |
        |      | t1    |
        | done |       |
      And a handler "H" that looks on after agent
      When the agent runs and is resumed
      Then run 1 is interrupted
      And run 2 succeeds
      And "H" is called once after agent
      And the trace of run 2 has, in this order
        """
        after agent H
        """

    Scenario: The run is cancelled
      Given a tool "t1" that returns "one"
      And a model that answers
        | text | calls |
        |      | t1    |
        | done |       |
      And the run is to be cancelled after the model call, which is asked for when the model is called
      And a handler "H" that looks on before model and after agent
      When the agent runs
      Then the trace is
        """
        before model H
        model
        """
