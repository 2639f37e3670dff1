Feature: Cancel requests
  A cancel request can be made before a run starts, while the run is active, or after the run has ended. A second request
  or a timeout can cut the wait for a safe point short. The caller can wait for the effect of each request.

  @CANCEL-20 @derived
  Rule: A run that can be cancelled behaves like any other run as long as no cancel request is made

    @axis:nesting
    Scenario: A run that answers after a tool call
      Given a run that can be cancelled
      And a handler "H1" that observes
      And a tool "t1" that returns "ok"
      And a model that calls "t1" once before it answers "done"
      When the agent runs
      Then the trace is
        """
        before agent H1
        before model H1
        around model H1
          model
        after model H1
        around tool H1
          tool t1
        before model H1
        around model H1
          model
        after model H1
        after agent H1
        """
      And the final answer is "done"

    @axis:after-order @axis:nesting
    Scenario: Hooks that set context values
      Given a run that can be cancelled
      And a handler "H1" that, before agent, sets the context value "user" to "Ann"
      And a handler "H2" with the actions
        | hook         | action                                   |
        | before model | sets the context value "call" to "one"   |
        | after agent  | sets the context value "end" to "now"    |
      And a handler "H3" that observes
      When the agent runs
      Then after model, the context of "H3" has the value "one" under "call"
      And after agent, the context of "H3" has the value "Ann" under "user"
      And after agent, the context of "H3" has the value "now" under "end"

    @axis:limit-ends
    Scenario: A run that reaches its iteration limit
      Given a run that can be cancelled
      And a tool "t1" that returns "ok"
      And a model that calls "t1" once before it answers "done"
      And an iteration limit of 1
      When the agent runs
      Then the run fails
      And the tool "t1" runs once

    Scenario Outline: A <mode> run that retries a model call, is interrupted and is resumed, and then fails over
      Given a <mode> run
      And a run that can be cancelled
      And the tools
        | name | returns | interrupts |
        | t1   | one     | yes        |
      And failed model calls are retried at most once
      And a failover, at most once, to the model "b1"
      And a model that answers
        | fails with | calls |
        | busy       |       |
        |            | t1    |
        | down       |       |
        | down       |       |
      And a model "b1" that answers
        | text |
        | done |
      When the agent runs and is resumed
      Then run 1 is interrupted by "t1"
      And the trace of run 1 is
        """
        model
        model
        tool t1
        """
      And the trace of run 2 is
        """
        tool t1
        model
        model
        model b1
        """
      And call 1 of the model "b1" receives
        | role      | content | calls |
        | user      | Hello.  |       |
        | assistant |         | t1    |
        | tool      | one     |       |
      And the final answer of run 2 is "done"

      Examples:
        | mode        |
        | synchronous |
        | streaming   |

    Scenario: A streaming run in which the model of a sub-agent fails
      Given a streaming run
      And a run that can be cancelled
      And a sub-agent "helper"
      And an input schema without properties
      And a tool "t1" that returns "ok"
      And a model that answers
        | calls | fails with |
        | t1    |            |
        |       | boom       |
      And an outer agent
      And a handler "H1" that, around tool, calls the next handler and answers "no luck" if it fails
      And a model that answers
        | calls  | chunks  | second chunk held until |
        | helper |         |                         |
        |        | He/llo! | chunk 2 is emitted      |
      When the agent runs
      Then the trace of "helper" is
        """
        model helper's
        tool t1
        model helper's
        """
      And call 2 of the model "model" receives
        | role      | content | calls  |
        | user      | Hello.  |        |
        | assistant |         | helper |
        | tool      | no luck |        |
      And the final answer is "Hello!"

    Scenario Outline: A <mode> run whose model fails in its second call
      Given a <mode> run
      And a run that can be cancelled
      And a tool "t1" that returns "ok"
      And a model that answers
        | calls | fails with |
        | t1    |            |
        |       | overload   |
      When the agent runs
      Then the run fails with the error "overload"
      And the trace is
        """
        model
        tool t1
        model
        """

      Examples:
        | mode        |
        | synchronous |
        | streaming   |

    Scenario: A run after a cancelled run
      Given a tool "t1" that returns "ok"
      And a model that answers
        | calls | text | held until        |
        | t1    |      | the run has ended |
        |       | done |                   |
      And a cancel request, which takes effect immediately, is made when the model is called
      When the agent runs twice
      Then run 1 fails because the run was cancelled
      And the trace of run 2 is
        """
        model
        tool t1
        model
        """
      And the final answer of run 2 is "done"

  @CANCEL-18 @documented
  Rule: Waiting for a cancellation lasts until the run has stopped

    Scenario: A request during a model call, for the safe point after the tool calls
      Given a tool "t1" that returns "ok"
      And a model that answers
        | calls | text | held until               |
        | t1    |      | a cancel request is made |
        |       | done |                          |
      And a cancel request, which takes effect after the tool calls, is made when the model is called
      When the agent runs
      Then waiting for the cancellation ends after every call has returned

  @CANCEL-09 @clarified
  Rule: A cancel request made before a run applies from the start of the run

    Scenario: Immediately, requested before the run
      Given an agent
      And a cancel request, which takes effect immediately, is made when the run starts
      When the agent runs
      Then the model is called 0 times
      And the run fails because the run was cancelled

    Scenario: After the model call, requested before the run
      Given a tool "t1" that returns "ok"
      And a model that answers
        | calls | text |
        | t1    |      |
        |       | done |
      And a cancel request, which takes effect after the model call, is made when the run starts
      When the agent runs
      Then the trace is
        """
        model
        """

    Scenario: After the tool calls, requested before the run
      Given a tool "t1" that returns "ok"
      And a model that answers
        | calls | text |
        | t1    |      |
        |       | done |
      And a cancel request, which takes effect after the tool calls, is made when the run starts
      When the agent runs
      Then the trace is
        """
        model
        tool t1
        """

  @CANCEL-10 @clarified
  Rule: A cancel request made after a run has ended is reported as having no effect

    Scenario Outline: A cancel request that takes effect <mode>, made after the end
      Given an agent
      And a cancel request, which takes effect <mode>, is made when the run has ended
      When the agent runs
      Then the final answer is "done"
      And the cancel requests return
        | contributed | waiting returns |
        | no          | ended before    |

      Examples:
        | mode                 |
        | immediately          |
        | after the model call |

  @CANCEL-11 @clarified
  Rule: The safe points of a second cancel request are added to those of the first

    Scenario: The second request names another safe point
      Given a tool "t1" that returns "ok"
      And a model that answers
        | calls | text | held until                 |
        | t1    |      | 2 cancel requests are made |
        |       | done |                            |
      And a cancel request, which takes effect after the tool calls, is made when the model is called
      And a cancel request, which takes effect after the model call, is made when a cancel request is made
      When the agent runs
      Then the trace is
        """
        model
        """
      And the cancellation error reports
        | safe points | escalated |
        | either      | no        |

  @CANCEL-22 @clarified
  Rule: An immediate cancel request ends the wait of an earlier request for its safe point

    Scenario: The second request names no safe point
      Given the tools
        | name | held until        |
        | t1   | the run has ended |
      And a model that answers
        | calls | text |
        | t1    |      |
        |       | done |
      And a cancel request, which takes effect after the tool calls, is made when the tool "t1" is called
      And a cancel request, which takes effect immediately, is made when a cancel request is made
      When the agent runs
      Then the cancellation error reports
        | safe points    | escalated | timeout |
        | the tool calls | yes       | no      |
      And the cancel requests return
        | contributed | waiting returns |
        | yes         | cancelled       |
        | yes         | cancelled       |

  @CANCEL-12 @clarified
  Rule: A cancel request stops the run immediately if its timeout expires before the safe point

    Scenario: The timeout expires before the safe point
      Given the tools
        | name | held until        |
        | t1   | the run has ended |
      And a model that answers
        | calls | text |
        | t1    |      |
        |       | done |
      And a cancel request, which takes effect after the tool calls, or after 5 seconds, is made when the tool "t1" is called
      When the agent runs
      Then the cancellation error reports
        | safe points    | escalated | timeout |
        | the tool calls | yes       | yes     |
      And the cancel requests return
        | contributed | waiting returns |
        | yes         | timed out       |

    Scenario: The safe point is reached before the timeout
      Given the tools
        | name | held until               |
        | t1   | a cancel request is made |
      And a model that answers
        | calls | text |
        | t1    |      |
        |       | done |
      And a cancel request, which takes effect after the tool calls, or after 5 seconds, is made when the tool "t1" is called
      When the agent runs
      Then the cancellation error reports
        | safe points    | escalated | timeout |
        | the tool calls | no        | no      |
      And the cancel requests return
        | contributed | waiting returns |
        | yes         | cancelled       |

    Scenario: The timeout is zero
      Given the tools
        | name | held until        |
        | t1   | the run has ended |
      And a model that answers
        | calls | text |
        | t1    |      |
        |       | done |
      And a cancel request, which takes effect after the tool calls, or after 0 seconds, is made when the tool "t1" is called
      When the agent runs
      Then the cancellation error reports
        | safe points    | escalated | timeout |
        | the tool calls | yes       | yes     |

    Scenario Outline: Two requests with a timeout, of which the <which> expires first
      Given failed model calls are retried at most 3 times
      And a back-off of N seconds before retry N
      And a model that answers
        | text     | fails with |
        |          | busy       |
        |          | busy       |
        | too late |            |
      And a cancel request, which takes effect after the tool calls, or after <first> seconds, is made when the model is called
      And a cancel request, which takes effect after the tool calls, or after <second> seconds, is made when a cancel request is made
      When the agent runs
      Then the run fails because the run was cancelled
      And the model is called 2 times

      Examples:
        | which  | first | second |
        | first  | 2     | 9      |
        | second | 9     | 2      |
