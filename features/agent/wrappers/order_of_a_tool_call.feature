Feature: The order of a tool call
  A tool call passes through several layers. The layers are, from the
  outside in: the event of the result, tool middlewares, the tool wrappers
  of legacy middlewares, the tool wrappers of handlers, callbacks, and the
  tool. The result passes through the same layers in reverse order. A tool
  middleware is a function around tool calls, configured together with the
  tools. A legacy middleware is the older form of a handler. Callbacks belong
  to the caller and report calls.

  @ORDER-TOOL-01 @documented
  Rule: The layers of a tool call are, from the outside in: tool middlewares, legacy tool wrappers, handlers' tool wrappers, tool

    Scenario Outline: One middleware of each kind and two handlers, with a tool that is <kind>, in a <mode> run
      Given a <mode> run
      And the tools
        | name | kind   | returns   | parts   |
        | t1   | <kind> | <returns> | <parts> |
      And a model that answers
        | text | calls |
        |      | t1    |
        | done |       |
      And a handler "H1" that observes around tool
      And a handler "H2" that observes around tool
      And a legacy middleware "L1" that, around tool, observes
      And a tool middleware "M1" that observes
      When the agent runs
      Then around the tool call "call 1", the trace is
        """
        around tool M1
          around tool L1
            around tool H1
              around tool H2
                tool t1
        """

      Examples: tools with a single result
        | mode        | kind               | returns | parts |
        | synchronous | invokable          | ok      |       |
        | streaming   | invokable          | ok      |       |
        | synchronous | enhanced invokable |         | ok    |

      Examples: tools that stream
        | mode      | kind                | returns | parts |
        | streaming | streamable          | ok      |       |
        | streaming | enhanced streamable |         | ok    |

    Scenario: A tool middleware and a handler
      Given a tool "t1" that returns "ok"
      And a model that answers
        | text | calls |
        |      | t1    |
        | done |       |
      And a handler "H1" that observes around tool
      And a tool middleware "M1" that observes
      When the agent runs
      Then around the tool call "call 1", the trace is
        """
        around tool M1
          around tool H1
            tool t1
        """

    Scenario: Each layer adds to the result
      Given a tool "t1" that returns "ok"
      And a model that answers
        | text | calls |
        |      | t1    |
        | done |       |
      And a handler "H1" that, around tool, appends ", H1" to the answer
      And a handler "H2" that, around tool, appends ", H2" to the answer
      And a legacy middleware "L1" that, around tool, appends ", L1" to the answer
      And a tool middleware "M1" that appends ", M1" to the answer
      When the agent runs
      Then model call 2 receives
        | role      | content            |
        | user      | Hello.             |
        | assistant |                    |
        | tool      | ok, H2, H1, L1, M1 |

    Scenario: A call that is repeated after an interrupt
      Given the tools
        | name | interrupts |
        | t1   | yes        |
      And a model that answers
        | text | calls |
        |      | t1    |
        | done |       |
      And a handler "H1" that observes around tool
      And a handler "H2" that observes around tool
      And a legacy middleware "L1" that, around tool, observes
      And a tool middleware "M1" that observes
      When the agent runs and is resumed
      Then the trace of run 2 has, in this order
        """
        around tool M1
          around tool L1
            around tool H1
              around tool H2
                tool t1
        """

  @ORDER-TOOL-02 @clarified
  Rule: The first registered tool middleware or legacy middleware is the outermost of its kind

    Scenario: Two tool middlewares and two legacy middlewares
      Given a tool "t1" that returns "ok"
      And a model that answers
        | text | calls |
        |      | t1    |
        | done |       |
      And a handler "H1" that observes around tool
      And a legacy middleware "L1" that, around tool, observes
      And a legacy middleware "L2" that, around tool, observes
      And a tool middleware "M1" that observes
      And a tool middleware "M2" that observes
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
  Rule: A legacy tool wrapper can change the result that the handlers' tool wrappers return

    Background:
      Given a tool "t1" that returns "ok"
      And a model that answers
        | text | calls |
        |      | t1    |
        | done |       |

    Scenario: A handler that short-circuits
      Given a handler "H1" that, around tool, short-circuits with "from H1"
      And a legacy middleware "L1" that, around tool, appends ", seen by L1" to the answer
      When the agent runs
      Then around tool, "L1" receives the answer "from H1"
      And model call 2 receives
        | role      | content             |
        | user      | Hello.              |
        | assistant |                     |
        | tool      | from H1, seen by L1 |

    Scenario: A handler that adds to the result
      Given a handler "H1" that, around tool, appends ", H1" to the answer
      And a legacy middleware "L1" that, around tool, calls the next handler; short-circuits with "from L1"
      When the agent runs
      Then model call 2 receives
        | role      | content |
        | user      | Hello.  |
        | assistant |         |
        | tool      | from L1 |

  @ORDER-TOOL-03 @documented
  Rule: The event of a tool call contains the result that the outermost wrapper returns

    Scenario: A change by each layer
      Given a tool "t1" that returns "ok"
      And a model that answers
        | text   | calls |
        | asking | t1    |
        | done   |       |
      And a handler "H1" that, around tool, appends ", H1" to the answer
      And a legacy middleware "L1" that, around tool, appends ", L1" to the answer
      And a tool middleware "M1" that appends ", M1" to the answer
      When the agent runs
      Then the events are
        | content        |
        | asking         |
        | ok, H1, L1, M1 |
        | done           |

    @axis:message-events=<messages>
    Scenario Outline: A handler that changes the result and sends an event, in a <mode> run
      Given a <mode> run
      And a tool "t1" that returns "ok"
      And a model that answers
        | text   | calls |
        | asking | t1    |
        | done   |       |
      And a handler "H1" that, around tool, appends ", H1" to the answer; sends the event "H1 is through"
      When the agent runs
      Then the events are
        | content       |
        | asking        |
        | H1 is through |
        | ok, H1        |
        | done          |

      Examples:
        | mode        | messages       |
        | synchronous | as-they-happen |
        | streaming   |                |

    Scenario Outline: Two handlers that change the result of a tool that is <kind>, in a <mode> run
      Given a <mode> run
      And the tools
        | name    | kind   | returns |
        | weather | <kind> | sunny   |
      And a model that answers
        | calls   | text   |
        | weather | asking |
        |         | done   |
      And a handler "outer" that, around tool, appends ", outer" to the answer
      And a handler "inner" that, around tool, appends ", inner" to the answer
      When the agent runs
      Then the events are
        | content             |
        | asking              |
        | sunny, inner, outer |
        | done                |

      Examples:
        | kind       | mode        |
        | invokable  | synchronous |
        | invokable  | streaming   |
        | streamable | streaming   |

  @ORDER-TOOL-05 @documented
  Rule: Tool callbacks run directly around the tool, inside all tool wrappers

    Scenario: Callbacks inside a layer of each kind
      Given callbacks for model and tool calls
      And a tool "t1" that returns "ok"
      And a model that answers
        | text | calls |
        |      | t1    |
        | done |       |
      And a handler "H1" that observes around tool
      And a legacy middleware "L1" that, around tool, observes
      And a tool middleware "M1" that observes
      When the agent runs
      Then around the tool call "call 1", the trace is
        """
        around tool M1
          around tool L1
            around tool H1
              callback tool start
              tool t1
              callback tool end
        """

    Scenario: Callbacks inside two handlers
      Given callbacks for model and tool calls
      And a tool "t1" that returns "ok"
      And a model that answers
        | text | calls |
        |      | t1    |
        | done |       |
      And a handler "H1" that observes around tool
      And a handler "H2" that observes around tool
      When the agent runs
      Then around the tool call "call 1", the trace is
        """
        around tool H1
          around tool H2
            callback tool start
            tool t1
            callback tool end
        """

    Scenario Outline: Callbacks of a tool that is <kind>, in a <mode> run
      Given a <mode> run
      And callbacks for model and tool calls
      And the tools
        | name | kind   | returns   | parts   |
        | t1   | <kind> | <returns> | <parts> |
      And a model that answers
        | text | calls |
        |      | t1    |
        | done |       |
      And a handler "H1" that observes around tool
      When the agent runs
      Then around the tool call "call 1", the trace is
        """
        around tool H1
          callback tool start
          tool t1
          callback tool end
        """

      Examples: tools with a single result
        | mode        | kind               | returns | parts |
        | synchronous | enhanced invokable |         | ok    |

      Examples: tools that stream
        | mode      | kind                | returns | parts |
        | streaming | streamable          | ok      |       |
        | streaming | enhanced streamable |         | ok    |

    Scenario: Callbacks of a call that is repeated after an interrupt
      Given callbacks for model and tool calls
      And the tools
        | name | interrupts |
        | t1   | yes        |
      And a model that answers
        | text | calls |
        |      | t1    |
        | done |       |
      And a handler "H1" that observes around tool
      When the agent runs and is resumed
      Then the trace of run 2 has, in this order
        """
        around tool H1
          callback tool start
          tool t1
          callback tool end
        """
