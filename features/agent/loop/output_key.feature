Feature: The output key
  An agent can be told to leave its final answer in the session, under a key.
  The document shows the setting and advises against it; what exactly is left
  there, and when, is our choice.

  @OUTKEY-01 @clarified
  Rule: A run that succeeds leaves the text of its final answer in the session, under the output key

    Scenario: An answer after a tool call
      Given a tool "t1" that returns "one"
      And the output key "answer"
      And a model that answers
        | text    | calls |
        | I look. | t1    |
        | done    |       |
      When the agent runs
      Then afterwards the session holds "answer" as "done"

  @OUTKEY-02 @clarified
  Rule: In a streaming run that is the whole text

    Scenario: An answer in three chunks
      Given a streaming run
      And the output key "answer"
      And a model that answers
        | chunks   |
        | he/ll/o! |
      When the agent runs
      Then afterwards the session holds "answer" as "hello!"

  @OUTKEY-03 @clarified
  Rule: If a tool returned directly, it is the text of its result

    Scenario: A tool that returns directly
      Given a tool "t1" that returns "one"
      And the tools t1 return directly
      And the output key "answer"
      And a model that answers
        | text    | calls |
        | I look. | t1    |
      When the agent runs
      Then afterwards the session holds "answer" as "one"

  @OUTKEY-06 @clarified
  Rule: The output key holds the joined texts of the parts of a final answer that has only parts

    Scenario: A tool that returns two parts directly
      Given the tools
        | name | kind               | parts   |
        | t1   | enhanced invokable | one/two |
      And the tools t1 return directly
      And the output key "answer"
      And a model that answers
        | text    | calls |
        | I look. | t1    |
      When the agent runs
      Then afterwards the session holds "answer" as "onetwo"

  @OUTKEY-04 @clarified
  Rule: A run that fails leaves nothing under the output key

    Scenario: A second model call that fails
      Given a tool "t1" that returns "one"
      And the output key "answer"
      And a model that answers
        | text    | calls | fails with |
        | I look. | t1    |            |
        |         |       | boom       |
      When the agent runs
      Then the run fails with the error "boom"
      And afterwards the session does not hold "answer"

    Scenario: A hook after the agent that fails
      Given an agent
      And the output key "answer"
      And a handler "H" that, after agent, fails with "too late"
      When the agent runs
      Then the run fails with the error "too late"
      And afterwards the session does not hold "answer"

  @OUTKEY-05 @clarified
  Rule: What is left is the text as the hooks after the model leave it, whatever the events told

    Scenario: A handler that changes the answer
      Given an agent
      And the output key "answer"
      And a handler "H" that, after model, changes the last message to "rewritten"
      When the agent runs
      Then the events are
        | content |
        | done    |
      And afterwards the session holds "answer" as "rewritten"
