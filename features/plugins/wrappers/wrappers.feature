Feature: Model wrappers and tool wrappers
  A middleware can wrap each model call and each tool call. A wrapper receives
  the request and the next handler. The wrapper can call the next handler
  once, several times or not at all, and its return value is the answer. Use
  one middleware for each concern, such as logging or caching: the order of
  attachment decides which wrapper encloses which.

  @XP-WRAP-01 @documented
  Rule: The model wrapper wraps every model call of a run

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
  Rule: The tool wrapper wraps every tool call exactly once

    Scenario: Three calls of two tools, one after another
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

    Scenario: A run without tool calls
      Given a tool "weather" that returns "sunny"
      And a model that answers
        | text |
        | done |
      And a middleware "watch" that looks on around model and around tool
      When the agent runs
      Then "watch" is never called around tool
      And "watch" is called once around model

  @XP-WRAP-16 @derived
  Rule: The tool wrapper is called separately for each tool call of an answer

    Scenario: Two calls of different tools in one answer
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

    Scenario: Three calls of one tool in one answer
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
  Rule: A wrapper that does not call the next handler short-circuits the call with its own answer

    Scenario: The only model call is short-circuited
      Given an agent
      And a middleware "double" that, around model, answers "as before" itself
      When the agent runs
      Then "model" never happens
      And the final answer is "as before"

    Scenario: The second of two model calls is short-circuited
      Given a tool "weather" that returns "sunny"
      And a model that answers
        | calls   | text |
        | weather |      |
        |         | done |
      And a middleware "double" that, around model call 2, answers "as before" itself
      When the agent runs
      Then the model is called once
      And the final answer is "as before"

    Scenario: A tool call is short-circuited
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
  Rule: A wrapper can call the next handler twice before it returns an answer

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

    Scenario: Another answer than the two of the model is returned
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
