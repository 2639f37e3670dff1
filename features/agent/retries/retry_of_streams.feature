Feature: Retrying streams that break
  In a streaming run, a model call can fail after the caller has received a part of the answer. The broken stream stays
  in the event stream and ends with a retry notice. The retry is a new stream in an event of its own. The retry
  predicate decides which errors are retried.

  Background:
    Given a streaming run

  @RETRY-11 @derived
  Rule: An attempt that fails before the first chunk of its stream emits no event

    Scenario: Two streams that fail to open
      Given failed model calls are retried at most 3 times
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
  Rule: A broken stream that is retried is an event that ends with a retry notice

    Scenario: The first model call breaks after a chunk
      Given failed model calls are retried at most 2 times
      And a model that answers
        | chunks | fails with | after chunks |
        | he/llo | busy       | 1            |
        | go/od  |            |              |
      When the agent runs
      Then the events are
        | event  | content | ends with  |
        | stream | he      | will retry |
        | stream | good    |            |

    Scenario: The second model call breaks after two chunks
      Given failed model calls are retried at most 2 times
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

  @RETRY-27 @documented
  Rule: The retry of a broken stream is an event of its own

    Scenario: A stream breaks after two chunks, with two retries allowed
      Given failed model calls are retried at most 2 times
      And a model that answers
        | chunks    | fails with | after chunks |
        | he/llo    | busy       | 2            |
        | good/ bye |            |              |
      When the agent runs
      Then the events are
        | event  | content  |
        | stream | hello    |
        | stream | good bye |

  @RETRY-13 @derived
  Rule: The numbers in the retry notices of broken streams rise by one with each failed attempt

    Scenario: Two attempts in a row break
      Given failed model calls are retried at most 3 times
      And a model that answers
        | chunks | fails with | after chunks |
        | he/llo | busy       | 1            |
        | he/llo | busy       | 1            |
        | go/od  |            |              |
      When the agent runs
      Then 2 streams end with a retry notice, numbered consecutively

    Scenario: Three attempts in a row break
      Given failed model calls are retried at most 3 times
      And a model that answers
        | chunks | fails with | after chunks |
        | he/llo | busy       | 1            |
        | hi/you | gone       | 1            |
        | he/llo | busy       | 1            |
        | go/od  |            |              |
      When the agent runs
      Then 3 streams end with a retry notice, numbered consecutively

  @RETRY-14 @clarified
  Rule: The broken stream of the last allowed attempt ends with its own error

    Scenario: The only retry breaks
      Given failed model calls are retried at most once
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
  Rule: An error that the retry predicate rejects ends both the broken stream and the run unchanged

    Scenario: A stream breaks with a rejected error
      Given failed model calls are retried at most 3 times
      And a retry predicate that accepts the error "busy"
      And a model that answers
        | chunks | fails with | after chunks |
        | he/llo | refused    | 1            |
        | la/te  |            |              |
      When the agent runs
      Then the events are
        | event  | content | ends with |
        | stream | he      | refused   |
        | error  | refused |           |
