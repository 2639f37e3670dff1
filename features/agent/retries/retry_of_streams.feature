Feature: Retrying streams that break
  In a streaming run, an answer may break off when some of it has been shown. What was shown cannot be taken back: the
  stream stays among the events, and ends by saying that the call is made again. The next attempt is a stream of its
  own, in a further event.

  Background:
    Given a streaming run

  @RETRY-11 @derived
  Rule: An attempt that fails before its first chunk shows nothing

    Scenario: Streams that cannot be opened
      Given failed model calls are made again 3 times at most
      And a model that answers
        | chunks | fails with |
        |        | busy       |
        |        | busy       |
        | do/ne  |            |
      When the agent runs
      Then the events are
        | event  | role      | content | ends with |
        | stream | assistant | done    |           |

  @RETRY-12 @documented
  Rule: A stream that breaks stays an event, ends by saying that the call is made again, and the next attempt is another

    Scenario: It breaks after a chunk, and then succeeds
      Given failed model calls are made again 2 times at most
      And a model that answers
        | chunks | fails with | after chunks |
        | he/llo | busy       | 1            |
        | go/od  |            |              |
      When the agent runs
      Then the events are
        | event  | content | ends with  |
        | stream | he      | will retry |
        | stream | good    |            |

    Scenario: It breaks in the second model call
      Given failed model calls are made again 2 times at most
      And a tool "t1" that returns "ok"
      And a model that answers
        | text    | calls | chunks | fails with | after chunks |
        | Looking | t1    |        |            |              |
        |         |       | he/llo | busy       | 2            |
        |         |       | go/od  |            |              |
      When the agent runs
      Then the events are
        | content | ends with  |
        | Looking |            |
        | ok      |            |
        | hello   | will retry |
        | good    |            |

  @RETRY-13 @documented
  Rule: A stream whose call is made again says which attempt it was

    Scenario: Two attempts in a row break
      Given failed model calls are made again 3 times at most
      And a model that answers
        | chunks | fails with | after chunks |
        | he/llo | busy       | 1            |
        | he/llo | busy       | 1            |
        | go/od  |            |              |
      When the agent runs
      Then 2 streams end because they are tried again, numbered one by one

  @RETRY-14 @clarified
  Rule: The stream of the last attempt ends with its own error, and then the run with that of spent retries

    Scenario: The only retry breaks, too
      Given failed model calls are made again once at most
      And a model that answers
        | chunks | fails with | after chunks |
        | he/llo | busy       | 1            |
        | hi/you | gone       | 1            |
      When the agent runs
      Then the events are
        | event  | content           | ends with  |
        | stream | he                | will retry |
        | stream | hi                | gone       |
        | error  | retries exhausted |            |

  @RETRY-15 @clarified
  Rule: A stream that is not to be retried ends with its own error, and so does the run

    Scenario: The error is none of those after which calls are made again
      Given failed model calls are made again 3 times at most
      And they are made again only after the errors "busy"
      And a model that answers
        | chunks | fails with | after chunks |
        | he/llo | refused    | 1            |
        | la/te  |            |              |
      When the agent runs
      Then the events are
        | event  | content | ends with |
        | stream | he      | refused   |
        | error  | refused |           |
