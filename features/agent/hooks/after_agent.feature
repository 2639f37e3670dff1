Feature: The after-agent hook
  The after-agent hook runs once, at the end of a successful run. Use it to store or count the finished conversation.
  The result of the run is already fixed at this point. An error in the hook is still reported as an event of the run.
  A return-directly tool is a tool whose result ends the run.

  @HOOK-AA-01 @documented
  Rule: A run that ends with a final answer calls the after-agent hook once, as its last step

    Scenario: Without tools
      Given a handler "H" that observes after model and after agent
      When the agent runs
      Then the trace is
        """
        model
        after model H
        after agent H
        """

    Scenario Outline: After two model calls, in a <mode> run
      Given a <mode> run
      And a tool "t1" that returns "one"
      And a model that answers
        | text | calls |
        |      | t1    |
        | done |       |
      And a handler "H" that observes after agent
      When the agent runs
      Then the trace is
        """
        model
        tool t1
        model
        after agent H
        """

      Examples:
        | mode        |
        | synchronous |
        | streaming   |

    Scenario: The final answer at the iteration limit
      Given a tool "t1" that returns "one"
      And an iteration limit of 2
      And a model that answers
        | text | calls |
        |      | t1    |
        | done |       |
      And a handler "H" that observes after agent
      When the agent runs
      Then the final answer is "done"
      And "H" is called once after agent

    Scenario: A tool that returns directly after the last allowed model call, in the second of two equal runs
      Given a conversation of agentic messages
        | role | content |
        | user | Grüße.  |
      And tool calls run sequentially
      And the tools
        | name | returns |
        | t0   | früh    |
        | t1   | \ü*2001 |
      And the tool "t1" returns directly
      And an iteration limit of 2
      And a model that answers
        | text | calls            |
        |      | t0 as a          |
        |      | t0 as b, t1 as c |
      And a handler "H" that observes after agent
      When the agent runs twice
      Then the final answer of run 1 is "\ü*2001"
      And the final answer of run 2 is "\ü*2001"
      And "H" is called 2 times after agent

  @HOOK-AA-09 @documented
  Rule: The after-agent hook receives the whole conversation, with the final answer as its last message

    Scenario: A tool call
      Given a tool "t1" that returns "one"
      And a model that answers
        | text   | calls |
        | asking | t1    |
        | done   |       |
      And a handler "H" that observes after agent
      When the agent runs
      Then after agent, "H" sees the messages
        | role      | content | calls |
        | user      | Hello.  |       |
        | assistant | asking  | t1    |
        | tool      | one     |       |
        | assistant | done    |       |

  @HOOK-AA-03 @documented
  Rule: A failed run does not call the after-agent hook

    Scenario: The model fails
      Given a model that answers
        | fails with |
        | overload   |
      And a handler "H" that observes before model and after agent
      When the agent runs
      Then the run fails
      And the trace is
        """
        before model H
        model
        """

    Scenario Outline: A handler fails <where>, in a <mode> run
      Given a <mode> run
      And the tools
        | name | returns |
        | t1   | one/two |
      And a model that answers
        | calls | fails with |
        | t1    |            |
        | t1    |            |
        |       | overload   |
      And a handler "H" that observes before agent and after agent
      And a handler "F" that, <where>, fails with "boom"
      When the agent runs
      Then the run fails
      And "H" is called once before agent
      And "H" is never called after agent

      Examples: In hooks
        | where               | mode        |
        | before agent        | synchronous |
        | before model call 2 | synchronous |
        | after model call 2  | synchronous |
        | after model call 2  | streaming   |

      Examples: In wrappers
        | where               | mode        |
        | around model call 2 | synchronous |
        | around tool call 1  | synchronous |
        | around tool call 2  | streaming   |

    Scenario Outline: A tool that <ends>, in the second of three iterations
      Given the tools
        | name | returns | fails with | crashes | returns nothing |
        | t1   | one     |            |         |                 |
        | t2   |         | <error>    | <crash> | <nothing>       |
      And a model that answers
        | calls  | fails with |
        | t1     |            |
        | t1, t2 |            |
        |        | overload   |
      And a handler "H" that observes before model and after agent
      When the agent runs
      Then the run fails
      And the trace has, in this order
        """
        before model H
        tool t1
        tool t2
        """
      And "H" is never called after agent

      Examples:
        | ends            | error | crash | nothing |
        | fails           | boom  |       |         |
        | crashes         |       | yes   |         |
        | returns nothing |       |       | yes     |

    Scenario Outline: A resumed run in which a handler fails <where>
      Given the tools
        | name | interrupts |
        | t1   | yes        |
        | t2   |            |
      And a model that answers
        | calls | fails with |
        | t1    |            |
        | t2    |            |
        |       | overload   |
      And a handler "F" that, <where> of run 2, fails with "boom"
      And a handler "H" that observes before agent and after agent
      When the agent runs and is resumed
      Then run 1 is interrupted
      And "H" is never called after agent

      Examples: In run 2
        | where              |
        | before model       |
        | after model        |
        | around tool call 1 |

    @axis:limit-ends
    Scenario: The iteration limit is reached
      Given a tool "t1" that returns "one"
      And an iteration limit of 1
      And a model that answers
        | text   | calls |
        | asking | t1    |
      And a handler "H" that observes before model and after agent
      When the agent runs
      Then the run fails
      And the trace has, in this order
        """
        before model H
        tool t1
        """
      And "H" is never called after agent

  @HOOK-AA-08 @derived
  Rule: An interrupted or cancelled run does not call the after-agent hook

    Scenario: A tool interrupts the run
      Given the tools
        | name | interrupts |
        | t1   | yes        |
      And a model that answers
        | text | calls |
        |      | t1    |
        | done |       |
      And a handler "H" that observes after agent
      When the agent runs and is resumed
      Then run 1 is interrupted
      And run 2 succeeds
      And "H" is called once after agent
      And the trace of run 2 has, in this order
        """
        after agent H
        """

    Scenario: The run is cancelled
      Given a tool "t1" that returns "one"
      And a model that answers
        | text | calls |
        |      | t1    |
        | done |       |
      And a cancel request, which takes effect after the model call, is made when the model is called
      And a handler "H" that observes before model and after agent
      When the agent runs
      Then the trace is
        """
        before model H
        model
        """

  @HOOK-AA-06 @documented
  Rule: An after-agent hook cannot change the result of the run

    Scenario Outline: A hook that <action>
      Given a model that answers
        | text |
        | done |
      And a handler "H" that, after agent, <action>
      When the agent runs
      Then "H" is called once after agent
      And the final answer is "done"
      And the events are
        | content |
        | done    |

      Examples: the hook adds a message
        | action                             |
        | adds the assistant message "later" |

      Examples: the hook replaces the answer
        | action                              |
        | changes the last message to "later" |

      Examples: the hook removes all messages
        | action               |
        | removes all messages |

    Scenario: A hook of a sub-agent
      Given a model that answers
        | text | calls                        |
        |      | helper({"request": "Help."}) |
        | done |                              |
      And a sub-agent "helper"
      And an input schema without properties
      And a model that answers
        | text   |
        | helped |
      And a handler "H" that, after agent, changes the last message to "later"
      When the agent runs
      Then "H" is called once after agent
      And call 2 of the model "model" receives
        | role      | content | calls  |
        | user      | Hello.  |        |
        | assistant |         | helper |
        | tool      | helped  |        |

    Scenario: A hook of a sub-agent that ends with the first of two tool results
      Given a model that answers
        | text | calls                        |
        |      | helper({"request": "Help."}) |
        | done |                              |
      And a sub-agent "helper"
      And an input schema without properties
      And the tools
        | name | returns |
        | t1   | one     |
        | t2   | two     |
      And the tool "t1" returns directly
      And a model that answers
        | calls  |
        | t1, t2 |
      And a handler "H" that, after agent, changes the last message to "later"; adds the assistant message "last"
      When the agent runs
      Then "H" is called once after agent
      And call 2 of the model "model" receives
        | role      | content | calls  |
        | user      | Hello.  |        |
        | assistant |         | helper |
        | tool      | one     |        |

  @HOOK-AA-04 @clarified
  Rule: After-agent hooks are called in registration order

    @axis:after-order
    Scenario: Two handlers
      Given a handler "H1" that observes after agent
      And a handler "H2" that observes after agent
      When the agent runs
      Then the trace is
        """
        model
        after agent H1
        after agent H2
        """
