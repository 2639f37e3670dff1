Feature: What stays the same for a backup
  A model that takes over sees what the first one saw, in either mode of a run. Failing over lies outside of retrying: a
  model is only given up when its own retries are spent, and the next one has as many.

  @FAILOVER-12 @derived
  Rule: A backup is sent what the first model was sent: the messages as the hooks left them, and the same tools

    Scenario: Hooks change the conversation and the tools
      Given a failover once at most, to the models "b1"
      And the tools
        | name |
        | t1   |
        | t2   |
      And a handler "H1" that, before model, adds the user message "Hint."; offers the tools t2
      And a model that answers
        | fails with |
        | down       |
      When the agent runs
      Then call 1 of the model "b1" receives
        | role | content |
        | user | Hello.  |
        | user | Hint.   |
      And the model is offered the tools t2

  @FAILOVER-14 @derived
  Rule: In a streaming run, a backup takes over from a stream that cannot be opened, and from one that breaks

    Scenario Outline: The stream fails after so many chunks: <chunks>
      Given a streaming run
      And a failover once at most, to the models "b1"
      And a model that answers
        | chunks | fails with | after chunks |
        | he/llo | down       | <chunks>     |
      And a model "b1" that answers
        | chunks    |
        | from/here |
      When the agent runs
      Then the final answer is "fromhere"

      Examples:
        | chunks |
        | 0      |
        | 1      |
        | 2      |

  @FAILOVER-17 @clarified
  Rule: A broken stream after which failover is declined ends with its own error

    Scenario: The error is none of those that lead to a failover
      Given a streaming run
      And a failover once at most, to the models "b1"
      And it fails over only after the errors "down"
      And a model that answers
        | chunks | fails with | after chunks |
        | he/llo | refused    | 1            |
      When the agent runs
      Then the events are
        | event  | content | ends with |
        | stream | he      | refused   |
        | error  | refused |           |
