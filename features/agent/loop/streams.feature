Feature: Events that are streams
  In a streaming run a model answers in chunks, and whoever listens can read
  them as they come: the event of the answer holds the stream instead of a
  message. What was said in chunks is no less than what is said at once.

  Background:
    Given a streaming run
    And a tool "t1" that returns "found"

  @EVENT-02 @derived
  Rule: In a streaming run the chunks of an answer's event make up the whole answer

    Scenario: An answer in three chunks
      Given a model that answers
        | chunks    |
        | He/llo/ A |
      When the agent runs
      Then the events are
        | event  | content |
        | stream | Hello A |

    Scenario: An answer in chunks that asks for a tool
      Given a model that answers
        | chunks      | calls |
        | Let me/ see | t1    |
        | Se/en       |       |
      When the agent runs
      Then the events are
        | content    |
        | Let me see |
        | found      |
        | Seen       |

  @EVENT-20 @derived
  Rule: In a streaming run a chunk of an answer can be read before the model produces the next chunk

    Scenario: The second chunk is held until the first chunk has appeared
      Given a model that answers
        | chunks  | second chunk held until |
        | He/llo! | chunk 1 has appeared    |
      When the agent runs
      Then the final answer is "Hello!"
      And the events are
        | event  | content |
        | stream | Hello!  |

  @EVENT-03 @clarified
  Rule: The event of a tool that does not stream holds a message in a streaming run, too

    Scenario: A tool without chunks
      Given a model that answers
        | text | calls |
        | Look | t1    |
        | Seen |       |
      When the agent runs
      Then the events are
        | event   | content |
        | stream  | Look    |
        | message | found   |
        | stream  | Seen    |

  @EVENT-04 @clarified
  Rule: An error in the midst of a stream ends the stream, and is told once more at the end of the run

    Scenario: The model fails after two chunks
      Given a model that answers
        | chunks   | fails with | after chunks |
        | He/llo/! | boom       | 2            |
      When the agent runs
      Then the events are
        | event  | content | ends with |
        | stream | Hello   | boom      |
        | error  | boom    |           |
