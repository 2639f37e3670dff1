Feature: Streaming runs
  In a streaming run, the model answers in chunks. The event of an answer holds
  a stream, so a caller can read each chunk as soon as it arrives. In a table, a
  slash separates the chunks of an answer. Streaming does not change the loop itself. A rule with examples in only one mode applies
  to synchronous and streaming runs.

  @LOOP-20 @derived
  Rule: A streaming run without failed model calls has the same calls and events in the same order as a synchronous run

    @axis:nesting
    Scenario Outline: Two tool calls and a handler that observes every hook, in a <mode> run
      Given a <mode> run
      And a tool "t1" that returns "one"
      And a handler "H" that observes
      And a model that answers
        | text       | calls | chunks |
        | I look.    | t1    |        |
        | Once more. | t1    |        |
        | done       |       | do/ne  |
      When the agent runs
      Then the trace is
        """
        before agent H
        before model H
        around model H
          model
        after model H
        around tool H
          tool t1
        before model H
        around model H
          model
        after model H
        around tool H
          tool t1
        before model H
        around model H
          model
        after model H
        after agent H
        """
      And the events are
        | role      | content    |
        | assistant | I look.    |
        | tool      | one        |
        | assistant | Once more. |
        | tool      | one        |
        | assistant | done       |

      Examples:
        | mode        |
        | synchronous |
        | streaming   |

    @axis:message-events=<messages>
    Scenario Outline: A custom event before the second model call, in a <mode> run
      Given a <mode> run
      And a tool "t1" that returns "one"
      And a handler "H" that, before model call 2, sends the event "soon"
      And a model that answers
        | text    | calls | chunks |
        | I look. | t1    |        |
        | done    |       | do/ne  |
      When the agent runs
      Then the events are
        | role      | content |
        | assistant | I look. |
        | tool      | one     |
        |           | soon    |
        | assistant | done    |

      Examples:
        | mode        | messages       |
        | synchronous | as-they-happen |
        | streaming   |                |

  @EVENT-02 @derived
  Rule: In a streaming run, the chunks of an answer's event form the complete answer

    Scenario: An answer in three chunks
      Given a streaming run
      And a tool "t1" that returns "found"
      And a model that answers
        | chunks    |
        | He/llo/ A |
      When the agent runs
      Then the events are
        | event  | content |
        | stream | Hello A |

    Scenario: A tool call in a chunked answer
      Given a streaming run
      And a tool "t1" that returns "found"
      And a model that answers
        | chunks      | calls |
        | Let me/ see | t1    |
        | Se/en       |       |
      When the agent runs
      Then the events are
        | content    |
        | Let me see |
        | found      |
        | Seen       |

    Scenario Outline: Each of two chunks has a tool call, in <kind> messages
      Given a streaming run
      And the messages are <kind>
      And the tools
        | name | returns |
        | t1   | found   |
        | t2   | found   |
      And a model that answers
        | chunks      | calls  |
        | Let me see/ | t1, t2 |
        | Se/en       |        |
      When the agent runs
      Then the events are
        | content    |
        | Let me see |
        | found      |
        | found      |
        | Seen       |

      Examples:
        | kind    |
        | plain   |
        | agentic |

    Scenario Outline: The <which> of three chunks is empty
      Given a streaming run
      And a model that answers
        | chunks   |
        | <chunks> |
      When the agent runs
      Then the events are
        | event  | content |
        | stream | Hello   |
      And the final answer is "Hello"

      Examples:
        | which  | chunks  |
        | first  | /Hel/lo |
        | second | Hel//lo |
        | third  | Hel/lo/ |

  @EVENT-22 @clarified
  Rule: After-model hooks receive a streamed answer with the extra data of all its chunks

    Scenario Outline: Extra data in both chunks of an answer of <kind> messages
      Given a streaming run
      And the messages are <kind>
      And a model that answers
        | chunks | extra data           |
        | He/llo | [{"a": 1}, {"b": 2}] |
      And a handler "H" that observes after model
      When the agent runs
      Then after model, "H" sees the messages
        | role      | content | extra data       |
        | user      | Hello.  | {}               |
        | assistant | Hello   | {"a": 1, "b": 2} |

      Examples:
        | kind    |
        | plain   |
        | agentic |

    Scenario Outline: Only the last of three chunks has extra data, which is <what>
      Given a streaming run
      And a model that answers
        | chunks | extra data               |
        | a/b/c  | [{}, {}, {"k": <value>}] |
      And a handler "H" that observes after model
      When the agent runs
      Then after model, "H" sees the messages
        | role      | content | extra data     |
        | user      | Hello.  | {}             |
        | assistant | abc     | {"k": <value>} |

      Examples:
        | what          | value |
        | a text        | "v"   |
        | zero          | 0     |
        | false         | false |
        | null          | null  |
        | an empty text | ""    |

  @EVENT-20 @derived
  Rule: In a streaming run, a chunk of an answer is readable before the model produces the next chunk

    Scenario: The model holds the second chunk until the first one has appeared
      Given a streaming run
      And a tool "t1" that returns "found"
      And a model that answers
        | chunks  | second chunk held until |
        | He/llo! | chunk 1 is emitted      |
      When the agent runs
      Then the final answer is "Hello!"
      And the events are
        | event  | content |
        | stream | Hello!  |

    Scenario: The model has a failover
      Given a streaming run
      And a tool "t1" that returns "found"
      And a failover, at most once, to the model "b1"
      And a model that answers
        | chunks  | second chunk held until |
        | He/llo! | chunk 1 is emitted      |
      When the agent runs
      Then the final answer is "Hello!"
      And the events are
        | event  | content |
        | stream | Hello!  |

    Scenario: The caller has callbacks for model calls
      Given a streaming run
      And callbacks for model and tool calls
      And a model that answers
        | chunks  | second chunk held until |
        | He/llo! | chunk 1 is emitted      |
      When the agent runs
      Then the final answer is "Hello!"
      And "callback model end" is called once

  @EVENT-03 @clarified
  Rule: In a streaming run, the event of a tool that does not stream holds a complete message

    Scenario: A tool that returns a complete result
      Given a streaming run
      And a tool "t1" that returns "found"
      And a model that answers
        | text | calls |
        | Look | t1    |
        | Seen |       |
      When the agent runs
      Then the events are
        | event   | content |
        | stream  | Look    |
        | message | found   |
        | stream  | Seen    |

    Scenario: A tool that returns a text, and one that returns parts
      Given a streaming run
      And the tools
        | name | kind               | returns | parts |
        | t1   | invokable          | found   |       |
        | t2   | enhanced invokable |         | a map |
      And a model that answers
        | text | calls |
        | Look | t1    |
        | More | t2    |
        | Seen |       |
      When the agent runs
      Then the events are
        | event   | content | parts |
        | stream  | Look    |       |
        | message | found   |       |
        | stream  | More    |       |
        | message | a map   | a map |
        | stream  | Seen    |       |

  @EVENT-04 @clarified
  Rule: An error in the middle of an answer's stream is reported both at the end of that stream and as the last event of the run

    Scenario: The model fails after two chunks
      Given a streaming run
      And a tool "t1" that returns "found"
      And a model that answers
        | chunks   | fails with | after chunks |
        | He/llo/! | boom       | 2            |
      When the agent runs
      Then the events are
        | event  | content | ends with |
        | stream | Hello   | boom      |
        | error  | boom    |           |
