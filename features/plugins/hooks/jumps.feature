Feature: Jumps
  A hook can choose the next step of a run: the model call, the tool calls of the last message or the end of the run.
  The chosen step is the target of the jump. A tool can choose the next step as well, with a command: a result that can
  also change the state. Without a jump, the run continues with its normal order of steps. Use a jump to reject an
  answer, to run pending tool calls or to end the run early.

  @XP-JUMP-01 @documented
  Rule: A middleware hook can jump to the model, to the tools or to the end

    Scenario: A before-model hook jumps to the tools
      Given the conversation
        | role      | content | calls   |
        | user      | Hello   |         |
        | assistant |         | weather |
      And a tool "weather" that returns "sunny"
      And a middleware "pilot" that, before model call 1, jumps to "tools"
      And a middleware "watch" that observes after model
      When the agent runs
      Then the run succeeds
      And the tool "weather" runs once
      And "watch" is called once after model

    Scenario Outline: A hook after a model that answers "<text>" and calls <calls> jumps to "<target>"
      Given a tool "weather" that returns "sunny"
      And a model that answers
        | calls   | text   |
        | <calls> | <text> |
        |         | done   |
      And a middleware "pilot" that, after model call 1, jumps to "<target>"
      When the agent runs
      Then the run succeeds
      And the model is called <models>

      Examples: the three targets, each after a suitable answer
        | target | calls   | text   | models  |
        | model  | nothing | draft  | 2 times |
        | tools  | weather | asking | 2 times |
        | end    | weather | asking | once    |

  @XP-JUMP-02 @documented
  Rule: If a middleware hook returns a jump target, the run continues there

    Scenario: A before-model hook jumps to the end
      Given a middleware "pilot" that, before model, jumps to "end"
      And a middleware "watch" that observes after model
      When the agent runs
      Then the run succeeds
      And "pilot" is called once before model
      And the model is called 0 times
      And "watch" is never called after model

    Scenario: An after-model hook jumps to the end
      Given a streaming run
      And a tool "weather" that returns "sunny"
      And a model that answers
        | calls   | text   |
        | weather |        |
        |         | unused |
      And a middleware "pilot" that, after model call 1, jumps to "end"
      When the agent runs
      Then the run succeeds
      And the model is called once

    Scenario Outline: The <which> of two middlewares jumps after a tool call
      Given a tool "weather" that returns "sunny"
      And a model that answers
        | calls   | text   |
        | weather |        |
        |         | unused |
      And a middleware "first" that, before model call 2, <first>
      And a middleware "second" that, before model call 2, <second>
      When the agent runs
      Then the run succeeds
      And the tool "weather" runs once
      And the model is called once

      Examples: one of the two middlewares
        | which  | first          | second         |
        | first  | jumps to "end" | observes       |
        | second | observes       | jumps to "end" |

    Scenario: Neither of two middlewares jumps after a tool call
      Given a tool "weather" that returns "sunny"
      And a model that answers
        | calls   | text |
        | weather |      |
        |         | done |
      And a middleware "first" that observes before model
      And a middleware "second" that observes before model
      When the agent runs
      Then the model is called 2 times
      And the final answer is "done"

    Scenario: A hook returns no target
      Given a middleware "pilot" that observes before model
      When the agent runs
      Then the trace is
        """
        before model pilot
        model
        """

    Scenario Outline: Two middlewares, and a jump to the end <place> of each of two runs
      Given a streaming run
      And a conversation of agentic messages
        | role | content |
        | user | \ü*2001 |
        | user | \ü*2001 |
      And the tools
        | name | returns | kind       |
        | t0   |         | streamable |
        | t1   |         |            |
      And a model that answers
        | text    | calls                                                |
        |         | t0({"city": "Köln"}) as a                            |
        | \ü*2001 | t0({"city": "Köln"}) as b, t0({"city": "Bonn"}) as c |
        |         | t0({"city": "Bonn"}) as d, t1({"city": "Köln"}) as e |
        | done    |                                                      |
      And a middleware "first" that observes before model and after model
      And a middleware "second" that observes before model and after model
      And a middleware "first" that, <place>, <first>
      And a middleware "second" that, <place>, <second>
      When the agent runs twice
      Then the model is called <times>
      And the tool "t0" runs 6 times
      And the tool "t1" never runs
      And the run succeeds

      Examples: one of the two middlewares, in the third round
        | place               | first                                                                    | second         | times   |
        | before model call 3 | replaces all messages with the user message ""; adds the user message "" | jumps to "end" | 4 times |
        | after model call 3  | jumps to "end"                                                           | observes       | 6 times |

  @XP-JUMP-08 @derived
  Rule: A jump to the tools runs the tool calls of the last message without a model call

    Scenario: The conversation ends with a pending tool call
      Given the conversation
        | role      | content | calls   |
        | user      | Hello   |         |
        | assistant |         | weather |
      And a tool "weather" that returns "sunny"
      And a middleware "pilot" that, before model call 1, jumps to "tools"
      When the agent runs
      Then the trace has, in this order
        """
        before model pilot
        tool weather
        model
        """
      And the tool "weather" runs once
      And model call 1 receives
        | role      | content | calls   | call id |
        | user      | Hello   |         |         |
        | assistant |         | weather |         |
        | tool      | sunny   |         | call 1  |
      And the final answer is "done"

    Scenario: The conversation ends with two pending tool calls
      Given the conversation
        | role      | content | calls           |
        | user      | Hello   |                 |
        | assistant |         | weather, search |
      And the tools
        | name    | returns |
        | weather | sunny   |
        | search  | found   |
      And a middleware "pilot" with the actions
        | hook         | action           |
        | before agent | jumps to "tools" |
        | before model | observes         |
      When the agent runs
      Then "pilot" is called once before model
      And in any order, model call 1 receives the results
        | content | call id |
        | sunny   | call 1  |
        | found   | call 2  |
      And the final answer is "done"

    Scenario: The model has just called a tool
      Given a tool "weather" that returns "sunny"
      And a model that answers
        | calls   | text |
        | weather |      |
        |         | done |
      And a middleware "pilot" that, after model call 1, jumps to "tools"
      When the agent runs
      Then the tool "weather" runs once
      And in any order, model call 2 receives the results
        | content | call id |
        | sunny   | call 1  |
      And the final answer is "done"

  @XP-JUMP-07 @clarified
  Rule: A jump from an after-model hook skips the remaining after-model hooks

    Scenario: The second of three middlewares jumps
      Given a model that answers
        | text   |
        | done   |
        | unused |
      And a middleware "A" that observes after model
      And a middleware "B" that, after model, jumps to "end"
      And a middleware "C" that observes after model
      When the agent runs
      Then after model, the middlewares are called in the order "C", "B"
      And the model is called once

    Scenario: Neither of two after-model hooks jumps
      Given a middleware "A" that observes after model
      And a middleware "B" that observes after model
      When the agent runs
      Then "A" is called once after model
      And "B" is called once after model

    Scenario: The second of three middlewares jumps to the model, once
      Given a model that answers
        | text  |
        | first |
        | done  |
      And a middleware "A" that observes after model
      And a middleware "B" that, after model call 1, jumps to "model"
      And a middleware "C" that observes after model
      When the agent runs
      Then after model, the middlewares are called in the order "C", "B", "C", "B", "A"
      And the model is called 2 times

  @XP-JUMP-11 @clarified
  Rule: A jump to the end skips all pending tool calls

    Scenario: An after-model hook jumps to the end instead of the tool call
      Given a tool "weather" that returns "sunny"
      And a model that answers
        | calls   | text   |
        | weather |        |
        |         | unused |
      And a middleware "pilot" that, after model, jumps to "end"
      When the agent runs
      Then the run succeeds
      And the model receives only the tool "weather"
      And the tool "weather" never runs

    Scenario: A before-model hook jumps to the end with a pending tool call
      Given the conversation
        | role      | content | calls   |
        | user      | Hello   |         |
        | assistant |         | weather |
      And a tool "weather" that returns "sunny"
      And a middleware "pilot" that, before model, jumps to "end"
      When the agent runs
      Then the run succeeds
      And "pilot" is called once before model
      And the tool "weather" never runs

    Scenario: A middleware jumps to the end after the tool call
      Given a tool "weather" that returns "sunny"
      And a model that answers
        | calls   | text |
        | weather |      |
        |         | done |
      And a middleware "pilot" that, after model call 2, jumps to "end"
      When the agent runs
      Then the tool "weather" runs once
      And the final answer is "done"

  @PLUGIN-21 @clarified
  Rule: A jump to the tools without a pending tool call leads to the model

    Scenario: A jump before the first model call
      Given a middleware "pilot" that, before model call 1, jumps to "tools"
      When the agent runs
      Then the model is called once
      And the final answer is "done"

    Scenario: A jump after an answer without tool calls
      Given a model that answers
        | text  |
        | draft |
        | done  |
      And a middleware "pilot" that, after model call 1, jumps to "tools"
      When the agent runs
      Then the model is called 2 times
      And the final answer is "done"

    Scenario: The last tool call of the conversation has a result
      Given the conversation
        | role      | content | calls   |
        | user      | Hello   |         |
        | assistant |         | weather |
        | tool      | sunny   |         |
      And a tool "weather" that returns "rain"
      And a middleware "pilot" that, before model call 1, jumps to "tools"
      When the agent runs
      Then the tool "weather" never runs
      And the model is called once
      And the final answer is "done"

  @PLUGIN-42 @clarified
  Rule: A jump to the model from a before-agent or before-model hook continues with the model call

    Scenario Outline: A jump to the model <hook>
      Given a middleware "pilot" that, <hook>, jumps to "model"
      And a middleware "watch" that observes after model
      When the agent runs
      Then the final answer is "done"
      And the model is called once
      And "watch" is called once after model

      Examples: hooks before the model call
        | hook         |
        | before agent |
        | before model |

    Scenario: A jump before the agent, with a before-model hook of the same middleware
      Given a middleware "pilot" with the actions
        | hook         | action           |
        | before agent | jumps to "model" |
        | before model | observes         |
      When the agent runs
      Then the trace is
        """
        before agent pilot
        before model pilot
        model
        """
