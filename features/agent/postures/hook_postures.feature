Feature: Postures of hooks
  Agent frameworks document different answers to some questions about hooks. Such a question is an axis, and the answer of
  a framework is its posture. An agent that declares a posture is judged by the rule of the posture, and no longer by the
  scenarios that presuppose the default answer. After-hooks are the after-model hook and the after-agent hook.

  @POSTURE-01 @clarified @axis:after-order=reversed
  Rule: An agent with the posture after-order=reversed calls its after-hooks from the last handler to the first

    Scenario: Two after-model hooks that change the answer
      Given a handler "H1" that, after model, changes the last message to "one"
      And a handler "H2" that, after model, changes the last message to "two"
      When the agent runs
      Then the trace is
        """
        model
        after model H2
        after model H1
        """
      And after model, the last message that "H1" sees is "two"

    Scenario: Three after-agent hooks
      Given a handler "H1" that observes after agent
      And a handler "H2" that observes after agent
      And a handler "H3" that observes after agent
      When the agent runs
      Then the trace is
        """
        model
        after agent H3
        after agent H2
        after agent H1
        """

    Scenario: The second of two after-model hooks fails
      Given a handler "H1" that observes after model
      And a handler "H2" that, after model, fails with "too late"
      When the agent runs
      Then the run fails with the error "too late"
      And "H1" is never called after model

  @POSTURE-02 @clarified @axis:edits-last=request
  Rule: An agent with the posture edits-last=request drops the changes of before-model hooks after the model call

    Scenario: A message is added before the first of two model calls
      Given a tool "t1" that returns "one"
      And a model that answers
        | text | calls |
        |      | t1    |
        | done |       |
      And a handler "H1" that, before model call 1, adds the user message "Be brief."
      When the agent runs
      Then model call 1 receives
        | role | content   |
        | user | Hello.    |
        | user | Be brief. |
      And model call 2 receives
        | role      | content | calls |
        | user      | Hello.  |       |
        | assistant |         | t1    |
        | tool      | one     |       |

    Scenario: All messages are replaced before the second of three model calls
      Given a tool "t1" that returns "one"
      And a model that answers
        | text | calls |
        |      | t1    |
        |      | t1    |
        | done |       |
      And a handler "H1" that, before model call 2, replaces all messages with the user message "In short."
      When the agent runs
      Then model call 2 receives
        | role | content   |
        | user | In short. |
      And model call 3 receives
        | role      | content | calls |
        | user      | Hello.  |       |
        | assistant |         | t1    |
        | tool      | one     |       |
        | assistant |         | t1    |
        | tool      | one     |       |

    Scenario: A tool is hidden before the first of two model calls
      Given the tools
        | name | returns |
        | t1   | one     |
        | t2   | two     |
      And a model that answers
        | text | calls |
        |      | t2    |
        | done |       |
      And a handler "H1" that, before model call 1, offers the model the tools "t2"
      When the agent runs
      Then model call 1 receives only the tool "t2"
      And in any order, model call 2 receives the tools "t1", "t2"

  @POSTURE-13 @clarified @axis:chain=first-answer @axis:after-order
  Rule: An agent with the posture chain=first-answer calls no after-model hook after a hook that changes the conversation

    Scenario: The first of two hooks changes the answer
      Given a handler "H1" that, after model, changes the last message to "one"
      And a handler "H2" that, after model, changes the last message to "two"
      When the agent runs
      Then the trace is
        """
        model
        after model H1
        """
      And the run succeeds

    Scenario: The second of three hooks changes the answer
      Given a handler "H1" that observes after model
      And a handler "H2" that, after model, changes the last message to "two"
      And a handler "H3" that observes after model
      When the agent runs
      Then the trace is
        """
        model
        after model H1
        after model H2
        """
