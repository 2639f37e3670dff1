Feature: How far a context value reaches
  A hook or a wrapper may add a value to the context, and whatever is called from
  there on, further in, has it. A value of a hook before the agent lasts for the
  run; one of a hook around a model call lasts for that call. What a wrapper adds
  reaches what it wraps and nothing else.

  @CTX-01 @derived
  Rule: A value added before the agent reaches everything that the run calls from then on

    Scenario Outline: Two model calls with a tool call between, in a <mode> run
      Given a <mode> run
      And a tool "t1" that returns "ok"
      And a model that answers
        | text | calls |
        |      | t1    |
        | done |       |
      And a handler "H1" that, before agent, sets "user" to "Ann" in the context
      And a handler "H2" that looks on
      When the agent runs
      Then before agent, the context of "H2" has "user" as "Ann"
      And before model, the context of "H2" has "user" as "Ann"
      And around model, the context of "H2" has "user" as "Ann"
      And the context of model call 1 has "user" as "Ann"
      And after model, the context of "H2" has "user" as "Ann"
      And around tool, the context of "H2" has "user" as "Ann"
      And the context of the tool "t1" has "user" as "Ann"
      And before model call 2, the context of "H2" has "user" as "Ann"
      And the context of model call 2 has "user" as "Ann"
      And after model call 2, the context of "H2" has "user" as "Ann"
      And after agent, the context of "H2" has "user" as "Ann"

      Examples:
        | mode        |
        | synchronous |
        | streaming   |

    Scenario: A custom input generation
      Given an input generation that puts before the conversation
        | role   | content   |
        | system | Be brief. |
      And a handler "H1" that, before agent, sets "user" to "Ann" in the context
      When the agent runs
      Then the context of the input generation has "user" as "Ann"

  @CTX-02 @documented
  Rule: A value added before a model call reaches the handlers that follow, the wrappers and the model

    Scenario Outline: The first of two handlers adds a value in a <mode> run
      Given a <mode> run
      And a handler "H1" that does
        | hook         | deed                                |
        | before model | sets "user" to "Ann" in the context |
        | around model | looks on                            |
      And a handler "H2" that looks on before model and around model
      When the agent runs
      Then before model, the context of "H2" has "user" as "Ann"
      And around model, the context of "H1" has "user" as "Ann"
      And around model, the context of "H2" has "user" as "Ann"
      And the context of model call 1 has "user" as "Ann"

      Examples:
        | mode        |
        | synchronous |
        | streaming   |

  @CTX-03 @derived
  Rule: A value added before a model call reaches the hooks after it

    Scenario Outline: Seen behind the model in a <mode> run
      Given a <mode> run
      And a handler "H1" that does
        | hook         | deed                                |
        | before model | sets "user" to "Ann" in the context |
        | after model  | looks on                            |
      And a handler "H2" that looks on after model
      When the agent runs
      Then after model, the context of "H1" has "user" as "Ann"
      And after model, the context of "H2" has "user" as "Ann"

      Examples:
        | mode        |
        | synchronous |
        | streaming   |

  @CTX-07 @derived
  Rule: A value added after the agent reaches the next handler there

    Scenario: The middle one of three handlers adds a value
      Given a handler "H1" that looks on after agent
      And a handler "H2" that, after agent, sets "user" to "Ann" in the context
      And a handler "H3" that looks on after agent
      When the agent runs
      Then after agent, the context of "H1", or of "H3", has "user" as "Ann"
