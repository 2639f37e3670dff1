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

    Scenario: Three handlers in three rounds of the second of two equal runs
      Given a tool "t0" that returns ""
      And a model that answers
        | text | calls   |
        |      | t0 as a |
        |      | t0 as b |
        | done |         |
      And a handler "first" that observes around model
      And a handler "second" that observes around model
      And a handler "third" that observes around model
      When the agent runs twice
      Then the trace of run 2 is
        """
        around model first
          around model second
            around model third
              model
        tool t0
        around model first
          around model second
            around model third
              model
        tool t0
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

    Scenario Outline: A wrapper that makes two calls and returns the answer of the first one, in a <mode> run
      Given a <mode> run
      And a model that answers
        | text   |
        | first  |
        | second |
      And a handler "doubter" that, around model, calls the next handler; calls the next handler and drops its answer
      And a handler "watch" that observes after model
      When the agent runs
      Then after model, the last message that "watch" sees is "first"
      And the events are
        | content |
        | first   |

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

    Scenario: A wrapper that changes the second answer, in the second of two equal runs
      Given a conversation of agentic messages
        | role | content |
        | user | Grüße.  |
      And a session in which "mood" is ""
      And tool calls run sequentially
      And the tools
        | name | returns | kind       | actions                        |
        | t0   |         |            |                                |
        | t1   | \ü*2001 | streamable | reads the session value "mood" |
      And a model that answers
        | calls            | text |
        | t0 as a, t1 as b |      |
        | t0 as c, t1 as d | Gut  |
        |                  | done |
      And a handler "H0" that observes around tool
      And a handler "H1" that, around model call 2, appends ", H1" to the answer
      When the agent runs twice
      Then model call 3 contains the message "Gut, H1"
      And model call 6 contains the message "Gut, H1"

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

    Scenario: A message added to each of three requests, the first of which ends with a repeated message
      Given a conversation of agentic messages
        | role      | content |
        | user      | Grüße.  |
        | assistant | Gut     |
        | user      | Grüße.  |
      And a session in which "mood" is ""
      And the tools
        | name    | returns |
        | search  |         |
        | weather | \ü*2001 |
      And a model that answers
        | calls        | text |
        | search as a  |      |
        | weather as b |      |
        |              | done |
      And a handler "prompter" that, around model, reads the session value "mood"; passes on the additional user message "Be brief"
      When the agent runs
      Then model call 3 receives
        | role      | content  | calls   |
        | user      | Grüße.   |         |
        | assistant | Gut      |         |
        | user      | Grüße.   |         |
        | assistant |          | search  |
        | tool      |          |         |
        | assistant |          | weather |
        | tool      | \ü*2001  |         |
        | user      | Be brief |         |

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
      And model call 2 receives only the deferred tool "t8"

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

    Scenario: A wrapper short-circuits the second model call, in the second of two equal runs
      Given a conversation of agentic messages
        | role | content |
        | user | Grüße.  |
      And a session in which "mood" is ""
      And tool calls run sequentially
      And the tools
        | name | returns | kind       | actions                        |
        | t0   |         |            |                                |
        | t1   | \ü*2001 | streamable | reads the session value "mood" |
      And a model that answers
        | calls            | text |
        | t0 as a, t1 as b |      |
        | t0 as c, t1 as d |      |
        |                  | done |
      And a handler "H0" that observes around tool
      And a handler "H1" that, around model call 2, short-circuits with "short"
      When the agent runs twice
      Then the final answer of run 1 is "short"
      And the final answer of run 2 is "short"
      And the model is called 2 times
