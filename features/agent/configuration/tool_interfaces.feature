Feature: How tools are called in runs of either mode
  The mode of a run says how its caller wants the answers. A tool need not be of
  the same mind: what is missing is made up for, a stream is put together and a
  whole result is one chunk. Where a model asks for what nobody has, or a tool
  breaks off, the run ends.

  @TOOLS-02 @derived
  Rule: A tool that has only one of the two interfaces works in runs of either mode

    Scenario Outline: A tool that is <kind>, in a <mode> run
      Given a <mode> run
      And a conversation of plain messages
        | role | content |
        | user | Hello   |
      And the tools
        | name    | kind   | returns   | chunks   |
        | weather | <kind> | <returns> | <chunks> |
      And a model that answers
        | calls   | text |
        | weather |      |
        |         | done |
      When the agent runs
      Then the tool "weather" is called as <kind>
      And model call 2 receives
        | role      | content |
        | user      | Hello   |
        | assistant |         |
        | tool      | sunny   |

      Examples:
        | kind       | mode        | returns | chunks |
        | invokable  | synchronous | sunny   |        |
        | invokable  | streaming   | sunny   |        |
        | streamable | synchronous |         | sun/ny |
        | streamable | streaming   |         | sun/ny |

  @TOOLS-03 @clarified
  Rule: A tool that has both interfaces is called by that of the run's mode

    Scenario Outline: <tool>, in a <mode> run
      Given a <mode> run
      And the tools
        | name    | kind   | parts |
        | weather | <tool> | sunny |
      And a model that answers
        | calls   | text |
        | weather |      |
        |         | done |
      And a handler "watch" that looks on around tool
      When the agent runs
      Then the tool "weather" is called as <kind>
      And the tools that "watch" is around are
        | tool    | kind   |
        | weather | <kind> |

      Examples:
        | tool                              | mode        | kind                |
        | invokable and streamable          | synchronous | invokable           |
        | invokable and streamable          | streaming   | streamable          |
        | enhanced invokable and streamable | synchronous | enhanced invokable  |
        | enhanced invokable and streamable | streaming   | enhanced streamable |

  @TOOLS-04 @clarified
  Rule: A call of a tool that nobody has ends the run before any tool of this answer is called

    Scenario Outline: The second of two tools is unknown, in a <mode> run
      Given a <mode> run
      And a tool "weather" that returns "sunny"
      And a model that answers
        | calls           |
        | weather, oracle |
      And a handler "watch" that looks on around tool
      When the agent runs
      Then the run fails because a tool is unknown
      And the run fails, and "oracle" is named
      And the tool "weather" never runs
      And "watch" is never called around tool
      And the model is called once

      Examples:
        | mode        |
        | synchronous |
        | streaming   |

  @TOOLS-06 @clarified
  Rule: The parts of an enhanced tool's result stay parts, beside an empty text

    Scenario Outline: A tool that is <kind> returns a text and a picture
      Given a conversation of plain messages
        | role | content |
        | user | Hello   |
      And the tools
        | name    | kind   | parts           |
        | weather | <kind> | sunny/image:sun |
      And a model that answers
        | calls   | text |
        | weather |      |
        |         | done |
      When the agent runs
      Then model call 2 receives
        | role      | content | parts           |
        | user      | Hello   |                 |
        | assistant |         |                 |
        | tool      |         | sunny/image:sun |
      And the events are
        | role      | parts           |
        | assistant |                 |
        | tool      | sunny/image:sun |
        | assistant |                 |

      Examples:
        | kind                |
        | enhanced invokable  |
        | enhanced streamable |

  @TOOLS-07 @clarified
  Rule: When a tool's stream breaks, its event has the chunks and then the error, which ends the run

    Scenario: It breaks after the first of two chunks
      Given a streaming run
      And the tools
        | name    | kind       | chunks | fails with | after chunks |
        | weather | streamable | sun/ny | offline    | 1            |
      And a model that answers
        | calls   |
        | weather |
      When the agent runs
      Then the events are
        | event  | role      | chunks | ends with | content |
        | stream | assistant |        |           |         |
        | stream | tool      | sun    | offline   | sun     |
        | error  |           |        |           | offline |
      And the model is called once
