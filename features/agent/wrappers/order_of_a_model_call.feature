Feature: The order of a model call
  Around each model call stand, from the outside in: the legacy middlewares, the
  hooks of the handlers, failover, retry, the sending of the event, the wrappers of
  the handlers, and callbacks directly around the model. Hooks run in front of all
  this and behind it; a wrapper encloses everything further in.

  @ORDER-MODEL-01 @documented
  Rule: A model call passes legacy functions, hooks, wrappers and the model, then hooks and legacy functions again

    Scenario Outline: A legacy middleware, a handler, and a second wrapper, in a <mode> run
      Given a <mode> run
      And a legacy middleware "L1" that looks on
      And a handler "H1" that looks on before model and around model and after model
      And a handler "H2" that looks on around model
      When the agent runs
      Then the trace is
        """
        before model L1
        before model H1
        around model H1
          around model H2
            model
        after model H1
        after model L1
        """

      Examples:
        | mode        |
        | synchronous |
        | streaming   |

    Scenario Outline: Handlers alone, in a <mode> run
      Given a <mode> run
      And a handler "H1" that looks on before model and around model and after model
      And a handler "H2" that looks on around model
      When the agent runs
      Then the trace is
        """
        before model H1
        around model H1
          around model H2
            model
        after model H1
        """

      Examples:
        | mode        |
        | synchronous |
        | streaming   |

    Scenario: All of one kind come before the first of the next
      Given a legacy middleware "L1" that looks on
      And a legacy middleware "L2" that looks on
      And a handler "H1" that looks on before model and after model
      And a handler "H2" that looks on before model and after model
      When the agent runs
      Then the trace has, in this order
        """
        before model L1
        before model H1
        before model H2
        model
        after model H1
        after model L1
        """
      And the trace has, in this order
        """
        before model L2
        before model H1
        model
        after model H2
        after model L1
        """
      And the trace has, in this order
        """
        model
        after model H1
        after model L2
        """
      And the trace has, in this order
        """
        model
        after model H2
        after model L2
        """

  @ORDER-MODEL-02 @clarified
  Rule: Of one kind, the first registered comes first, behind the model too

    Scenario Outline: Two of each kind, in a <mode> run
      Given a <mode> run
      And a legacy middleware "L1" that looks on
      And a legacy middleware "L2" that looks on
      And a handler "H1" that looks on before model and around model and after model
      And a handler "H2" that looks on before model and after model
      When the agent runs
      Then the trace is
        """
        before model L1
        before model L2
        before model H1
        before model H2
        around model H1
          model
        after model H1
        after model H2
        after model L1
        after model L2
        """

      Examples:
        | mode        |
        | synchronous |
        | streaming   |
