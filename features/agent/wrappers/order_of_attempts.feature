Feature: What an attempt to call the model repeats
  Retry and failover lie between the hooks and the wrappers. What lies inside of
  retry happens again at each attempt: sending the event, the wrappers, the model.
  What lies outside happens once for the whole model call. Failover lies outside of
  retry, so every model it comes to is tried as often as the first one.

  @ORDER-MODEL-03 @documented
  Rule: Each attempt goes through the wrappers to the model, and no hook is repeated for it

    Scenario: An attempt that fails and one that answers
      Given failed model calls are made again 3 times at most
      And a model that answers
        | text | fails with |
        |      | busy       |
        | done |            |
      And a handler "H1" that looks on before model and around model and after model
      When the agent runs
      Then the trace is
        """
        before model H1
        around model H1
          model
        around model H1
          model
        after model H1
        """

    Scenario: The same beside a legacy middleware
      Given failed model calls are made again 3 times at most
      And a model that answers
        | text | fails with |
        |      | busy       |
        | done |            |
      And a legacy middleware "L1" that looks on
      When the agent runs
      Then the trace is
        """
        before model L1
        model
        model
        after model L1
        """

    Scenario: An answer that breaks off, and the stream of each attempt is an event
      Given a streaming run
      And failed model calls are made again 3 times at most
      And a model that answers
        | chunks | fails with | after chunks |
        | do/ne  | busy       | 1            |
        | do/ne  |            |              |
      And a handler "H1" that looks on before model and around model and after model
      When the agent runs
      Then the trace is
        """
        before model H1
        around model H1
          model
        around model H1
          model
        after model H1
        """
      And the events are
        | event  | content |
        | stream | do      |
        | stream | done    |

    Scenario Outline: The first attempt of a <mode> run fails
      Given a <mode> run
      And failed model calls are made again 3 times at most
      And a model that answers
        | fails with | text |
        | overloaded |      |
        |            | done |
      And a handler "outer" that looks on around model
      And a handler "inner" that looks on around model
      When the agent runs
      Then the trace is
        """
        around model outer
          around model inner
            model
        around model outer
          around model inner
            model
        """

      Examples:
        | mode        |
        | synchronous |
        | streaming   |

  @ORDER-MODEL-04 @documented
  Rule: Each model is retried as often as configured before failover calls the next model

    Scenario: The model succeeds at a retry
      Given a failover once at most, to the models "b1"
      And failed model calls are made again 2 times at most
      And a model that answers
        | text | fails with |
        |      | busy       |
        | done |            |
      When the agent runs
      Then the final answer is "done"
      And "model b1" never happens
      And there are no questions about failing over

    Scenario Outline: The first model never answers, and its backup does at a retry, in a <mode> run
      Given a <mode> run
      And failed model calls are made again 2 times at most
      And a failover once at most, to the models "backup"
      And a model that answers
        | fails with |
        | busy       |
        | busy       |
        | busy       |
      And a model "backup" that answers
        | text   | fails with |
        |        | busy       |
        | helped |            |
      When the agent runs
      Then the final answer is "helped"
      And the trace has, in this order
        """
        model
        model
        model backup
        model backup
        """

      Examples:
        | mode        |
        | synchronous |
        | streaming   |
