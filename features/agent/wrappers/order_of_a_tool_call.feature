Feature: The order of a tool call
  A tool call passes, from the outside in, the tool middlewares of the agent, those
  of its legacy middlewares and the wrappers of its handlers; then comes the tool.
  The result goes back the same way in reverse.

  @ORDER-TOOL-01 @documented
  Rule: A tool call passes tool middlewares, then legacy ones, then the handlers' wrappers in their order

    Scenario Outline: One of each and two handlers, around a tool that is <kind>, in a <mode> run
      Given a <mode> run
      And the tools
        | name | kind   | returns   | parts   |
        | t1   | <kind> | <returns> | <parts> |
      And a model that answers
        | text | calls |
        |      | t1    |
        | done |       |
      And a handler "H1" that looks on around tool
      And a handler "H2" that looks on around tool
      And a legacy middleware "L1" that, around tool, looks on
      And a tool middleware "M1" that looks on
      When the agent runs
      Then around the tool call "call 1", the trace is
        """
        around tool M1
          around tool L1
            around tool H1
              around tool H2
                tool t1
        """

      Examples: Tools that answer at once
        | mode        | kind               | returns | parts |
        | synchronous | invokable          | ok      |       |
        | streaming   | invokable          | ok      |       |
        | synchronous | enhanced invokable |         | ok    |

      Examples: Tools that stream
        | mode      | kind                | returns | parts |
        | streaming | streamable          | ok      |       |
        | streaming | enhanced streamable |         | ok    |

    Scenario: Tool middleware and handler alone
      Given a tool "t1" that returns "ok"
      And a model that answers
        | text | calls |
        |      | t1    |
        | done |       |
      And a handler "H1" that looks on around tool
      And a tool middleware "M1" that looks on
      When the agent runs
      Then around the tool call "call 1", the trace is
        """
        around tool M1
          around tool H1
            tool t1
        """

    Scenario: Each of them adds to the result
      Given a tool "t1" that returns "ok"
      And a model that answers
        | text | calls |
        |      | t1    |
        | done |       |
      And a handler "H1" that, around tool, adds ", H1" to the answer
      And a handler "H2" that, around tool, adds ", H2" to the answer
      And a legacy middleware "L1" that, around tool, adds ", L1" to the answer
      And a tool middleware "M1" that adds ", M1" to the answer
      When the agent runs
      Then model call 2 receives
        | role      | content            |
        | user      | Hello.             |
        | assistant |                    |
        | tool      | ok, H2, H1, L1, M1 |

  @ORDER-TOOL-02 @clarified
  Rule: Of tool middlewares and of legacy middlewares, the first registered is the outermost

    Scenario: Two tool middlewares and two legacy middlewares
      Given a tool "t1" that returns "ok"
      And a model that answers
        | text | calls |
        |      | t1    |
        | done |       |
      And a handler "H1" that looks on around tool
      And a legacy middleware "L1" that, around tool, looks on
      And a legacy middleware "L2" that, around tool, looks on
      And a tool middleware "M1" that looks on
      And a tool middleware "M2" that looks on
      When the agent runs
      Then around the tool call "call 1", the trace is
        """
        around tool M1
          around tool M2
            around tool L1
              around tool L2
                around tool H1
                  tool t1
        """

  @ORDER-TOOL-04 @derived
  Rule: A legacy middleware sees the result of the handlers' wrappers and may put another in its place

    Background:
      Given a tool "t1" that returns "ok"
      And a model that answers
        | text | calls |
        |      | t1    |
        | done |       |

    Scenario: A handler answers and the legacy middleware adds to it
      Given a handler "H1" that, around tool, answers "from H1" itself
      And a legacy middleware "L1" that, around tool, adds ", seen by L1" to the answer
      When the agent runs
      Then around tool, "L1" gets the answer "from H1"
      And model call 2 receives
        | role      | content             |
        | user      | Hello.              |
        | assistant |                     |
        | tool      | from H1, seen by L1 |

    Scenario: A handler adds to the result and the legacy middleware overrides it
      Given a handler "H1" that, around tool, adds ", H1" to the answer
      And a legacy middleware "L1" that, around tool, calls further in; answers "from L1" itself
      When the agent runs
      Then model call 2 receives
        | role      | content |
        | user      | Hello.  |
        | assistant |         |
        | tool      | from L1 |
