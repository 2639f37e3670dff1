Feature: How a cancelled run ends
  A cancelled run ends with a cancellation error and leaves a checkpoint, from which the caller can resume the run. A run
  can also end for another reason before the cancellation takes effect. The run then reports that reason. A cancel request
  can name two safe points, after the model call and after the tool calls.

  @CANCEL-19 @clarified
  Rule: A cancelled run ends with a cancellation error that names the safe points of the cancel request

    Scenario Outline: A cancel request that takes effect <point>, in a <mode> run
      Given a <mode> run
      And the tools
        | name | held until               |
        | t1   | a cancel request is made |
      And a model that answers
        | calls | text |
        | t1    |      |
        |       | done |
      And a cancel request, which takes effect <point>, is made when the tool "t1" is called
      When the agent runs
      Then the run fails because the run was cancelled
      And the stream ends with one error
      And the cancellation error reports
        | safe points |
        | <points>    |

      Examples:
        | mode        | point                | points         |
        | synchronous | after the tool calls | the tool calls |
        | synchronous | at either safe point | either         |
        | streaming   | after the tool calls | the tool calls |

    Scenario: A cancel request that takes effect immediately
      Given the tools
        | name | held until        |
        | t1   | the run has ended |
      And a model that answers
        | calls | text |
        | t1    |      |
        |       | done |
      And a cancel request, which takes effect immediately, is made when the tool "t1" is called
      When the agent runs
      Then the run fails because the run was cancelled
      And the stream ends with one error
      And the cancellation error reports
        | safe points | escalated | timeout |
        | none        | no        | no      |

    @axis:failed-sibling
    Scenario: A cancel request that takes effect immediately, after a tool call of the answer has failed
      Given the tools
        | name | fails with | held until        |
        | t1   | no luck    |                   |
        | t2   |            | the run has ended |
      And a model that answers
        | calls  |
        | t1, t2 |
      And a cancel request, which takes effect immediately, is made when the tool "t2" is called
      When the agent runs
      Then the run fails because the run was cancelled

  @CANCEL-08 @clarified
  Rule: A stream that an immediate cancellation cuts off ends with a cancellation error

    Scenario: Immediately, in the middle of a streamed answer
      Given a streaming run
      And a model that answers
        | chunks | second chunk held until |
        | a/b    | the run has ended       |
      And a cancel request, which takes effect immediately, is made when chunk 1 is emitted
      When the agent runs
      Then the events are
        | event  | chunks | ends with        |
        | stream | a      | stream cancelled |
        | error  |        |                  |

  @CANCEL-02 @clarified
  Rule: A run with a cancel request for the safe point after the model call ends normally if that call gives the final answer

    Scenario: After the model call, requested during the last model call
      Given a model that answers
        | text | held until               |
        | done | a cancel request is made |
      And a cancel request, which takes effect after the model call, is made when the model is called
      When the agent runs
      Then the final answer is "done"
      And the cancel requests return
        | contributed | waiting returns |
        | yes         | ended before    |

  @CANCEL-04 @clarified
  Rule: A run with a cancel request for the safe point after the tool calls ends normally if the model calls no further tool

    Scenario: After the tool calls, requested during the last model call
      Given a model that answers
        | text | held until               |
        | done | a cancel request is made |
      And a cancel request, which takes effect after the tool calls, is made when the model is called
      When the agent runs
      Then the final answer is "done"
      And the cancel requests return
        | contributed | waiting returns |
        | yes         | ended before    |

  @CANCEL-14 @clarified
  Rule: A run that fails before the safe point of a cancel request reports its own error

    @axis:tool-failure
    Scenario: A tool fails before the safe point after the tool calls
      Given the tools
        | name | held until               | fails with |
        | t1   | a cancel request is made | no luck    |
      And a model that answers
        | calls |
        | t1    |
      And a cancel request, which takes effect after the tool calls, is made when the tool "t1" is called
      When the agent runs
      Then the run fails with the error "no luck"
      And the cancel requests return
        | contributed | waiting returns |
        | yes         | ended before    |

  @CANCEL-05 @derived
  Rule: A cancel request that names both safe points stops the run at the first one that it reaches

    Scenario: Either safe point, requested during a model call that calls a tool
      Given a tool "t1" that returns "ok"
      And a model that answers
        | calls | text | held until               |
        | t1    |      | a cancel request is made |
        |       | done |                          |
      And a cancel request, which takes effect at either safe point, is made when the model is called
      When the agent runs
      Then the trace is
        """
        model
        """

    Scenario: Either safe point, requested during a tool call
      Given the tools
        | name | held until               |
        | t1   | a cancel request is made |
      And a model that answers
        | calls | text |
        | t1    |      |
        | t1    |      |
        |       | done |
      And a cancel request, which takes effect at either safe point, is made when the tool "t1" is called
      When the agent runs
      Then the trace is
        """
        model
        tool t1
        """
