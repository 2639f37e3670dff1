Feature: Postures of the iteration limit
  Agent frameworks document different answers to how a run ends at the iteration limit, to what a limit of zero means, and
  to which limit a run has if the caller sets none. The iteration limit is the largest number of model calls in a run.

  @POSTURE-09 @clarified @axis:limit-ends=last-answer
  Rule: An agent with the posture limit-ends=last-answer calls its model once more without tools at the iteration limit

    Scenario: One model call more than the limit
      Given a tool "t1" that returns "one"
      And a model that calls "t1" 2 times before it answers "done"
      And an iteration limit of 2
      When the agent runs
      Then model call 2 receives only the tool "t1"
      And from model call 3 on, the model receives no tools
      And the model is called 3 times
      And the final answer is "done"

    Scenario: The last allowed model call gives the final answer
      Given a tool "t1" that returns "one"
      And a model that calls "t1" once before it answers "done"
      And an iteration limit of 2
      When the agent runs
      Then model call 2 receives only the tool "t1"
      And the model is called 2 times
      And the final answer is "done"

  @POSTURE-23 @clarified @axis:limit-ends=stops
  Rule: A run of an agent with the posture limit-ends=stops ends without an error at the iteration limit

    Scenario: A tool call at the last allowed model call
      Given a tool "t1" that returns "one"
      And a model that calls "t1" 2 times before it answers "done"
      And an iteration limit of 2
      When the agent runs
      Then the run succeeds
      And the model is called 2 times
      And the tool "t1" runs 2 times

    Scenario: A final answer at the last allowed model call
      Given a tool "t1" that returns "one"
      And a model that calls "t1" once before it answers "done"
      And an iteration limit of 2
      When the agent runs
      Then the final answer is "done"
      And the model is called 2 times

  @POSTURE-10 @clarified @axis:limit-zero=refused
  Rule: Building an agent with the posture limit-zero=refused fails if the iteration limit is zero

    Scenario: A limit of zero fails the build
      Given a tool "t1" that returns "one"
      And an iteration limit of 0
      When the agent runs
      Then building the agent fails

    Scenario: A limit of one is accepted
      Given an agent
      And an iteration limit of 1
      When the agent runs
      Then the model is called once
      And the run succeeds

  @POSTURE-11 @clarified @axis:limit-zero=unlimited
  Rule: An agent with the posture limit-zero=unlimited has no iteration limit if the limit is zero

    Scenario: More model calls than the default limit allows
      Given a tool "t1" that returns "one"
      And a model that calls "t1" 59 times before it answers "done"
      And an iteration limit of 0
      When the agent runs
      Then the model is called 60 times
      And the final answer is "done"

  @POSTURE-12 @clarified @axis:limit-zero=no-call @axis:limit-ends
  Rule: A run of an agent with the posture limit-zero=no-call fails before the first model call if the limit is zero

    Scenario: A limit of zero without a model call
      Given a tool "t1" that returns "one"
      And an iteration limit of 0
      When the agent runs
      Then the run fails
      And the model is called 0 times

    Scenario: A limit of one with one model call
      Given an agent
      And an iteration limit of 1
      When the agent runs
      Then the model is called once
      And the run succeeds

  @POSTURE-20 @clarified
  Rule: An agent with the posture limit-default=N has a default iteration limit of N

    @axis:limit-default=<limit>
    Scenario Outline: A default limit of <limit>, and a final answer at model call <limit>
      Given a tool "t1" that returns "one"
      And a model that calls "t1" <calls> times before it answers "done"
      When the agent runs
      Then the final answer is "done"
      And the model is called <limit> times

      Examples: numbers
        | limit | calls |
        | 10    | 9     |
        | 40    | 39    |
        | 50    | 49    |
        | 100   | 99    |
        | 500   | 499   |

    @axis:limit-default=<limit> @axis:limit-ends
    Scenario Outline: A default limit of <limit>, and no final answer until then
      Given a tool "t1" that returns "one"
      And a model that calls "t1" <limit> times before it answers "done"
      When the agent runs
      Then the run fails
      And the model is called <limit> times

      Examples: numbers
        | limit |
        | 10    |
        | 40    |
        | 50    |
        | 100   |
        | 500   |

  @POSTURE-21 @clarified @axis:limit-default=unlimited
  Rule: An agent with the posture limit-default=unlimited has no iteration limit if the caller sets none

    Scenario: More model calls than a default limit of 50 allows
      Given a tool "t1" that returns "one"
      And a model that calls "t1" 109 times before it answers "done"
      When the agent runs
      Then the model is called 110 times
      And the final answer is "done"
