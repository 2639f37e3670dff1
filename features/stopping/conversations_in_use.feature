Feature: Conversations that are in use
  A user can write again before the answer is there, and two processes can start a run at the same time. Two runs that continue
  one conversation at once would store two histories, or one history in which their messages alternate.

  @STOP-30 @clarified
  Rule: A run that is started while another run of its conversation is under way fails without a model call

    Scenario Outline: The first of two <mode> runs waits for its model
      Given a <mode> run
      And the runs share a conversation
      And a model that answers
        | text |
        | done |
      And call 1 of "model model" in run 1 waits until run 2 has ended
      When the agent runs 2 times concurrently
      Then run 2 fails
      And the final answer of run 1 is "done"
      And the model is called once

      Examples:
        | mode        |
        | synchronous |
        | streaming   |

    Scenario: The first of two runs waits for a tool
      Given the runs share a conversation
      And a tool "t1" that returns "ok"
      And a model that answers
        | calls | text |
        | t1    |      |
        |       | done |
      And call 1 of "tool t1" in run 1 waits until run 2 has ended
      When the agent runs 2 times concurrently
      Then run 2 fails
      And the final answer of run 1 is "done"
      And the model is called 2 times

    Scenario: Two runs at the same time, each with a conversation of its own
      Given run 1 belongs to the conversation "first"
      And run 2 belongs to the conversation "second"
      And a model that answers
        | text |
        | done |
      And call 1 of "model model" in run 1 waits until run 2 has ended
      When the agent runs 2 times concurrently
      Then run 1 succeeds
      And run 2 succeeds
      And the model is called 2 times

    Scenario: Two runs are started while the first waits for its model
      Given the runs share a conversation
      And a conversation of agentic messages
        | role | content |
        | user | \ü*2001 |
      And tool calls run sequentially
      And a handler "H0" that observes before agent
      And a handler "H1" that observes before agent
      And in run 2, the user writes ""
      And a model that answers
        | text |
        | done |
      And call 1 of "model model" in run 1 waits until run 3 has ended
      When the agent runs 3 times concurrently
      Then run 2 fails
      And run 3 fails
      And the final answer of run 1 is "done"
      And the model is called once

    Scenario: A resumed run waits for its model
      Given the runs share a conversation
      And the tools
        | name | interrupts |
        | t1   | yes        |
      And a model that answers
        | calls | text |
        | t1    |      |
        |       | done |
      And call 1 of "model model" in run 2 waits until run 3 has ended
      When the agent runs, and is resumed while it runs once more
      Then run 3 fails
      And the final answer of run 2 is "done"
      And the model is called 2 times

  @STOP-31 @clarified
  Rule: A run that was refused changes nothing for the next run of the conversation

    Scenario Outline: The first of two <mode> runs has made a tool call
      Given a <mode> run
      And the runs share a conversation
      And a tool "t1" that returns "ok"
      And a model that answers
        | calls | text |
        | t1    |      |
        |       | done |
      And call 2 of "model model" in run 1 waits until run 2 has ended
      And in run 2, the user writes "And?"
      And in run 3, the user writes "Thanks."
      And in run 3, the model answers
        | text    |
        | welcome |
      When the agent runs 2 times concurrently, and then once
      Then the final answer of run 3 is "welcome"
      And model call 3 receives
        | role      | content | calls |
        | user      | Hello.  |       |
        | assistant |         | t1    |
        | tool      | ok      |       |
        | assistant | done    |       |
        | user      | Thanks. |       |

      Examples:
        | mode        |
        | synchronous |
        | streaming   |

    Scenario: The run under way fails
      Given the runs share a conversation
      And a conversation of agentic messages
        | role | content |
        | user |         |
        | user | \ü*2001 |
      And tool calls run sequentially
      And a handler "H0" that observes before agent
      And a handler "H1" that observes before agent
      And a model that answers
        | fails with |
        | down       |
      And call 1 of "model model" in run 1 waits until run 2 has ended
      And in run 3, the user writes "Thanks."
      And in run 3, the model answers
        | text    |
        | welcome |
      When the agent runs 2 times concurrently, and then once
      Then run 2 fails
      And the final answer of run 3 is "welcome"
      And model call 2 receives
        | role | content |
        | user |         |
        | user | \ü*2001 |
        | user | Thanks. |
