Feature: Events and callbacks in the order of a tool call
  The event of a tool call is sent outside of everything that wraps the tool, so it
  tells the result that the model will see. Callbacks lie at the other end: they
  tell about the tool itself, inside of every wrapper.

  @ORDER-TOOL-03 @documented
  Rule: The event of a tool call comes when all that wraps the tool is through, and tells the result it has left

    Scenario Outline: Everybody adds to the result, in a <mode> run
      Given a <mode> run
      And a tool "t1" that returns "ok"
      And a model that answers
        | text   | calls |
        | asking | t1    |
        | done   |       |
      And a handler "H1" that, around tool, adds ", H1" to the answer
      And a legacy middleware "L1" that, around tool, adds ", L1" to the answer
      And a tool middleware "M1" that adds ", M1" to the answer
      When the agent runs
      Then the events are
        | content        |
        | asking         |
        | ok, H1, L1, M1 |
        | done           |

      Examples:
        | mode        |
        | synchronous |
        | streaming   |

    Scenario Outline: A handler adds to the result and sends an event of its own, in a <mode> run
      Given a <mode> run
      And a tool "t1" that returns "ok"
      And a model that answers
        | text   | calls |
        | asking | t1    |
        | done   |       |
      And a handler "H1" that, around tool, adds ", H1" to the answer; sends the event "H1 is through"
      When the agent runs
      Then the events are
        | content       |
        | asking        |
        | H1 is through |
        | ok, H1        |
        | done          |

      Examples:
        | mode        |
        | synchronous |
        | streaming   |

    Scenario Outline: Two handlers add to the result of a tool that is <kind>, in a <mode> run
      Given a <mode> run
      And the tools
        | name    | kind   | returns |
        | weather | <kind> | sunny   |
      And a model that answers
        | calls   | text   |
        | weather | asking |
        |         | done   |
      And a handler "outer" that, around tool, adds ", outer" to the answer
      And a handler "inner" that, around tool, adds ", inner" to the answer
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
  Rule: Callbacks start and end directly around the tool, inside of all wrappers

    Scenario Outline: Something of each kind around the tool, in a <mode> run
      Given a <mode> run
      And callbacks
      And a tool "t1" that returns "ok"
      And a model that answers
        | text | calls |
        |      | t1    |
        | done |       |
      And a handler "H1" that looks on around tool
      And a legacy middleware "L1" that, around tool, looks on
      And a tool middleware "M1" that looks on
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

      Examples:
        | mode        |
        | synchronous |
        | streaming   |

    Scenario Outline: Two handlers around the tool, in a <mode> run
      Given a <mode> run
      And callbacks
      And a tool "t1" that returns "ok"
      And a model that answers
        | text | calls |
        |      | t1    |
        | done |       |
      And a handler "H1" that looks on around tool
      And a handler "H2" that looks on around tool
      When the agent runs
      Then around the tool call "call 1", the trace is
        """
        around tool H1
          around tool H2
            callback tool start
            tool t1
            callback tool end
        """

      Examples:
        | mode        |
        | synchronous |
        | streaming   |

    Scenario Outline: A handler around a tool that is <kind>, in a <mode> run
      Given a <mode> run
      And callbacks
      And the tools
        | name | kind   | returns   | parts   |
        | t1   | <kind> | <returns> | <parts> |
      And a model that answers
        | text | calls |
        |      | t1    |
        | done |       |
      And a handler "H1" that looks on around tool
      When the agent runs
      Then around the tool call "call 1", the trace is
        """
        around tool H1
          callback tool start
          tool t1
          callback tool end
        """

      Examples: Tools that answer at once
        | mode        | kind               | returns | parts |
        | synchronous | enhanced invokable |         | ok    |

      Examples: Tools that stream
        | mode      | kind                | returns | parts |
        | streaming | streamable          | ok      |       |
        | streaming | enhanced streamable |         | ok    |
