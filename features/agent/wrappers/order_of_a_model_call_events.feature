Feature: Events and callbacks in the order of a model call
  The event of an answer is sent once the wrappers are through with it, and before
  a hook behind the model sees it. So what a caller reads is what the wrappers have
  made of the answer. Callbacks lie at the other end: they tell about the model
  itself, inside of every wrapper.

  @ORDER-MODEL-05 @documented
  Rule: The event of an answer comes after everything the wrappers do and before the hooks behind the model

    Scenario Outline: A wrapper and a hook that send events of their own, in a <mode> run
      Given a <mode> run
      And a handler "H1" that, around model, adds " and checked" to the answer; sends the event "around"
      And a handler "H2" that, after model, sends the event "after"
      When the agent runs
      Then the events are
        | content          |
        | around           |
        | done and checked |
        | after            |

      Examples:
        | mode        |
        | synchronous |
        | streaming   |

  @ORDER-MODEL-07 @documented
  Rule: Callbacks start and end directly around the model, inside of all wrappers

    Scenario Outline: Two wrappers, in a <mode> run
      Given a <mode> run
      And callbacks
      And a handler "H1" that looks on around model
      And a handler "H2" that looks on around model
      When the agent runs
      Then the trace is
        """
        around model H1
          around model H2
            callback model start
            model
            callback model end
        """

      Examples:
        | mode        |
        | synchronous |
        | streaming   |

    Scenario: Two attempts, the first of which fails
      Given callbacks
      And failed model calls are made again 3 times at most
      And a model that answers
        | text | fails with |
        |      | busy       |
        | done |            |
      And a handler "H1" that looks on around model
      When the agent runs
      Then the trace has, in this order
        """
        around model H1
        callback model start
        model
        around model H1
        callback model start
        model
        callback model end
        """
      And "callback model start" happens 2 times

    Scenario: A wrapper that calls the model twice
      Given callbacks
      And a model that answers
        | text   |
        | first  |
        | second |
      And a handler "H1" that, around model, calls further in; calls further in
      When the agent runs
      Then the trace is
        """
        around model H1
          callback model start
          model
          callback model end
          callback model start
          model
          callback model end
        """

    Scenario: A wrapper that answers in the model's place
      Given callbacks
      And a handler "H1" that looks on before model
      And a handler "H2" that, around model, answers "no need to ask" itself
      When the agent runs
      Then the final answer is "no need to ask"
      And "callback model start" never happens
      And "callback model end" never happens

  @ORDER-MODEL-08 @documented
  Rule: A model that reports its own calls to callbacks is not reported a second time

    Scenario Outline: One call of such a model, in a <mode> run
      Given a <mode> run
      And a model that reports its own calls
      When the agent runs
      Then "callback model start" happens once
      And "callback model end" happens once

      Examples:
        | mode        |
        | synchronous |
        | streaming   |
