Feature: Model wrappers
  A model wrapper encloses the model call. The wrapper receives the request
  before the model and the answer after the model. A wrapper can change both,
  short-circuit the call, or call the model more than once. Wrappers of several
  handlers nest like the layers of an onion. A change of a request applies to
  this request only: a change that should persist belongs in a before-model or
  after-model hook. The model context is an argument of the wrapper, with the
  tools and the configuration of the model call.

  @HOOK-WM-01 @documented
  Rule: Model wrappers nest in registration order, with the first registered outermost

    Scenario: Three handlers
      Given a handler "first" that observes around model
      And a handler "second" that observes around model
      And a handler "third" that observes around model
      When the agent runs
      Then the trace is
        """
        around model first
          around model second
            around model third
              model
        """

  @HOOK-WM-02 @documented
  Rule: Model wrappers wrap every model call of a run

    @axis:nesting
    Scenario Outline: Three model calls, in a <mode> run
      Given a <mode> run
      And a tool "weather" that returns "sunny"
      And a model that answers
        | calls   | text |
        | weather |      |
        | weather |      |
        |         | done |
      And a handler "watch" that observes before model and around model
      When the agent runs
      Then the trace is
        """
        before model watch
        around model watch
          model
        tool weather
        before model watch
        around model watch
          model
        tool weather
        before model watch
        around model watch
          model
        """

      Examples:
        | mode        |
        | synchronous |
        | streaming   |

    Scenario: One model call before an interrupt, and two after the resumption
      Given the tools
        | name | interrupts |
        | t1   | yes        |
        | t2   |            |
      And a model that answers
        | text | calls |
        |      | t1    |
        |      | t2    |
        | done |       |
      And a handler "watch" that observes around model
      When the agent runs and is resumed
      Then the model is called 3 times
      And "watch" is called 3 times around model

  @HOOK-WM-03 @derived
  Rule: The answer that the outermost model wrapper returns is the answer for hooks, events and the conversation

    @axis:nesting
    Scenario Outline: Two wrappers that change the final answer, in a <mode> run
      Given a <mode> run
      And an agent
      And a model that answers
        | text |
        | done |
      And a handler "outer" that, around model, appends ", outer" to the answer
      And a handler "inner" that, around model, appends ", inner" to the answer
      And a handler "watch" that observes after model and after agent
      When the agent runs
      Then after model, the last message that "watch" sees is "done, inner, outer"
      And after agent, the last message that "watch" sees is "done, inner, outer"
      And the events are
        | content            |
        | done, inner, outer |

      Examples:
        | mode        |
        | synchronous |
        | streaming   |

    Scenario: A wrapper that changes an answer with a tool call
      Given a conversation of plain messages
        | role | content |
        | user | Hello   |
      And a tool "weather" that returns "sunny"
      And a model that answers
        | calls   | text     |
        | weather | a moment |
        |         | done     |
      And a handler "polite" that, around model call 1, appends ", please" to the answer
      When the agent runs
      Then model call 2 receives
        | role      | content          | calls   |
        | user      | Hello            |         |
        | assistant | a moment, please | weather |
        | tool      | sunny            |         |

    Scenario: A wrapper that changes the answers before and after an interrupt
      Given the tools
        | name    | returns | interrupts |
        | weather | sunny   | yes        |
        | search  | found   |            |
      And a model that answers
        | calls   | text     |
        | weather | a moment |
        | search  | another  |
        |         | done     |
      And a handler "polite" that, around model, appends ", please" to the answer
      When the agent runs and is resumed
      Then model call 3 receives
        | role      | content          | calls   |
        | user      | Hello.           |         |
        | assistant | a moment, please | weather |
        | tool      | sunny            |         |
        | assistant | another, please  | search  |
        | tool      | found            |         |
      And the final answer of run 2 is "done, please"

  @HOOK-WM-04 @derived
  Rule: A message that a model wrapper adds to a request is sent with this request only

    Scenario: A message added to the first of two requests
      Given a conversation of plain messages
        | role | content |
        | user | Hello   |
      And a tool "weather" that returns "sunny"
      And a model that answers
        | calls   | text |
        | weather |      |
        |         | done |
      And a handler "prompter" that, around model call 1, passes on the additional user message "Be brief"
      When the agent runs
      Then model call 1 receives
        | role | content  |
        | user | Hello    |
        | user | Be brief |
      And model call 2 receives
        | role      | content | calls   |
        | user      | Hello   |         |
        | assistant |         | weather |
        | tool      | sunny   |         |

  @HOOK-WM-14 @derived
  Rule: A model wrapper can change the tools of a single request

    Scenario: A tool removed from the first of two requests
      Given the tools
        | name    |
        | weather |
        | search  |
      And a model that answers
        | calls   | text |
        | weather |      |
        |         | done |
      And a handler "miser" that, around model call 1, offers the model the tools "weather"
      When the agent runs
      Then model call 1 receives the tools "weather"
      And in any order, model call 2 receives the tools "weather", "search"

    Scenario: All tools removed from the first of two requests
      Given a tool "weather" that returns "sunny"
      And a model that answers
        | calls   | text |
        | weather |      |
        |         | done |
      And a handler "miser" that, around model call 1, offers the model no tools
      When the agent runs
      Then model call 1 receives no tools
      And model call 2 receives the tools "weather"

  @HOOK-WM-15 @clarified
  Rule: A model wrapper can change the deferred tools of a single request

    @axis:edits-last @axis:nesting
    Scenario Outline: The first of two requests has <what>
      Given a tool "weather" that returns "sunny"
      And a model that answers
        | calls   | text |
        | weather |      |
        |         | done |
      And a handler "H" that, before model call 1, defers the tools "t8"
      And a handler "miser" that, around model call 1, defers the tools <tools>
      When the agent runs
      Then model call 1 receives the deferred tools <tools>
      And model call 2 receives the deferred tools "t8"

      Examples:
        | what                  | tools      |
        | another deferred tool | "t9"       |
        | two deferred tools    | "t8", "t9" |
        | no deferred tool      | nothing    |

  @HOOK-WM-05 @derived
  Rule: A model wrapper that short-circuits a call skips the inner wrappers and the model

    Scenario: The second of three wrappers short-circuits
      Given an agent
      And a handler "outer" that observes around model
      And a handler "cache" that, around model, short-circuits with "as before"
      And a handler "inner" that observes around model
      When the agent runs
      Then the trace is
        """
        around model outer
          around model cache
        """
      And the final answer is "as before"

    @axis:empty-answer
    Scenario: A wrapper short-circuits with an empty text
      Given an agent
      And a handler "outer" that observes around model
      And a handler "cache" that, around model, short-circuits with an empty text
      When the agent runs
      Then the trace is
        """
        around model outer
          around model cache
        """
      And the final answer is ""

  @HOOK-WM-08 @derived
  Rule: A model wrapper can turn an error of the inner call into an answer

    Scenario Outline: The model fails, in a <mode> run
      Given a <mode> run
      And a model that answers
        | fails with |
        | overloaded |
      And a handler "net" that, around model, calls the next handler and answers "try later" if it fails
      When the agent runs
      Then the final answer is "try later"

      Examples:
        | mode        |
        | synchronous |
        | streaming   |

    Scenario: A stream breaks after its first chunk
      Given a streaming run
      And a model that answers
        | chunks    | fails with | after chunks |
        | half/done | overloaded | 1            |
      And a handler "net" that, around model, calls the next handler and answers "try later" if it fails
      When the agent runs
      Then the final answer is "try later"

  @HOOK-WM-10 @derived
  Rule: A model wrapper can call the inner endpoint more than once

    Scenario Outline: A wrapper that always calls twice, in a <mode> run
      Given a <mode> run
      And a model that answers
        | text   |
        | first  |
        | second |
      And a handler "doubter" that, around model, calls the next handler; calls the next handler
      And a handler "inner" that observes around model
      When the agent runs
      Then the trace is
        """
        around model doubter
          around model inner
            model
          around model inner
            model
        """
      And the final answer is "second"

      Examples:
        | mode        |
        | synchronous |
        | streaming   |

    Scenario: A wrapper that retries a failed call
      Given a model that answers
        | fails with | text |
        | overloaded |      |
        |            | done |
      And a handler "stubborn" that, around model, calls the next handler and answers "failed" if it fails; calls the next handler
      When the agent runs
      Then the final answer is "done"

  @HOOK-WM-06 @clarified
  Rule: An error of a model wrapper is handled like an error of the model

    Scenario: A wrapper fails
      Given an agent
      And a handler "guard" that, around model, fails with "forbidden"
      When the agent runs
      Then the run fails with the error "forbidden"
      And "model" is never called

    Scenario: A wrapper fails before the model call, with retry
      Given failed model calls are retried at most 3 times
      And a model that answers
        | text |
        | done |
      And a handler "guard" that, around model call 1, fails with "forbidden"
      When the agent runs
      Then the trace is
        """
        around model guard
        around model guard
          model
        """
      And the final answer is "done"

    Scenario: A wrapper fails after the model call, with retry
      Given failed model calls are retried at most 3 times
      And a model that answers
        | text  |
        | first |
        | done  |
      And a handler "guard" that, around model call 1, calls the next handler; fails with "forbidden"
      When the agent runs
      Then "guard" is called 2 times around model
      And the final answer is "done"

    Scenario: A wrapper fails, with failover
      Given a model "backup" that answers
        | text |
        | done |
      And a failover, at most once, to the models "backup"
      And a handler "guard" that, around model call 1, fails with "forbidden"
      When the agent runs
      Then the trace is
        """
        around model guard
        around model guard
          model backup
        """
      And the final answer is "done"

  @HOOK-WM-11 @documented
  Rule: A model wrapper receives the tools of the call and the retry configuration in the model context

    @axis:nesting
    Scenario: The tools change between two model calls
      Given the tools
        | name    |
        | weather |
        | search  |
      And a model that answers
        | calls   | text |
        | weather |      |
        |         | done |
      And a handler "miser" that, before model call 2, offers the model the tools "search"
      And a handler "watch" that observes around model
      When the agent runs
      Then around model call 1, the model context of "watch" has, in any order, the tools "weather", "search"
      And around model call 2, the model context of "watch" has the tools "search"

    Scenario: Retry is configured
      Given failed model calls are retried at most once
      And a handler "watch" that observes around model
      When the agent runs
      Then around model, the model context of "watch" has a retry configuration

    Scenario: Retry is configured, and a call is retried after an interrupt
      Given failed model calls are retried at most once
      And the tools
        | name    | interrupts |
        | weather | yes        |
        | search  |            |
      And a model that answers
        | calls   | text | fails with |
        | weather |      |            |
        |         |      | busy       |
        |         | done |            |
      And a handler "miser" that, after model call 1 of run 1, offers the model the tools "search"
      And a handler "watch" that observes around model
      When the agent runs and is resumed
      Then around model call 2 of run 2, the model context of "watch" has the tools "search"
      And around model call 2 of run 2, the model context of "watch" has a retry configuration

    Scenario: Retry is not configured
      Given an agent
      And a handler "watch" that observes around model
      When the agent runs
      Then around model, the model context of "watch" has no retry configuration

    Scenario: Two tools
      Given the tools
        | name | returns |
        | t1   | one     |
        | t2   | two     |
      And a handler "H1" that observes around model
      When the agent runs
      Then around model, the model context of "H1" has, in any order, the tools "t1", "t2"

  @HOOK-WM-12 @documented
  Rule: A model wrapper receives the failover configuration in the model context

    Scenario: Failover is configured
      Given a failover to the models "backup"
      And a handler "watch" that observes around model
      When the agent runs
      Then around model, the model context of "watch" has a failover configuration

    Scenario: Failover is configured, and a call fails over after an interrupt
      Given a failover to the models "backup"
      And the tools
        | name    | interrupts |
        | weather | yes        |
      And a model that answers
        | calls   | fails with |
        | weather |            |
        |         | down       |
      And a handler "watch" that observes around model
      When the agent runs and is resumed
      Then around model call 1 of run 2, the model context of "watch" has a failover configuration
      And around model call 2 of run 2, the model context of "watch" has a failover configuration

    Scenario: Failover is not configured
      Given an agent
      And a handler "watch" that observes around model
      When the agent runs
      Then around model, the model context of "watch" has no failover configuration
