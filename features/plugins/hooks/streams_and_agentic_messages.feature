Feature: Middlewares with streams and agentic messages
  A run can stream its answers, and its messages can be plain or agentic. An
  agentic message is a list of blocks: texts, tool calls and results. The same
  middlewares work in each of these modes. A wrapper always receives a complete
  answer. Listeners of a streaming run receive the original chunks as long as
  no wrapper changes the answer.

  @PLUGIN-30 @clarified
  Rule: A streamed answer that all model wrappers of middlewares return unchanged keeps its chunks

    Scenario: Two wrappers that only observe
      Given a streaming run
      And a model that answers
        | chunks    |
        | He/llo/ A |
      And a middleware "A" that observes around model
      And a middleware "B" that observes around model
      When the agent runs
      Then the events are
        | event  | chunks    |
        | stream | He/llo/ A |

    Scenario: A wrapper that retries the model call
      Given a streaming run
      And a model that answers
        | chunks | fails with | after chunks |
        | He/llo | boom       | 1            |
        | Go/od  |            |              |
      And a middleware "A" that, around model, calls the next handler up to 2 times while it fails
      When the agent runs
      Then the final answer is "Good"
      And the model is called 2 times

    Scenario: A wrapper that makes two model calls and returns the answer of the first one
      Given a streaming run
      And a model that answers
        | chunks    |
        | He/llo    |
        | Good/ bye |
      And a middleware "A" that, around model, calls the next handler; calls the next handler and drops its answer
      When the agent runs
      Then the events are
        | event  | chunks |
        | stream | He/llo |

    Scenario: A wrapper that makes two model calls with equal answers and returns the second one
      Given a streaming run
      And a model that answers
        | chunks |
        | He/llo |
        | Hel/lo |
      And a middleware "A" that, around model, calls the next handler and drops its answer; calls the next handler
      When the agent runs
      Then the events are
        | event  | chunks |
        | stream | Hel/lo |

  @PLUGIN-31 @clarified
  Rule: An answer that a middleware's model wrapper changes is streamed as one chunk

    Scenario: A wrapper that adds to the answer
      Given a streaming run
      And a model that answers
        | chunks |
        | He/llo |
      And a middleware "A" that, around model, appends "!" to the answer
      When the agent runs
      Then the events are
        | event  | chunks |
        | stream | Hello! |

    Scenario: A wrapper that short-circuits the model call
      Given a streaming run
      And a middleware "A" that, around model, short-circuits with "No"
      When the agent runs
      Then the events are
        | event  | chunks |
        | stream | No     |
      And the model is called 0 times

  @PLUGIN-32 @clarified
  Rule: Hooks and wrappers of middlewares change agentic messages like plain messages

    Scenario: A hook adds a system message and a user message
      Given the messages are agentic
      And the conversation
        | role | content |
        | user | Hello   |
      And a middleware "A" that, before model, inserts the system message "Be kind" first; adds the user message "And?"
      When the agent runs
      Then model call 1 receives
        | role   | content |
        | system | Be kind |
        | user   | Hello   |
        | user   | And?    |
      And the final answer is "done"

    Scenario: A hook adds a message to an empty conversation
      Given the messages are agentic
      And a middleware "A" that, before agent, removes all messages
      And a middleware "B" that, before model, adds the user message "Hello?"
      When the agent runs
      Then model call 1 receives
        | role | content |
        | user | Hello?  |
      And the final answer is "done"

    Scenario: A wrapper sets a system message where there is none
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

    Scenario: A wrapper adds to an existing system message
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

    Scenario: A tool wrapper adds to a result
      Given the messages are agentic
      And a tool "t1" that returns "ok"
      And a model that calls "t1" once before it answers "done"
      And a middleware "A" that, around tool, appends "!" to the answer
      When the agent runs
      Then model call 2 contains the message "ok!"
      And the final answer is "done"
