Feature: Cancelling at once
  A request to cancel that names no safe point does not wait for one: the call in
  progress is broken off, be it of a model or of a tool, and so is an answer that
  is being streamed.

  @CANCEL-07 @clarified
  Rule: A run cancelled at once does not wait for the call in progress

    Scenario Outline: During a model call of a <mode> run
      Given a <mode> run
      And a model that answers
        | text | held until        |
        | done | the run has ended |
      And the run is to be cancelled at once, which is asked for when the model is called
      When the agent runs
      Then the run fails because it was cancelled
      And the events are
        | event |
        | error |
      And the requests to cancel come to
        | counted | waiting says |
        | yes     | cancelled    |

      Examples:
        | mode        |
        | synchronous |
        | streaming   |

    Scenario: During a tool call that does not let itself be cancelled
      Given the tools
        | name | held until        | stubborn |
        | t1   | the run has ended | yes      |
      And a model that answers
        | calls | text |
        | t1    |      |
        |       | done |
      And the run is to be cancelled at once, which is asked for when the tool "t1" is called
      When the agent runs
      Then the run fails because it was cancelled
      And the model is called once

    Scenario Outline: During two tool calls of a <mode> run
      Given a <mode> run
      And the tools
        | name | held until        |
        | t1   | the run has ended |
        | t2   | the run has ended |
      And a model that answers
        | calls  | text |
        | t1, t2 |      |
        |        | done |
      And the run is to be cancelled at once, which is asked for when the tool "t2" is called
      When the agent runs
      Then the run fails because it was cancelled
      And the events are
        | role      |
        | assistant |
        |           |

      Examples:
        | mode        |
        | synchronous |
        | streaming   |

    Scenario: During a tool call of a sub-agent
      Given a sub-agent "helper", with
      And the tools
        | name | held until        |
        | t1   | the run has ended |
      And a model that answers
        | calls | text   |
        | t1    |        |
        |       | helped |
      And an agent above it, with
      And a model that answers
        | calls                        | text |
        | helper({"request": "Help."}) |      |
        |                              | done |
      And the run is to be cancelled at once, which is asked for when the tool "t1" is called
      When the agent runs
      Then the run fails because it was cancelled

  @CANCEL-08 @clarified
  Rule: A stream that is broken off by a cancellation ends with an error that says so

    Scenario: In the middle of a streamed answer
      Given a streaming run
      And a model that answers
        | chunks | second chunk held until |
        | a/b    | the run has ended       |
      And the run is to be cancelled at once, which is asked for when chunk 1 has appeared
      When the agent runs
      Then the events are
        | event  | chunks | ends with        |
        | stream | a      | stream cancelled |
        | error  |        |                  |
