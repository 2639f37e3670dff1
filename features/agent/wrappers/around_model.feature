Feature: Around a model call
  A handler may stand around the model: it is given the request on its way in and
  the answer on its way out, and may change either, answer by itself or call again.
  Several handlers are like the skins of an onion, the first registered outermost.
  What a handler does here holds for one request; what shall last belongs into the
  hooks before and after the model call.

  @HOOK-WM-01 @documented
  Rule: Around a model call the first handler registered is outermost

    Scenario Outline: Three handlers in a <mode> run
      Given a <mode> run
      And a handler "first" that looks on around model
      And a handler "second" that looks on around model
      And a handler "third" that looks on around model
      When the agent runs
      Then the trace is
        """
        around model first
          around model second
            around model third
              model
        """

      Examples:
        | mode        |
        | synchronous |
        | streaming   |

  @HOOK-WM-02 @documented
  Rule: Every model call of a run has the handlers around it

    Scenario Outline: Three model calls in a <mode> run
      Given a <mode> run
      And a tool "weather" that returns "sunny"
      And a model that answers
        | calls   | text |
        | weather |      |
        | weather |      |
        |         | done |
      And a handler "watch" that looks on before model and around model
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

  @HOOK-WM-03 @documented
  Rule: What the outermost handler makes of an answer is the answer for hooks, events and history

    Scenario Outline: Two handlers add to the final answer of a <mode> run
      Given a <mode> run
      And an agent
      And a handler "outer" that, around model, adds ", outer" to the answer
      And a handler "inner" that, around model, adds ", inner" to the answer
      And a handler "watch" that looks on after model and after agent
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

    Scenario: A handler adds to an answer that asks for a tool
      Given a conversation of plain messages
        | role | content |
        | user | Hello   |
      And a tool "weather" that returns "sunny"
      And a model that answers
        | calls   | text     |
        | weather | a moment |
        |         | done     |
      And a handler "polite" that, around model call 1, adds ", please" to the answer
      When the agent runs
      Then model call 2 receives
        | role      | content          | calls   |
        | user      | Hello            |         |
        | assistant | a moment, please | weather |
        | tool      | sunny            |         |

  @HOOK-WM-04 @derived
  Rule: What a handler adds to a request is gone after this request

    Scenario: One more user message in the first of two model calls
      Given a conversation of plain messages
        | role | content |
        | user | Hello   |
      And a tool "weather" that returns "sunny"
      And a model that answers
        | calls   | text |
        | weather |      |
        |         | done |
      And a handler "prompter" that, around model call 1, passes on the user message "Be brief" besides
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

  @HOOK-WM-14 @documented
  Rule: A handler may change the tools offered in one request, and in this one only

    Scenario: A handler offers fewer tools in the first of two model calls
      Given the tools
        | name    |
        | weather |
        | search  |
      And a model that answers
        | calls   | text |
        | weather |      |
        |         | done |
      And a handler "miser" that, around model call 1, offers the tools weather
      When the agent runs
      Then model call 1 is offered the tools weather
      And in any order, model call 2 is offered the tools weather, search

  @HOOK-WM-05 @derived
  Rule: When a handler answers by itself, neither the handlers further in nor the model are reached

    Scenario Outline: The middle one of three handlers answers in a <mode> run
      Given a <mode> run
      And an agent
      And a handler "outer" that looks on around model
      And a handler "cache" that, around model, answers "as before" itself
      And a handler "inner" that looks on around model
      When the agent runs
      Then the trace is
        """
        around model outer
          around model cache
        """
      And the final answer is "as before"

      Examples:
        | mode        |
        | synchronous |
        | streaming   |

  @HOOK-WM-07 @documented
  Rule: A handler that hands back the model it is given stands around nothing

    Scenario: Between two that stand around the model
      Given an agent
      And a handler "outer" that looks on around model
      And a handler "elsewhere" that looks on after model
      And a handler "inner" that looks on around model
      When the agent runs
      Then the trace is
        """
        around model outer
          around model inner
            model
        after model elsewhere
        """
