Feature: Model wrappers and tool wrappers
  A middleware can wrap each model call and each tool call. A wrapper receives
  the request and the next handler. The wrapper can call the next handler
  once, several times or not at all, and its return value is the answer. Use
  one middleware for each concern, such as logging or caching: the order of
  attachment decides which wrapper encloses which.

  @XP-WRAP-01 @derived
  Rule: The model wrapper of a middleware wraps every model call of a run

    Scenario: Four model calls with tool calls between them
      Given a tool "weather" that returns "sunny"
      And a model that calls "weather" 3 times before it answers "done"
      And a middleware "watch" that observes around model
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

    Scenario: One model call
      Given an agent
      And a middleware "watch" that observes around model
      When the agent runs
      Then the trace is
        """
        around model watch
          model
        """

  @XP-WRAP-02 @derived
  Rule: The tool wrapper of a middleware wraps every tool call exactly once

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
      And a middleware "watch" that observes around tool
      When the agent runs
      Then the tool calls that "watch" wraps are
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
      And a middleware "watch" that observes around model and around tool
      When the agent runs
      Then "watch" is never called around tool
      And "watch" is called once around model

  @XP-WRAP-16 @derived
  Rule: The tool wrapper of a middleware is called separately for each tool call of an answer

    Scenario: Two calls of different tools in one answer
      Given the tools
        | name    |
        | weather |
        | search  |
      And a model that answers
        | calls           | text |
        | weather, search |      |
        |                 | done |
      And a middleware "watch" that observes around tool
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
      And a middleware "watch" that observes around tool
      When the agent runs
      Then the tool calls that "watch" wraps are
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

  @XP-BEST-08 @derived
  Rule: A middleware's wrapper encloses the wrappers of all middlewares that are attached later

    Scenario: Three workflow nodes that are not connected in the order of the nodes
      Given a plugin module "plugins" with the providers "p1", "p2", "p3"
      And a workflow with the nodes
        | key   | provider |
        | agent |          |
        | m1    | p1       |
        | m2    | p2       |
        | m3    | p3       |
      And the connections agent to m3, agent to m1, agent to m2
      And a tool "t1" that returns "one"
      And a model that calls "t1" once before it answers "done"
      When the agent runs
      Then around model, the middlewares are called in the order "m3", "m1", "m2", "m3", "m1", "m2"
      And around tool, the middlewares are called in the order "m3", "m1", "m2"

    Scenario: Three model wrappers
      Given an agent
      And a middleware "first" that observes around model
      And a middleware "second" that observes around model
      And a middleware "third" that observes around model
      When the agent runs
      Then the trace is
        """
        around model first
          around model second
            around model third
              model
        """

    Scenario: Three tool wrappers
      Given a tool "weather" that returns "sunny"
      And a model that answers
        | calls   | text |
        | weather |      |
        |         | done |
      And a middleware "first" that observes around tool
      And a middleware "second" that observes around tool
      And a middleware "third" that observes around tool
      When the agent runs
      Then around the tool call "call 1", the trace is
        """
        around tool first
          around tool second
            around tool third
              tool weather
        """

    Scenario: A logging middleware before a caching middleware
      Given a middleware "L" that observes around model
      And a middleware "C" that, around model, answers equal requests from a cache
      When the agent runs twice
      Then the trace of run 1 is
        """
        around model L
          around model C
            model
        """
      And the trace of run 2 is
        """
        around model L
          around model C
        """

    Scenario: A caching middleware before a logging middleware
      Given a middleware "C" that, around model, answers equal requests from a cache
      And a middleware "L" that observes around model
      When the agent runs twice
      Then the trace of run 1 is
        """
        around model C
          around model L
            model
        """
      And the trace of run 2 is
        """
        around model C
        """

    Scenario Outline: Two wrappers that add to a tool result, "<first>" first
      Given a tool "t1" that returns "one"
      And a model that calls "t1" once before it answers "done"
      And a middleware "<first>" that, around tool, appends " <first>" to the answer
      And a middleware "<second>" that, around tool, appends " <second>" to the answer
      When the agent runs
      Then around the tool call "call 1", the trace is
        """
        around tool <first>
          around tool <second>
            tool t1
        """
      And in any order, model call 2 receives the results
        | content  |
        | <result> |

      Examples:
        | first | second | result  |
        | A     | B      | one B A |
        | B     | A      | one A B |
