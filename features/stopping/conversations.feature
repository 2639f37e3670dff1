Feature: Conversations of several runs
  A conversation outlives a run: a framework stores what a run has done, and the next run begins with it. The caller passes
  only what is new. Frameworks call this a thread, a session or a message history.

  @STOP-06 @clarified
  Rule: A run continues the conversation of the run before it

    Scenario Outline: Two <mode> runs, the first one with a tool call
      Given a <mode> run
      And the runs share a conversation
      And a tool "t1" that returns "ok"
      And a model that answers
        | calls | text |
        | t1    |      |
        |       | done |
      And in run 2, the model answers
        | text    |
        | welcome |
      And in run 2, the user writes "Thanks."
      When the agent runs twice
      Then model call 3 receives
        | role      | content | calls |
        | user      | Hello.  |       |
        | assistant |         | t1    |
        | tool      | ok      |       |
        | assistant | done    |       |
        | user      | Thanks. |       |

      Examples:
        | mode        |
        | synchronous |
        | streaming   |

  @STOP-07 @clarified
  Rule: A run receives no message of another conversation

    Scenario: Two runs of one agent, each with a conversation of its own
      Given run 1 belongs to the conversation "first"
      And run 2 belongs to the conversation "second"
      And a model that answers
        | text |
        | done |
      And in run 2, the user writes "Thanks."
      When the agent runs twice
      Then model call 2 receives
        | role | content |
        | user | Thanks. |
