Feature: Uses of model wrappers
  A model wrapper serves one purpose, such as a custom retry, a cache, prompt
  protection or a switch to another model. A change that the wrapper makes to
  a request holds for one model call. The conversation does not change.

  @XP-WRAP-06 @derived
  Rule: The model receives the request that a middleware's model wrapper passes to the next handler

    Scenario: An additional user message
      Given the conversation
        | role | content |
        | user | Hello   |
      And a middleware "prompter" that, around model, passes on the additional user message "Be brief"
      When the agent runs
      Then model call 1 receives
        | role | content  |
        | user | Hello    |
        | user | Be brief |

    Scenario: A different system message
      Given an agent with the instruction "Be kind"
      And the conversation
        | role | content |
        | user | Hello   |
      And a middleware "prompter" that, around model, passes on the system message "Be brief"
      When the agent runs
      Then model call 1 receives
        | role   | content  |
        | system | Be brief |
        | user   | Hello    |

    Scenario: Fewer tools
      Given the tools
        | name    |
        | weather |
        | search  |
      And a middleware "miser" that, around model, offers the model the tools "weather"
      When the agent runs
      Then model call 1 receives only the tool "weather"

    Scenario: No system message
      Given an agent with the instruction "Be kind"
      And the conversation
        | role | content |
        | user | Hello   |
      And a middleware "prompter" that, around model, passes on no system message
      When the agent runs
      Then model call 1 receives
        | role | content |
        | user | Hello   |

    Scenario: No tools
      Given a tool "weather" that returns "sunny"
      And a model that calls "weather" once before it answers "done"
      And a middleware "miser" that, around model call 2, offers the model no tools
      When the agent runs
      Then model call 1 receives only the tool "weather"
      And model call 2 receives no tools

  @XP-WRAP-21 @clarified
  Rule: A change that a middleware's model wrapper makes to a request holds for one model call

    Scenario: An additional user message in the first of two model calls
      Given the conversation
        | role | content |
        | user | Hello   |
      And a tool "weather" that returns "sunny"
      And a model that answers
        | calls   | text |
        | weather |      |
        |         | done |
      And a middleware "prompter" that, around model call 1, passes on the additional user message "Be brief"
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

    Scenario: An after-model hook that reads the conversation
      Given the conversation
        | role | content |
        | user | Hello   |
      And a middleware "prompter" that, around model, passes on the additional user message "Be brief"
      And a middleware "watch" that observes after model
      When the agent runs
      Then after model, "watch" sees the messages
        | role      | content |
        | user      | Hello   |
        | assistant | done    |

    Scenario: A different system message in the first of two model calls
      Given an agent with the instruction "Be kind"
      And the conversation
        | role | content |
        | user | Hello   |
      And a tool "weather" that returns "sunny"
      And a model that answers
        | calls   | text |
        | weather |      |
        |         | done |
      And a middleware "prompter" that, around model call 1, passes on the system message "Be brief"
      When the agent runs
      Then model call 1 receives
        | role   | content  |
        | system | Be brief |
        | user   | Hello    |
      And model call 2 receives
        | role      | content |
        | system    | Be kind |
        | user      | Hello   |
        | assistant |         |
        | tool      | sunny   |

    Scenario: Fewer tools in the first of two model calls
      Given the tools
        | name    |
        | weather |
        | search  |
      And a model that answers
        | calls   | text |
        | weather |      |
        |         | done |
      And a middleware "miser" that, around model call 1, offers the model the tools "weather"
      When the agent runs
      Then model call 1 receives only the tool "weather"
      And in any order, model call 2 receives the tools "weather", "search"

  @XP-WRAP-07 @documented
  Rule: A middleware's model wrapper can switch a call to another model

    Scenario: All model calls of the run
      Given a model that answers
        | text  |
        | small |
      And a model "big" that answers
        | text |
        | big  |
      And a middleware "chooser" that, around model, replaces the model with "big"
      When the agent runs
      Then the trace is
        """
        around model chooser
          model big
        """
      And the final answer is "big"

    Scenario: Before a handler and a wrapper of another middleware
      Given a model "big" that answers
        | text |
        | big  |
      And a middleware "chooser" that, around model, replaces the model with "big"
      And a handler "H" that observes around model
      And a middleware "watch" that observes around model
      When the agent runs
      Then the trace is
        """
        around model chooser
          around model H
            around model watch
              model big
        """

    Scenario: One of two model calls
      Given a tool "weather" that returns "sunny"
      And a model that answers
        | text  |
        | small |
      And a model "big" that answers
        | calls   |
        | weather |
      And a middleware "chooser" that, around model call 1, replaces the model with "big"
      When the agent runs
      Then the trace is
        """
        around model chooser
          model big
        tool weather
        around model chooser
          model
        """
      And the final answer is "small"

    Scenario: The other model calls a tool of the agent
      Given a tool "weather" that returns "sunny"
      And a model that answers
        | text  |
        | small |
      And a model "big" that answers
        | text |
        | big  |
      And a middleware "chooser" that, around model, replaces the model with "big"
      When the agent runs
      Then model call 1 receives only the tool "weather"
      And the final answer is "big"

    Scenario: A model call after a failover
      Given a tool "weather" that returns "sunny"
      And a failover, at most once, to the model "backup"
      And a model that answers
        | fails with |
        | down       |
      And a model "backup" that answers
        | calls   | text  |
        | weather |       |
        |         | small |
      And a model "big" that answers
        | text |
        | big  |
      And a middleware "chooser" that, around model call 3, replaces the model with "big"
      When the agent runs
      Then the trace is
        """
        around model chooser
          model
        around model chooser
          model backup
        tool weather
        around model chooser
          model big
        """
      And the final answer is "big"

  @XP-WRAP-08 @documented
  Rule: A middleware's model wrapper can retry a failed model call

    Scenario: The first call fails
      Given a model that answers
        | fails with | text |
        | overloaded |      |
        |            | done |
      And a middleware "stubborn" that, around model, calls the next handler up to 3 times while it fails
      When the agent runs
      Then the model is called 2 times
      And the final answer is "done"

    Scenario: Two calls fail before the last attempt
      Given a model that answers
        | fails with | text |
        | overloaded |      |
        | overloaded |      |
        |            | done |
      And a middleware "stubborn" that, around model, calls the next handler up to 3 times while it fails
      When the agent runs
      Then the trace is
        """
        around model stubborn
          model
          model
          model
        """
      And the final answer is "done"

    Scenario: The first call succeeds
      Given a model that answers
        | text   |
        | done   |
        | unused |
      And a middleware "stubborn" that, around model, calls the next handler up to 3 times while it fails
      When the agent runs
      Then the model is called once
      And the final answer is "done"

  @XP-WRAP-09 @documented
  Rule: A middleware's model wrapper can answer a repeated request from a cache

    Scenario: Two runs with equal conversations
      Given the conversation
        | role | content |
        | user | Hello   |
      And a model that answers
        | text  |
        | first |
      And a middleware "cache" that, around model, answers equal requests from a cache
      When the agent runs twice
      Then the model is called once
      And the final answer of run 1 is "first"
      And the final answer of run 2 is "first"

    Scenario: Two runs with the same two requests each
      Given a tool "weather" that returns "sunny"
      And a model that answers
        | calls   | text  |
        | weather |       |
        |         | first |
      And a middleware "cache" that, around model, answers equal requests from a cache
      When the agent runs twice
      Then the model is called 2 times
      And the tool "weather" runs 2 times
      And the final answer of run 2 is "first"

  @XP-WRAP-18 @derived
  Rule: A middleware's model wrapper can rewrite or block a prompt before the model receives it

    Scenario: A number is masked
      Given the conversation
        | role      | content              |
        | user      | My card is 1234      |
        | assistant | What about it?       |
        | user      | Is 1234 a safe card? |
      And a middleware "shield" that, around model, replaces each "1234" with "***" in the request
      When the agent runs
      Then model call 1 receives
        | role      | content             |
        | user      | My card is ***      |
        | assistant | What about it?      |
        | user      | Is *** a safe card? |

    Scenario: The prompt is blocked
      Given the conversation
        | role | content         |
        | user | My card is 1234 |
      And a middleware "shield" that, around model, short-circuits with "I must not read this"
      When the agent runs
      Then the model is called 0 times
      And the final answer is "I must not read this"
