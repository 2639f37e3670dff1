Feature: Postures of conversations
  A user can send a message while the answer to the message before is still being made. Some agent frameworks refuse the second
  run of a conversation, others let it wait for the first one.

  @POSTURE-26 @clarified @axis:second-run=waits
  Rule: A second run of a conversation waits for the first one if the agent has the posture second-run=waits

    Scenario Outline: Two <mode> runs are started at the same time
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
      When the agent runs 2 times concurrently
      Then the final answer of run 1 is "done"
      And the final answer of run 2 is "welcome"
      And model call 3 receives
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
