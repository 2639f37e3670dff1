Feature: The four kinds of tools
  An invokable tool returns its result as a whole, a streamable tool in chunks.
  A plain tool takes and returns text. An enhanced tool takes a structured
  argument and returns parts, such as texts and pictures. A tool of each kind
  works in synchronous and in streaming runs.

  @TOOLS-02 @derived
  Rule: A tool with only the invokable or only the streamable interface works in synchronous and in streaming runs

    Scenario Outline: A tool with only the <kind> interface, in a <mode> run
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
  Rule: A tool with both interfaces is called through the one that matches the mode of the run

    Scenario Outline: A tool that is <tool>, in a <mode> run
      Given a <mode> run
      And the tools
        | name    | kind   | parts |
        | weather | <tool> | sunny |
      And a model that answers
        | calls   | text |
        | weather |      |
        |         | done |
      And a handler "watch" that observes around tool
      When the agent runs
      Then the tool "weather" is called as <kind>
      And the tool calls that "watch" wraps are
        | tool    | kind   |
        | weather | <kind> |

      Examples:
        | tool                              | mode        | kind                |
        | invokable and streamable          | synchronous | invokable           |
        | invokable and streamable          | streaming   | streamable          |
        | enhanced invokable and streamable | synchronous | enhanced invokable  |
        | enhanced invokable and streamable | streaming   | enhanced streamable |

    Scenario Outline: An invokable and streamable tool that a middleware provides, in a <mode> run
      Given a <mode> run
      And a middleware "A" without hooks
      And "A" provides the tools
        | name    | kind                     |
        | weather | invokable and streamable |
      And a model that answers
        | calls   | text |
        | weather |      |
        |         | done |
      When the agent runs
      Then the tool "weather" is called as <kind>
      And the final answer is "done"

      Examples:
        | mode        | kind       |
        | synchronous | invokable  |
        | streaming   | streamable |

  @TOOLS-09 @clarified
  Rule: A tool with plain and enhanced interfaces is called through an enhanced one

    Scenario Outline: Interfaces of both kinds, <tool>, in a <mode> run
      Given a <mode> run
      And the tools
        | name    | kind   | parts |
        | weather | <tool> | sunny |
      And a model that answers
        | calls   | text |
        | weather |      |
        |         | done |
      When the agent runs
      Then the tool "weather" is called as <kind>
      And the final answer is "done"

      Examples:
        | tool                              | mode        | kind                |
        | invokable and enhanced streamable | synchronous | enhanced streamable |
        | invokable and enhanced streamable | streaming   | enhanced streamable |
        | streamable and enhanced invokable | synchronous | enhanced invokable  |
        | streamable and enhanced invokable | streaming   | enhanced invokable  |

    Scenario Outline: Interfaces of both kinds, <tool>, provided by a middleware, in a <mode> run
      Given a <mode> run
      And a middleware "A" without hooks
      And "A" provides the tools
        | name    | kind   | parts |
        | weather | <tool> | sunny |
      And a model that answers
        | calls   | text |
        | weather |      |
        |         | done |
      When the agent runs
      Then the tool "weather" is called as <kind>
      And the final answer is "done"

      Examples:
        | tool                              | mode        | kind                |
        | invokable and enhanced streamable | synchronous | enhanced streamable |
        | streamable and enhanced invokable | streaming   | enhanced invokable  |

  @TOOLS-06 @clarified
  Rule: The message of an enhanced tool's result holds the parts and an empty text

    Scenario Outline: The result of a tool that is <kind> has a text and a picture
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
  Rule: An error in a tool's stream is reported both after the chunks of the tool's event and as the last event of the run

    @axis:tool-failure
    Scenario: A tool fails after the first of two chunks
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
