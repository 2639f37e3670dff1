Feature: Where a context value ends
  What the hooks around a model call add to the context lasts for that call. The
  tools that it asks for have a context of their own, and so has the next call.

  @CTX-10 @clarified
  Rule: A value added before a model call reaches neither the tools nor the next model call

    Scenario: Added before the first of two model calls
      Given a tool "t1" that returns "ok"
      And a model that answers
        | text | calls |
        |      | t1    |
        | done |       |
      And a handler "H1" that, before model call 1, sets "user" to "Ann" in the context
      And a handler "H2" that looks on
      When the agent runs
      Then around tool, the context of "H2" has no "user"
      And the context of the tool "t1" has no "user"
      And before model call 2, the context of "H2" has no "user"
      And the context of model call 2 has no "user"
      And after agent, the context of "H2" has no "user"

  @CTX-04 @clarified
  Rule: A value added after a model call reaches the later hooks after that call and nothing else

    Scenario: Added after the first of two model calls
      Given a tool "t1" that returns "ok"
      And a model that answers
        | text | calls |
        |      | t1    |
        | done |       |
      And a handler "H1" that, after model call 1, sets "user" to "Ann" in the context
      And a handler "H2" that looks on
      When the agent runs
      Then after model, the context of "H2" has "user" as "Ann"
      And around tool, the context of "H2" has no "user"
      And the context of the tool "t1" has no "user"
      And before model call 2, the context of "H2" has no "user"
      And the context of model call 2 has no "user"
      And after model call 2, the context of "H2" has no "user"
      And after agent, the context of "H2" has no "user"
