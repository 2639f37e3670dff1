Feature: Before each model call
  The hook before model is where a handler changes what the run is carrying:
  the conversation so far and the tools the model is offered. It is called
  for each model call of a run. What it returns is not only sent to the
  model: it is what the run carries from then on.

  @HOOK-BM-01 @documented
  Rule: Handlers are called in registration order, each with what the one before it has returned

    Scenario Outline: Two handlers that add messages, in a <mode> run
      Given a <mode> run
      And a handler "H1" that, before model, adds the user message "b1"
      And a handler "H2" that, before model, adds the user message "b2"
      When the agent runs
      Then before model, "H1" sees the messages
        | role | content |
        | user | Hello.  |
      And before model, "H2" sees the messages
        | role | content |
        | user | Hello.  |
        | user | b1      |
      And the trace is
        """
        before model H1
        before model H2
        model
        """

      Examples:
        | mode        |
        | synchronous |
        | streaming   |

  @HOOK-BM-02 @documented
  Rule: The hook is called before each model call

    Scenario Outline: Three model calls, in a <mode> run
      Given a <mode> run
      And a tool "t1" that returns "one"
      And a model that answers
        | text | calls |
        |      | t1    |
        |      | t1    |
        | done |       |
      And a handler "H" that looks on before model
      When the agent runs
      Then the trace is
        """
        before model H
        model
        tool t1
        before model H
        model
        tool t1
        before model H
        model
        """

      Examples:
        | mode        |
        | synchronous |
        | streaming   |

  @HOOK-BM-03 @documented
  Rule: What it returns is what the next handler sees, the model is sent, and the run goes on with

    Scenario: A new conversation in the place of the old one
      Given a tool "t1" that returns "one"
      And a model that answers
        | text | calls |
        |      | t1    |
        | done |       |
      And a handler "H1" that, before model call 1, replaces all messages by the user message "new"
      And a handler "H2" that looks on before model
      When the agent runs
      Then before model call 1, "H2" sees the messages
        | role | content |
        | user | new     |
      And model call 1 receives
        | role | content |
        | user | new     |
      And before model call 2, "H2" sees the messages
        | role      | content | calls |
        | user      | new     |       |
        | assistant |         | t1    |
        | tool      | one     |       |
      And model call 2 receives
        | role      | content | calls |
        | user      | new     |       |
        | assistant |         | t1    |
        | tool      | one     |       |

  @HOOK-BM-07 @derived
  Rule: An agent without tools has it called, too

    Scenario Outline: A longer conversation, in a <mode> run
      Given a <mode> run
      And the conversation
        | role      | content         |
        | user      | Hi.             |
        | assistant | How can I help? |
        | user      | What is 2 + 2?  |
      And a handler "H" that, before model, adds the user message "b1"
      When the agent runs
      Then model call 1 receives
        | role      | content         |
        | user      | Hi.             |
        | assistant | How can I help? |
        | user      | What is 2 + 2?  |
        | user      | b1              |

      Examples:
        | mode        |
        | synchronous |
        | streaming   |

    Scenario: One model call
      Given a handler "H" that, before model, adds the user message "b1"
      When the agent runs
      Then the trace is
        """
        before model H
        model
        """
      And model call 1 receives
        | role | content |
        | user | Hello.  |
        | user | b1      |
