Feature: Middlewares in streaming runs and with agentic messages
  A run can stream, and messages can be of the plain type or of the agentic one,
  which is made of blocks. Middlewares are the same ones: each sees a whole answer,
  and listeners get their chunks unless somebody has changed what was said.

  @PLUGIN-30 @clarified
  Rule: In a streaming run an answer that the wrappers hand on comes in its chunks

    Scenario: Two wrappers hand it on
      Given a streaming run
      And a model that answers
        | chunks    |
        | He/llo/ A |
      And a middleware "A" that looks on around model
      And a middleware "B" that looks on around model
      When the agent runs
      Then the events are
        | event  | chunks    |
        | stream | He/llo/ A |

    Scenario: A wrapper hands on the answer to a second call
      Given a streaming run
      And a model that answers
        | chunks | fails with | after chunks |
        | He/llo | boom       | 1            |
        | Go/od  |            |              |
      And a middleware "A" that, around model, calls further in, up to 2 times while that fails
      When the agent runs
      Then the final answer is "Good"
      And the model is called 2 times

  @PLUGIN-31 @clarified
  Rule: In a streaming run an answer that a wrapper changes comes whole

    Scenario: It adds something
      Given a streaming run
      And a model that answers
        | chunks |
        | He/llo |
      And a middleware "A" that, around model, adds "!" to the answer
      When the agent runs
      Then the events are
        | event  | chunks |
        | stream | Hello! |

    Scenario: It answers by itself
      Given a streaming run
      And a middleware "A" that, around model, answers "No" itself
      When the agent runs
      Then the events are
        | event  | chunks |
        | stream | No     |
      And "model" never happens

  @PLUGIN-32 @clarified
  Rule: What hooks and wrappers do to a conversation they do to one of agentic messages, too

    Scenario: A hook puts a system message first and adds a user message
      Given the messages are agentic
      And the conversation
        | role | content |
        | user | Hello   |
      And a middleware "A" that, before model, puts the system message "Be kind" first; adds the user message "And?"
      When the agent runs
      Then model call 1 receives
        | role   | content |
        | system | Be kind |
        | user   | Hello   |
        | user   | And?    |
      And the final answer is "done"

    Scenario: A hook adds a message where another one has left none
      Given the messages are agentic
      And a middleware "A" that, before agent, removes all messages
      And a middleware "B" that, before model, adds the user message "Hello?"
      When the agent runs
      Then model call 1 receives
        | role | content |
        | user | Hello?  |
      And the final answer is "done"

    Scenario: A wrapper passes on a system message where there was none
      Given the messages are agentic
      And the conversation
        | role | content |
        | user | Hello   |
      And a middleware "A" that, around model, passes on the system message "Be kind"
      When the agent runs
      Then model call 1 receives
        | role   | content |
        | system | Be kind |
        | user   | Hello   |
      And the final answer is "done"

    Scenario: A wrapper adds to the system message where there was one
      Given an agent with the instruction "Be kind"
      And the messages are agentic
      And the conversation
        | role | content |
        | user | Hello   |
      And a middleware "A" that, around model, adds ", and brief" to the system message passed on
      When the agent runs
      Then model call 1 receives
        | role   | content            |
        | system | Be kind, and brief |
        | user   | Hello              |
      And the final answer is "done"

    Scenario: A wrapper around a tool adds to its result
      Given the messages are agentic
      And a tool "t1" that returns "ok"
      And a model that calls "t1" once before it answers "done"
      And a middleware "A" that, around tool, adds "!" to the answer
      When the agent runs
      Then model call 2 holds a message that says "ok!"
      And the final answer is "done"

  @PLUGIN-33 @clarified
  Rule: A summarization keeps a call and its result together among agentic messages, too

    Scenario: The result would stay, and the call would not
      Given the messages are agentic
      And a summarization triggered by {"messages": 4}
      And the summarization keeps 2 messages
      And a tool "t1" that returns "ok"
      And the conversation
        | role      | content | calls |
        | user      | One?    |       |
        | assistant | Two.    |       |
        | assistant |         | t1    |
        | tool      | four    |       |
        | user      | Five?   |       |
      When the agent runs
      Then call 1 of the model "model" does not tell "Two."
      And call 1 of the model "model" ends with
        | role      | content | calls |
        | assistant |         | t1    |
        | tool      | four    |       |
        | user      | Five?   |       |

    Scenario: The call has no result yet
      Given the messages are agentic
      And a summarization triggered by {"messages": 3}
      And the summarization keeps 0 messages
      And a middleware "pilot" that, before model call 1, jumps to "tools"
      And a tool "t1" that returns "ok"
      And the conversation
        | role      | content | calls |
        | user      | One?    |       |
        | assistant | Two.    |       |
        | assistant |         | t1    |
      When the agent runs
      Then the tool "t1" runs once
      And the final answer is "done"
