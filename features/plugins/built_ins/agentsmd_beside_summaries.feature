Feature: AgentsMD beside the summarization
  The summarization replaces the older part of a conversation by a summary. The
  instructions that AgentsMD adds are a part of the conversation, too. So it
  matters who comes first. The recommended order is the summarization first, and
  then AgentsMD: what it adds is added to what the summary has left.

  Background:
    Given the instructions file "/p/a.md" holding "Answer in French."
    And the conversation
      | role      | content        |
      | user      | Where is Rome? |
      | assistant | In Italy.      |
      | user      | And Lisbon?    |
      | assistant | In Portugal.   |
      | user      | How far is it? |

  @PLUGIN-03 @clarified
  Rule: Behind the summarization, AgentsMD gives every call the whole instructions, and the summary before the first call is made without them

    Scenario: The caller's conversation is summarised before the first call
      Given a summarization triggered by {"messages": 5}
      And the summarization keeps 1 messages
      And its model answers
        | text                      |
        | They spoke of two cities. |
      And AgentsMD with the configured files
      When the agent runs
      Then the model is called 2 times
      And call 1 of the model "summarizer" tells, in this order
        """
        Where is Rome?
        In Portugal.
        """
      And model call 1 of run 1 carries the instructions 0 times
      And call 1 of the model "model" tells, in this order
        """
        They spoke of two cities.
        How far is it?
        """
      And model call 2 of run 1 carries the instructions once

    Scenario: With the instructions in it, the conversation is summarised again before the second call
      Given a tool "t1" that returns "1864 km"
      And a model that calls "t1" once before it answers "done"
      And a summarization triggered by {"messages": 5}
      And the summarization keeps 2 messages
      And its model answers
        | text                      |
        | They spoke of two cities. |
        | They spoke of distances.  |
      And AgentsMD with the configured files
      When the agent runs
      Then the model is called 4 times
      And model call 2 of run 1 carries the instructions once
      And call 2 of the model "model" tells, in this order
        """
        They spoke of distances.
        1864 km
        """
      And model call 4 of run 1 carries the instructions once

  @PLUGIN-04 @clarified
  Rule: Before the summarization, AgentsMD's instructions go into the summary, are missing from the call behind it, and come back in the next call without one

    Scenario: The first of two calls is behind a summary
      Given a tool "t1" that returns "1864 km"
      And a model that calls "t1" once before it answers "done"
      And AgentsMD with the configured files
      And a summarization triggered by {"messages": 6}
      And the summarization keeps 1 messages
      And its model answers
        | text                      |
        | They spoke of two cities. |
      When the agent runs
      Then the model is called 3 times
      And call 1 of the model "summarizer" tells, in this order
        """
        Answer in French.
        In Portugal.
        """
      And call 1 of the model "model" tells, in this order
        """
        They spoke of two cities.
        How far is it?
        """
      And model call 2 of run 1 carries the instructions 0 times
      And model call 3 of run 1 carries the instructions once

    Scenario: Both calls are behind summaries
      Given a tool "t1" that returns "1864 km"
      And a model that calls "t1" once before it answers "done"
      And AgentsMD with the configured files
      And a summarization triggered by {"messages": 5}
      And the summarization keeps 1 messages
      And its model answers
        | text                      |
        | They spoke of two cities. |
        | They spoke of distances.  |
      When the agent runs
      Then the model is called 4 times
      And model call 1 of run 1 carries the instructions once
      And model call 2 of run 1 carries the instructions 0 times
      And model call 3 of run 1 carries the instructions once
      And model call 4 of run 1 carries the instructions 0 times
