Feature: The after-model hook
  The after-model hook runs after each successful model call, with the answer as
  the last message of the conversation. A handler can change the conversation,
  for example to remove a tool call from the answer. The run continues with the
  conversation that the last handler returns. The event of the answer is emitted
  before the hook runs. A sub-agent is an agent that is a tool of another agent,
  the outer agent.

  @HOOK-AM-02 @documented
  Rule: The after-model hook is called after each successful model call

    Scenario Outline: Three model calls, in a <mode> run
      Given a <mode> run
      And a tool "t1" that returns "one"
      And a model that answers
        | text | calls |
        |      | t1    |
        |      | t1    |
        | done |       |
      And a handler "H" that observes after model
      When the agent runs
      Then the trace is
        """
        model
        after model H
        tool t1
        model
        after model H
        tool t1
        model
        after model H
        """

      Examples:
        | mode        |
        | synchronous |
        | streaming   |

    Scenario Outline: A <mode> run with a retried model call, an interrupt and a failover
      Given a <mode> run
      And failed model calls are retried at most once
      And a failover, at most once, to the model "b1"
      And the tools
        | name | interrupts |
        | t1   | yes        |
      And a model that answers
        | calls | fails with |
        |       | busy       |
        | t1    |            |
        |       | down       |
        |       | down       |
      And a model "b1" that answers
        | text |
        | done |
      And a handler "H" that observes after model
      When the agent runs and is resumed
      Then the final answer of run 2 is "done"
      And "H" is called 2 times after model

      Examples:
        | mode        |
        | synchronous |
        | streaming   |

  @HOOK-AM-12 @documented
  Rule: The after-model hook receives the conversation with the model's answer as its last message

    Scenario Outline: An answer with a tool call and a final answer, in a <mode> run
      Given a <mode> run
      And a tool "t1" that returns "one"
      And a model that answers
        | text   | calls |
        | asking | t1    |
        | done   |       |
      And a handler "H" that observes after model
      When the agent runs
      Then after model call 1, "H" sees the messages
        | role      | content | calls |
        | user      | Hello.  |       |
        | assistant | asking  | t1    |
      And after model call 2, "H" sees the messages
        | role      | content | calls |
        | user      | Hello.  |       |
        | assistant | asking  | t1    |
        | tool      | one     |       |
        | assistant | done    |       |

      Examples:
        | mode        |
        | synchronous |
        | streaming   |

  @HOOK-AM-08 @derived
  Rule: The after-model hook is not called after a failed model call

    Scenario: The second model call fails
      Given a tool "t1" that returns "one"
      And a model that answers
        | calls | fails with |
        | t1    |            |
        |       | overload   |
      And a handler "H" that observes after model
      When the agent runs
      Then the run fails
      And "H" is called once after model

    Scenario Outline: All attempts of the second model call of a <mode> run fail, after <chunks> chunks
      Given a <mode> run
      And failed model calls are retried at most once
      And a failover, at most once, to the model "b1"
      And a tool "t1" that returns "one"
      And a model that answers
        | calls | chunks | fails with | after chunks |
        | t1    |        |            |              |
        |       | a/b    | busy       | <chunks>     |
        |       | a/b    | busy       | <chunks>     |
      And a model "b1" that answers
        | chunks | fails with | after chunks |
        | a/b    | down       | <chunks>     |
        | a/b    | down       | <chunks>     |
      And a handler "H" that observes after model
      When the agent runs
      Then the run fails
      And "H" is called once after model

      Examples:
        | mode        | chunks |
        | synchronous | 0      |
        | streaming   | 0      |
        | streaming   | 1      |

  @HOOK-AM-09 @derived
  Rule: The after-model hook receives the complete answer of a streamed model call

    Scenario: An answer in three chunks
      Given a streaming run
      And a model that answers
        | chunks |
        | a/b/c  |
      And a handler "H" that observes after model
      When the agent runs
      Then "H" is called once after model
      And after model, "H" sees the messages
        | role      | content |
        | user      | Hello.  |
        | assistant | abc     |

    Scenario: An answer in three chunks after two tool calls, in the second of two equal runs
      Given a streaming run
      And a tool "t0" that returns "\ü*2001"
      And a model that answers
        | chunks | calls            |
        | I look | t0 as a, t0 as b |
        | a/b/c  |                  |
      And a handler "H0" that observes around tool
      And a handler "H" that observes after model
      When the agent runs twice
      Then "H" is called 4 times after model
      And after model call 2 of run 2, the last message that "H" sees is "abc"

  @HOOK-AM-01 @clarified
  Rule: After-model hooks are called in registration order

    @axis:after-order @axis:chain
    Scenario: Two hooks that change the answer
      Given a handler "H1" that, after model, changes the last message to "one"
      And a handler "H2" that, after model, changes the last message to "two"
      When the agent runs
      Then the trace is
        """
        model
        after model H1
        after model H2
        """
      And after model, the last message that "H2" sees is "one"

  @HOOK-AM-03 @derived
  Rule: The run continues from the last message that the after-model hooks leave

    Scenario Outline: A hook that drops the tool calls of the answer, in a <mode> run
      Given a <mode> run
      And a tool "t1" that returns "one"
      And a model that answers
        | text   | calls |
        | asking | t1    |
        | done   |       |
      And a handler "H" that, after model, removes the tool calls
      When the agent runs
      Then the final answer is "asking"
      And "H" is called once after model
      And the model is called once
      And the tool "t1" never runs

      Examples:
        | mode        |
        | synchronous |
        | streaming   |

    Scenario: A hook that drops one of two tool calls
      Given the tools
        | name | returns |
        | t1   | one     |
        | t2   | two     |
      And a model that answers
        | text   | calls  |
        | asking | t1, t2 |
        | done   |        |
      And a handler "H" that, after model call 1, makes the last message call t2
      When the agent runs
      Then the tool "t1" never runs
      And the tool "t2" runs once
      And the final answer is "done"

    @axis:empty-answer
    Scenario: A hook that drops both tool calls of the second round, in the second of two equal runs
      Given a conversation of agentic messages
        | role | content |
        | user | Grüße.  |
      And a session in which "mood" is ""
      And tool calls run sequentially
      And the tools
        | name | returns | kind       | actions                        |
        | t0   |         |            |                                |
        | t1   | \ü*2001 | streamable | reads the session value "mood" |
      And a model that answers
        | calls            | text |
        | t0 as a, t1 as b |      |
        | t0 as c, t1 as d |      |
        |                  | done |
      And a handler "H1" that, after model call 2, removes the tool calls
      When the agent runs twice
      Then the final answer of run 1 is ""
      And the final answer of run 2 is ""
      And the tool "t0" runs 2 times
      And the tool "t1" runs 2 times
      And the model is called 4 times

  @HOOK-AM-05 @clarified
  Rule: A message that an after-model hook adds after the answer decides how the run continues

    Scenario: A message without tool calls after an answer with one
      Given a tool "t1" that returns "one"
      And a model that answers
        | text   | calls |
        | asking | t1    |
        | done   |       |
      And a handler "H" with the actions
        | hook        | action                            |
        | after model | adds the assistant message "tail" |
        | after agent | observes                          |
      When the agent runs
      Then the run succeeds
      And the model is called once
      And the tool "t1" never runs
      And after agent, the last message that "H" sees is "tail"

  @HOOK-AM-10 @clarified
  Rule: An after-model hook does not change the event of the answer

    @axis:answer-event=<answer>
    Scenario Outline: A hook that changes the answer, in a <mode> run
      Given a <mode> run
      And a model that answers
        | text |
        | raw  |
      And a handler "H" with the actions
        | hook        | action                             |
        | after model | changes the last message to "done" |
        | after agent | observes                           |
      When the agent runs
      Then the events are
        | role      | content |
        | assistant | raw     |
      And after agent, the last message that "H" sees is "done"

      Examples:
        | mode        | answer       |
        | synchronous | before-hooks |
        | streaming   |              |

  @HOOK-AM-11 @clarified
  Rule: The outer agent receives a sub-agent's answer as the after-model hooks of the sub-agent leave it

    Scenario: A hook of the sub-agent changes the final answer
      Given a model that answers
        | calls  | text |
        | helper |      |
        |        | done |
      And a sub-agent "helper"
      And an input schema without properties
      And a model that answers
        | text   |
        | secret |
      And a handler "H" that, after model, changes the last message to "(removed)"
      When the agent runs
      Then call 2 of the model "model" receives
        | role      | content   |
        | user      | Hello.    |
        | assistant |           |
        | tool      | (removed) |

  @HOOK-AM-06 @clarified
  Rule: A run fails if the after-model hooks leave no message

    Scenario: A hook that removes all messages
      Given a handler "H1" that, after model, removes all messages
      And a handler "H2" that observes after agent
      When the agent runs
      Then the run fails
      And "H2" is never called after agent

    Scenario: A hook that leaves all messages
      Given a handler "H1" that observes after model
      And a handler "H2" that observes after agent
      When the agent runs
      Then the run succeeds
      And "H2" is called once after agent

  @HOOK-AM-07 @clarified
  Rule: An error in an after-model hook ends the run immediately, after the event of the answer

    @axis:after-order @axis:answer-event @axis:message-events
    Scenario: The first of two hooks fails
      Given a tool "t1" that returns "one"
      And a model that answers
        | text   | calls |
        | asking | t1    |
      And a handler "H1" that, after model, fails with "not this"
      And a handler "H2" that observes after model and after agent
      When the agent runs
      Then the events are
        | event   | content  |
        | message | asking   |
        | error   | not this |
      And the trace is
        """
        model
        after model H1
        """

    Scenario: A hook fails before a legacy function
      Given a legacy middleware "L1" that, after model, observes
      And a handler "H1" that, after model, fails with "not this"
      When the agent runs
      Then the run fails with the error "not this"
      And the trace is
        """
        model
        after model H1
        """
