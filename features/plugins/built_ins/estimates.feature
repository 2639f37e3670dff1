Feature: Summarizations that have to find out by themselves
  A summarization may be told how many tokens a conversation has, and how many
  its model takes. Without the one it has to estimate; without the other, a share
  of it means nothing.

  @PLUGIN-38 @clarified
  Rule: A summarization without a token counter estimates more tokens for a longer conversation

    Scenario Outline: <what> with a limit of 30 tokens and no token counter
      Given a summarization triggered by {"tokens": 30}
      And the summarization keeps the last message
      And nobody tells the summarization how many tokens a conversation has
      And the conversation
        | role      | content   |
        | user      | <content> |
        | assistant | Well.     |
        | user      | And?      |
      When the agent runs
      Then the final answer is "done"
      And "model summarizer" <happens>

      Examples: below and above the limit
        | what          | content                                                                                                                                                                    | happens       |
        | One word      | Hello                                                                                                                                                                      | never happens |
        | Sixty numbers | 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 33 34 35 36 37 38 39 40 41 42 43 44 45 46 47 48 49 50 51 52 53 54 55 56 57 58 59 60 | happens once  |

    Scenario: A tool result of sixty numbers with a limit of 30 tokens
      Given a summarization triggered by {"tokens": 30}
      And the summarization keeps the last message
      And nobody tells the summarization how many tokens a conversation has
      And a tool "t1" that returns "ok"
      And the conversation
        | role      | content                                                                                                                                                                    | calls |
        | user      | Hello                                                                                                                                                                      |       |
        | assistant |                                                                                                                                                                            | t1    |
        | tool      | 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 33 34 35 36 37 38 39 40 41 42 43 44 45 46 47 48 49 50 51 52 53 54 55 56 57 58 59 60 |       |
        | user      | And?                                                                                                                                                                       |       |
      When the agent runs
      Then the final answer is "done"
      And "model summarizer" happens once

  @PLUGIN-39 @clarified
  Rule: Building an agent fails if its summarization has only a fraction as limit for an unknown context size

    Scenario: The model has no profile
      Given a summarization triggered by {"fraction": 0.5}
      When the agent runs
      Then the agent is refused because its options are impossible

    Scenario: Neither the summarization nor the agent has a model
      Given an agent without a model
      And a summarization triggered by {"tokens": 10}
      And the summarization has no model of its own
      When the agent runs
      Then the agent is refused because its options are impossible

    Scenario: The model has a profile
      Given a model that takes 100 tokens
      And a summarization triggered by {"fraction": 0.5}
      When the agent runs
      Then the run succeeds
