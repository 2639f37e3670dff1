Feature: One concern for each middleware
  Logging, caching, retrying: each of these is best a middleware of its own,
  and the order in which they are attached says how they work together. A log
  that is entered before a cache has every request, and one behind it only
  those that the cache could not answer.

  @XP-BEST-08 @documented
  Rule: Middlewares that each do one thing work together in the order in which they are attached

    Scenario: A log, and behind it a cache
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

    Scenario: A cache, and behind it a log
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

    Scenario Outline: Two that add to a tool's result, "<first>" entered first
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
  Rule: A wrapper that calls further in before anything else has all that would have come without it to add to

    Scenario: Around the model
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

    Scenario: Around a tool
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
