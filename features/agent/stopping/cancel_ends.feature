Feature: How a cancelled run ends
  A run that was cancelled says so at its end, and says what had been asked for. A
  run that comes to its answer first, or fails first, just ends like that, and
  whoever waits for the cancellation is told. Agents used as tools go on to
  their own end, unless the request was for them, too.

  @CANCEL-02 @clarified
  Rule: A run cancelled after a model call that asks for no tool ends with its answer

    Scenario: Asked for during the last model call
      Given a model that answers
        | text | held until                    |
        | done | the cancellation is asked for |
      And the run is to be cancelled after the model call, which is asked for when the model is called
      When the agent runs
      Then the final answer is "done"
      And the requests to cancel come to
        | counted | waiting says        |
        | yes     | had ended by itself |

  @CANCEL-04 @clarified
  Rule: A run cancelled after the tool calls ends with its answer when no tool is called any more

    Scenario: The last model call goes on
      Given a model that answers
        | text | held until                    |
        | done | the cancellation is asked for |
      And the run is to be cancelled after the tool calls, which is asked for when the model is called
      When the agent runs
      Then the final answer is "done"
      And the requests to cancel come to
        | counted | waiting says        |
        | yes     | had ended by itself |

  @CANCEL-14 @clarified
  Rule: A run that fails before it reaches its safe point fails with its own error

    Scenario: A tool fails that was to be the last
      Given the tools
        | name | held until                    | fails with |
        | t1   | the cancellation is asked for | no luck    |
      And a model that answers
        | calls |
        | t1    |
      And the run is to be cancelled after the tool calls, which is asked for when the tool "t1" is called
      When the agent runs
      Then the run fails with the error "no luck"
      And the requests to cancel come to
        | counted | waiting says        |
        | yes     | had ended by itself |

  @CANCEL-19 @clarified
  Rule: The last event of a cancelled run is an error of its own kind, which names the points that were asked for

    Scenario Outline: A <mode> run to be cancelled <point>, asked for during a tool call
      Given a <mode> run
      And the tools
        | name | held until                    |
        | t1   | the cancellation is asked for |
      And a model that answers
        | calls | text |
        | t1    |      |
        |       | done |
      And the run is to be cancelled <point>, which is asked for when the tool "t1" is called
      When the agent runs
      Then the run fails because it was cancelled
      And the stream ends with one error
      And the run says of its cancellation
        | points   | cut short | timeout |
        | <points> | no        | no      |

      Examples:
        | mode        | point                | points         |
        | synchronous | after the tool calls | the tool calls |
        | synchronous | at either point      | either         |
        | streaming   | after the tool calls | the tool calls |

    Scenario: Cancelled at once during a tool call
      Given the tools
        | name | held until        |
        | t1   | the run has ended |
      And a model that answers
        | calls | text |
        | t1    |      |
        |       | done |
      And the run is to be cancelled at once, which is asked for when the tool "t1" is called
      When the agent runs
      Then the run fails because it was cancelled
      And the stream ends with one error
      And the run says of its cancellation
        | points | cut short | timeout |
        | none   | no        | no      |

  @CANCEL-16 @clarified
  Rule: The safe points of sub-agents count only where this is asked for

    Scenario: Asked for the agent alone, during a model call of its sub-agent
      Given a sub-agent "helper", with
      And a tool "t1" that returns "ok"
      And a model that answers
        | calls | text   | held until                    |
        | t1    |        | the cancellation is asked for |
        |       | helped |                               |
      And an agent above it, with
      And a model that answers
        | calls                        | text |
        | helper({"request": "Help."}) |      |
        |                              | done |
      And the run is to be cancelled after the tool calls, which is asked for when the model "helper's" is called
      When the agent runs
      Then the trace of "helper" is
        """
        model helper's
        tool t1
        model helper's
        """
      And the trace is
        """
        model
        """

    Scenario: Asked for the agent and its sub-agents, during a model call of the sub-agent
      Given a sub-agent "helper", with
      And a tool "t1" that returns "ok"
      And a model that answers
        | calls | text   | held until                    |
        | t1    |        | the cancellation is asked for |
        |       | helped |                               |
      And an agent above it, with
      And a model that answers
        | calls                        | text |
        | helper({"request": "Help."}) |      |
        |                              | done |
      And the run and its sub-agents are to be cancelled after the tool calls, which is asked for when the model "helper's" is called
      When the agent runs
      Then the trace of "helper" is
        """
        model helper's
        tool t1
        """
      And the trace is
        """
        model
        """
