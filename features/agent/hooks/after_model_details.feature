Feature: What became of an answer after the model
  These rules are about the edges of the hook after model: an answer that
  came in chunks, handlers that put something behind the answer or take
  everything away, and handlers that fail when the caller has already been
  told of the answer.

  @HOOK-AM-09 @derived
  Rule: In a streaming run it is shown the whole answer

    Scenario: An answer in three chunks
      Given a streaming run
      And a model that answers
        | chunks |
        | a/b/c  |
      And a handler "H" that looks on after model
      When the agent runs
      Then "H" is called once after model
      And after model, "H" sees the messages
        | role      | content |
        | user      | Hello.  |
        | assistant | abc     |

  @HOOK-AM-10 @clarified
  Rule: The event of the answer stays as the model gave it

    Scenario Outline: The answer is changed, in a <mode> run
      Given a <mode> run
      And a model that answers
        | text |
        | raw  |
      And a handler "H" that does
        | hook        | deed                               |
        | after model | changes the last message to "done" |
        | after agent | looks on                           |
      When the agent runs
      Then the events are
        | role      | content |
        | assistant | raw     |
      And after agent, the last message that "H" sees is "done"

      Examples:
        | mode        |
        | synchronous |
        | streaming   |

  @HOOK-AM-05 @clarified
  Rule: A message that it adds behind the answer is the one that counts

    Scenario: A message without tool calls behind one with a call
      Given a tool "t1" that returns "one"
      And a model that answers
        | text   | calls |
        | asking | t1    |
        | done   |       |
      And a handler "H" that does
        | hook        | deed                              |
        | after model | adds the assistant message "tail" |
        | after agent | looks on                          |
      When the agent runs
      Then the run succeeds
      And the model is called once
      And the tool "t1" never runs
      And after agent, the last message that "H" sees is "tail"

  @HOOK-AM-11 @clarified
  Rule: A parent agent receives a sub-agent's answer as the hooks after the model leave it

    Scenario Outline: A hook of the sub-agent changes the final answer, in a <mode> run
      Given a <mode> run
      And a model that answers
        | calls  | text |
        | helper |      |
        |        | done |
      And a sub-agent "helper", with
      And it takes any arguments
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

      Examples:
        | mode        |
        | synchronous |
        | streaming   |

  @HOOK-AM-06 @clarified
  Rule: A run that it leaves without any message fails

    Scenario: All messages are removed
      Given a handler "H1" that, after model, removes all messages
      And a handler "H2" that looks on after agent
      When the agent runs
      Then the run fails
      And "H2" is never called after agent

  @HOOK-AM-07 @clarified
  Rule: Its error ends the run behind the event of the answer, and nothing else is called

    Scenario: The first of two handlers fails
      Given a tool "t1" that returns "one"
      And a model that answers
        | text   | calls |
        | asking | t1    |
      And a handler "H1" that, after model, fails with "not this"
      And a handler "H2" that looks on after model and after agent
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
