Feature: Wrappers of middlewares around model calls and tool calls
  A middleware may stand around each call of the model, and around each call of
  a tool. A wrapper is given the request and a way to call further in: it may
  do so once, several times or not at all, and what it returns is the answer.
  Where several middlewares have wrappers, they enclose each other.

  @XP-WRAP-01 @documented
  Rule: A wrapper around the model encloses every model call of a run

    Scenario: One model call
      Given an agent
      And a middleware "watch" that looks on around model
      When the agent runs
      Then the trace is
        """
        around model watch
          model
        """

    Scenario: Four model calls with tool calls between them
      Given a tool "weather" that returns "sunny"
      And a model that calls "weather" 3 times before it answers "done"
      And a middleware "watch" that looks on around model
      When the agent runs
      Then the trace is
        """
        around model watch
          model
        tool weather
        around model watch
          model
        tool weather
        around model watch
          model
        tool weather
        around model watch
          model
        """

  @XP-WRAP-02 @documented
  Rule: A wrapper around tools encloses every tool call, and is called once for each

    Scenario: Calls of two tools, one after the other
      Given the tools
        | name    |
        | weather |
        | search  |
      And a model that answers
        | calls             | text |
        | weather as call A |      |
        | search as B7      |      |
        | weather as call C |      |
        |                   | done |
      And a middleware "watch" that looks on around tool
      When the agent runs
      Then the tools that "watch" is around are
        | tool    | call id |
        | weather | call A  |
        | search  | B7      |
        | weather | call C  |
      And around the tool call "B7", the trace is
        """
        around tool watch
          tool search
        """

    Scenario: A run without tool calls has nothing to enclose
      Given a tool "weather" that returns "sunny"
      And a model that answers
        | text |
        | done |
      And a middleware "watch" that looks on around model and around tool
      When the agent runs
      Then "watch" is never called around tool
      And "watch" is called once around model

  @XP-WRAP-16 @derived
  Rule: Of several tool calls in one answer each has the wrapper around itself

    Scenario: Two calls of different tools
      Given the tools
        | name    |
        | weather |
        | search  |
      And a model that answers
        | calls           | text |
        | weather, search |      |
        |                 | done |
      And a middleware "watch" that looks on around tool
      When the agent runs
      Then around the tool call "call 1", the trace is
        """
        around tool watch
          tool weather
        """
      And around the tool call "call 2", the trace is
        """
        around tool watch
          tool search
        """

    Scenario: Three calls of one tool
      Given a tool "weather" that returns "sunny"
      And a model that answers
        | calls                     | text |
        | weather, weather, weather |      |
        |                           | done |
      And a middleware "watch" that looks on around tool
      When the agent runs
      Then the tools that "watch" is around are
        | tool    | call id |
        | weather | call 1  |
        | weather | call 2  |
        | weather | call 3  |
      And the tool "weather" runs 3 times
      And in any order, model call 2 receives the results
        | content | call id |
        | sunny   | call 1  |
        | sunny   | call 2  |
        | sunny   | call 3  |

  @XP-WRAP-04 @derived
  Rule: What a wrapper returns without calling further in is the answer, and nothing further in is reached

    Scenario: A wrapper answers in the model's place
      Given an agent
      And a middleware "double" that, around model, answers "as before" itself
      When the agent runs
      Then "model" never happens
      And the final answer is "as before"

    Scenario: A wrapper answers in the place of the second of two model calls
      Given a tool "weather" that returns "sunny"
      And a model that answers
        | calls   | text |
        | weather |      |
        |         | done |
      And a middleware "double" that, around model call 2, answers "as before" itself
      When the agent runs
      Then the model is called once
      And the final answer is "as before"

    Scenario: A wrapper answers in a tool's place
      Given the conversation
        | role | content |
        | user | Hello   |
      And a tool "weather" that returns "sunny"
      And a model that answers
        | calls   | text |
        | weather |      |
        |         | done |
      And a middleware "double" that, around tool, answers "rain" itself
      When the agent runs
      Then the tool "weather" never runs
      And model call 2 receives
        | role      | content | calls   |
        | user      | Hello   |         |
        | assistant |         | weather |
        | tool      | rain    |         |

  @XP-WRAP-05 @derived
  Rule: A wrapper that calls further in twice has the call made twice, and what it returns is the answer

    Scenario: The second answer of the model is returned
      Given a model that answers
        | text   |
        | first  |
        | second |
      And a middleware "doubter" that, around model, calls further in; calls further in
      When the agent runs
      Then the trace is
        """
        around model doubter
          model
          model
        """
      And the final answer is "second"

    Scenario: Neither of two answers of the model is returned
      Given a model that answers
        | text   |
        | first  |
        | second |
      And a middleware "doubter" that, around model, calls further in; calls further in; answers "third" itself
      When the agent runs
      Then the model is called 2 times
      And the final answer is "third"

    Scenario: The second result of a tool is returned
      Given the tools
        | name    | returns    |
        | weather | rain/sunny |
      And a model that answers
        | calls   | text |
        | weather |      |
        |         | done |
      And a middleware "doubter" that, around tool, calls further in; calls further in
      When the agent runs
      Then around the tool call "call 1", the trace is
        """
        around tool doubter
          tool weather
          tool weather
        """
      And in any order, model call 2 receives the results
        | content | call id |
        | sunny   | call 1  |
