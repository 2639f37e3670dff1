Feature: Jumps to the model
  A hook after the model can jump back to the model, for example because the answer is not good enough. The model is then
  called again with the conversation so far, and its next answer takes the place of a final one.

  @XP-JUMP-06 @derived
  Rule: A jump from an after-model hook to the model calls the model again

    Scenario: A jump after the first answer
      Given a model that answers
        | text  |
        | draft |
        | done  |
      And a middleware "critic" that, after model call 1, jumps to "model"
      When the agent runs
      Then the model is called 2 times
      And the final answer is "done"

    Scenario: A jump after each of the first two answers
      Given a tool "weather" that returns "sunny"
      And a model that answers
        | text   | calls   |
        | draft  |         |
        | better | weather |
        | done   |         |
      And a middleware "critic" with the actions
        | hook               | action           |
        | after model call 1 | jumps to "model" |
        | after model call 2 | jumps to "model" |
      When the agent runs
      Then the model is called 3 times
      And the tool "weather" never runs

    Scenario: A jump after an answer that calls a tool
      Given a streaming run
      And a tool "weather" that returns "sunny"
      And a model that answers
        | calls   | text  |
        | weather | draft |
        |         | done  |
      And a middleware "critic" that, after model call 1, jumps to "model"
      When the agent runs
      Then the trace is
        """
        model
        after model critic
        model
        after model critic
        """
      And the final answer is "done"

    Scenario: No jump after the answer
      Given a model that answers
        | text   |
        | draft  |
        | unused |
      And a middleware "critic" that observes after model
      When the agent runs
      Then the model is called once
      And the final answer is "draft"

    Scenario: Jumps after empty answers of a later round, in each of two runs
      Given a streaming run
      And a conversation of agentic messages
        | role | content |
        | user | \ü*2001 |
      And tool calls run sequentially
      And the tools
        | name | returns | kind       |
        | t0   |         | streamable |
      And a model that answers
        | text    | calls                                                |
        |         | t0({"city": "Köln"}) as a, t0({"city": "Bonn"}) as b |
        |         |                                                      |
        |         |                                                      |
        | \ü*2001 |                                                      |
        | done    |                                                      |
      And a middleware "critic" with the actions
        | hook               | action           |
        | after model call 2 | jumps to "model" |
        | after model call 3 | jumps to "model" |
        | after model call 4 | jumps to "model" |
      When the agent runs twice
      Then the model is called 10 times
      And the tool "t0" runs 4 times
      And the final answer of run 1 is "done"
      And the final answer of run 2 is "done"
