Feature: Jumps
  A hook before or after the model may say where the run goes on: at the model,
  at the tools that the last message asks for, or at the end. Without a jump the
  run takes its usual way.

  @XP-JUMP-01 @documented
  Rule: A hook may jump to the model, to the tools or to the end

    Scenario: A hook before the model jumps to the tools that are asked for
      Given the conversation
        | role      | content | calls   |
        | user      | Hello   |         |
        | assistant |         | weather |
      And a tool "weather" that returns "sunny"
      And a middleware "pilot" that, before model call 1, jumps to "tools"
      When the agent runs
      Then the run succeeds
      And the tool "weather" runs once

    Scenario Outline: A hook after a model that answers "<text>" and calls <calls> jumps to "<target>"
      Given a tool "weather" that returns "sunny"
      And a model that answers
        | calls   | text   |
        | <calls> | <text> |
        |         | done   |
      And a middleware "pilot" that, after model call 1, jumps to "<target>"
      When the agent runs
      Then the run succeeds
      And "model" happens <models>

      Examples: all three, each behind an answer that makes sense of it
        | target | calls   | text   | models  |
        | model  | nothing | draft  | 2 times |
        | tools  | weather | asking | 2 times |
        | end    | weather | asking | once    |

  @XP-JUMP-02 @documented
  Rule: A hook makes a run jump by returning the target

    Scenario: The hook before the model jumps to the end
      Given a middleware "pilot" that, before model, jumps to "end"
      When the agent runs
      Then the run succeeds
      And "pilot" is called once before model
      And "model" never happens

    Scenario: The hook after the first model call jumps
      Given a tool "weather" that returns "sunny"
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

      Examples: one jumps, whichever
        | which  | first          | second         |
        | first  | jumps to "end" | looks on       |
        | second | looks on       | jumps to "end" |

    Scenario: Neither of two middlewares jumps after a tool call
      Given a tool "weather" that returns "sunny"
      And a model that answers
        | calls   | text |
        | weather |      |
        |         | done |
      And a middleware "first" that looks on before model
      And a middleware "second" that looks on before model
      When the agent runs
      Then the model is called 2 times
      And the final answer is "done"

    Scenario: The hook returns no target
      Given a middleware "pilot" that looks on before model
      When the agent runs
      Then the trace is
        """
        before model pilot
        model
        """

  @XP-JUMP-06 @derived
  Rule: After a jump from after the model to the model, the model is called again

    Scenario: The first answer is sent back
      Given a model that answers
        | text  |
        | draft |
        | done  |
      And a middleware "critic" that, after model call 1, jumps to "model"
      When the agent runs
      Then the model is called 2 times
      And the final answer is "done"

    Scenario: The first two answers are sent back
      Given a model that answers
        | text   |
        | draft  |
        | better |
        | done   |
      And a middleware "critic" that does
        | hook               | deed             |
        | after model call 1 | jumps to "model" |
        | after model call 2 | jumps to "model" |
      When the agent runs
      Then the model is called 3 times
      And the final answer is "done"

    Scenario: No answer is sent back
      Given a model that answers
        | text   |
        | draft  |
        | unused |
      And a middleware "critic" that looks on after model
      When the agent runs
      Then the model is called once
      And the final answer is "draft"

  @XP-JUMP-08 @derived
  Rule: A jump to the tools makes the calls that the last message asks for, without a model call

    Scenario: The conversation ends with a call that nobody has made
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

    Scenario: The conversation ends with two calls
      Given the conversation
        | role      | content | calls           |
        | user      | Hello   |                 |
        | assistant |         | weather, search |
      And the tools
        | name    | returns |
        | weather | sunny   |
        | search  | found   |
      And a middleware "pilot" that, before model call 1, jumps to "tools"
      When the agent runs
      Then in any order, model call 1 receives the results
        | content | call id |
        | sunny   | call 1  |
        | found   | call 2  |
      And the final answer is "done"

    Scenario: The answer that the model has just given asks for a call
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
  Rule: After a jump from after the model, the hooks after the model that would come next are left out

    Scenario: The middle one of three middlewares jumps
      Given a model that answers
        | text   |
        | done   |
        | unused |
      And a middleware "A" that looks on after model
      And a middleware "B" that, after model, jumps to "end"
      And a middleware "C" that looks on after model
      When the agent runs
      Then after model, the middlewares are called in the order C, B
      And the model is called once

    Scenario: Neither of two middlewares jumps
      Given a middleware "A" that looks on after model
      And a middleware "B" that looks on after model
      When the agent runs
      Then "A" is called once after model
      And "B" is called once after model

  @XP-JUMP-11 @clarified
  Rule: After a jump to the end no tool call that was asked for is made

    Scenario: A hook after the model jumps
      Given a tool "weather" that returns "sunny"
      And a model that answers
        | calls   | text   |
        | weather |        |
        |         | unused |
      And a middleware "pilot" that, after model, jumps to "end"
      When the agent runs
      Then the run succeeds
      And the tool "weather" never runs

    Scenario: A hook before the model jumps
      Given the conversation
        | role      | content | calls   |
        | user      | Hello   |         |
        | assistant |         | weather |
      And a tool "weather" that returns "sunny"
      And a middleware "pilot" that, before model, jumps to "end"
      When the agent runs
      Then the run succeeds
      And the tool "weather" never runs
