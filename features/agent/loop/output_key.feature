Feature: The output key
  An agent with an output key stores its final answer in the session under this
  key. Later code can read the answer from the session. The document shows the
  setting and advises against it. The rules about the output key are advisory,
  because the document says no more. A return-directly tool is a tool whose
  result ends the run.

  @OUTKEY-01 @clarified
  Rule: A successful run stores the text of its final answer in the session under the output key

    Scenario: An answer after a tool call
      Given a tool "t1" that returns "one"
      And the output key "answer"
      And a model that answers
        | text    | calls |
        | I look. | t1    |
        | done    |       |
      When the agent runs
      Then afterwards the session has the value "done" under "answer"

    Scenario: A sub-agent with an output key
      Given a sub-agent "helper"
      And an input schema without properties
      And the output key "answer"
      And a model that answers
        | text   |
        | helped |
      And an outer agent
      And a model that calls "helper" once before it answers "done"
      When the agent runs
      Then afterwards the session has the value "helped" under "answer"

    @axis:empty-answer
    Scenario: An empty answer, where the session has an earlier one
      Given a session in which "answer" is "earlier"
      And the output key "answer"
      And a model that answers
        | text |
        |      |
      When the agent runs
      Then afterwards the session has the value "" under "answer"

    @axis:empty-answer
    Scenario: An empty answer
      Given the output key "answer"
      And a session in which "answer" is "old"
      And a model that answers
        | text |
        |      |
      When the agent runs
      Then afterwards the session has the value "" under "answer"

    Scenario: A resumed run
      Given the tools
        | name | interrupts |
        | t1   | yes        |
      And the output key "answer"
      And a model that answers
        | text    | calls |
        | I look. | t1    |
        | done    |       |
      When the agent runs and is resumed
      Then after run 2, the session has the value "done" under "answer"

  @OUTKEY-02 @clarified
  Rule: A streaming run stores the complete text of its final answer under the output key

    Scenario: An answer in three chunks
      Given a streaming run
      And the output key "answer"
      And a model that answers
        | chunks   |
        | he/ll/o! |
      When the agent runs
      Then afterwards the session has the value "hello!" under "answer"

  @OUTKEY-03 @clarified
  Rule: A run that ends with a return-directly tool stores the text of the tool's result under the output key

    Scenario: A return-directly tool
      Given a tool "t1" that returns "one"
      And the tool "t1" returns directly
      And the output key "answer"
      And a model that answers
        | text    | calls |
        | I look. | t1    |
      When the agent runs
      Then afterwards the session has the value "one" under "answer"

    Scenario: A call of a return-directly tool that is repeated after an interrupt, next to another call
      Given the tools
        | name    | returns  | interrupts |
        | weather | sunny    | yes        |
        | search  | a result |            |
      And the tool "weather" returns directly
      And the output key "answer"
      And a model that answers
        | calls           |
        | weather, search |
      When the agent runs and is resumed
      Then after run 2, the session has the value "sunny" under "answer"

  @OUTKEY-06 @clarified
  Rule: If a final answer has only parts, the run stores their joined texts under the output key

    Scenario: A return-directly tool with two parts
      Given the tools
        | name | kind               | parts   |
        | t1   | enhanced invokable | one/two |
      And the tool "t1" returns directly
      And the output key "answer"
      And a model that answers
        | text    | calls |
        | I look. | t1    |
      When the agent runs
      Then afterwards the session has the value "onetwo" under "answer"

  @OUTKEY-04 @clarified
  Rule: A failed run stores nothing under the output key

    Scenario: The second model call fails
      Given a tool "t1" that returns "one"
      And the output key "answer"
      And a model that answers
        | text    | calls | fails with |
        | I look. | t1    |            |
        |         |       | boom       |
      When the agent runs
      Then the run fails with the error "boom"
      And afterwards the session has no "answer"

    @axis:limit-ends
    Scenario: The run reaches its iteration limit
      Given a tool "t1" that returns "one"
      And the output key "answer"
      And an iteration limit of 1
      And a model that answers
        | text    | calls |
        | I look. | t1    |
      When the agent runs
      Then the run fails
      And the model is called once
      And afterwards the session has no "answer"

    @axis:tool-failure
    Scenario: A tool fails
      Given the tools
        | name | fails with |
        | t1   | broken     |
      And the output key "answer"
      And a model that answers
        | text    | calls |
        | I look. | t1    |
      When the agent runs
      Then the run fails with the error "broken"
      And afterwards the session has no "answer"

    Scenario: The after-agent hook fails
      Given an agent
      And the output key "answer"
      And a handler "H" that, after agent, fails with "too late"
      When the agent runs
      Then the run fails with the error "too late"
      And afterwards the session has no "answer"

  @OUTKEY-05 @clarified
  Rule: The output key holds the final answer as the after-model hooks leave it

    @axis:answer-event
    Scenario: An after-model hook that changes the answer
      Given an agent
      And the output key "answer"
      And a model that answers
        | text |
        | done |
      And a handler "H" that, after model, changes the last message to "rewritten"
      When the agent runs
      Then the events are
        | content |
        | done    |
      And afterwards the session has the value "rewritten" under "answer"
