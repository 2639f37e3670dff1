Feature: One concern for each middleware
  Logging, caching, retrying: each of these is best a middleware of its own,
  and the order in which they are attached says how they work together. A log
  that is entered before a cache has every request, and one behind it only
  those that the cache could not answer.

  @XP-BEST-08 @documented
  Rule: Wrappers enclose each other in the order in which their middlewares are attached

    Scenario: Three workflow nodes that are not connected in the order of the nodes
      Given a plugin module "plugins" with the providers p1, p2, p3
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
      Then around model, the middlewares are called in the order m3, m1, m2, m3, m1, m2
      And around tool, the middlewares are called in the order m3, m1, m2

    Scenario: Three model wrappers
      Given an agent
      And a middleware "first" that looks on around model
      And a middleware "second" that looks on around model
      And a middleware "third" that looks on around model
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
      And a middleware "first" that looks on around tool
      And a middleware "second" that looks on around tool
      And a middleware "third" that looks on around tool
      When the agent runs
      Then around the tool call "call 1", the trace is
        """
        around tool first
          around tool second
            around tool third
              tool weather
        """

    Scenario: A logging middleware before a caching middleware
      Given a middleware "L" that looks on around model
      And a middleware "C" that, around model, gives the answer that an equal request has got, or keeps the one it gets
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
      Given a middleware "C" that, around model, gives the answer that an equal request has got, or keeps the one it gets
      And a middleware "L" that looks on around model
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
      And a middleware "<first>" that, around tool, adds " <first>" to the answer
      And a middleware "<second>" that, around tool, adds " <second>" to the answer
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

  @PLUGIN-45 @clarified
  Rule: A wrapper can extend the complete answer of the next handler

    Scenario: A model wrapper that adds to answers
      Given a model that answers
        | text | calls |
        | Look | t1    |
        | done |       |
      And a tool "t1" that returns "one"
      And a middleware "A" that, around model, calls further in; adds "!" to the answer
      When the agent runs
      Then around model call 1, "A" gets the answer "Look"
      And around model call 2, "A" gets the answer "done"
      And call 1 of the tool "t1" gets the arguments "{}"
      And model call 2 receives
        | role      | content | calls |
        | user      | Hello.  |       |
        | assistant | Look!   | t1    |
        | tool      | one     |       |
      And the final answer is "done!"

    Scenario: A tool wrapper that adds to results
      Given a model that answers
        | calls        | text |
        | t1({"a": 1}) |      |
        |              | done |
      And a tool "t1" that returns "one"
      And a middleware "A" that, around tool, calls further in; adds " more" to the answer
      When the agent runs
      Then around tool, "A" gets the answer "one"
      And call 1 of the tool "t1" gets the arguments "{"a": 1}"
      And in any order, model call 2 receives the results
        | content  |
        | one more |
