Feature: After each model call
  The hook after model is called when a model call has succeeded. The answer
  is then the last message of the conversation, and a handler may change it
  like everything else that the run is carrying. The run goes on with what
  the last handler returns: it decides whether tools are called, or whether
  this was the final answer.

  @HOOK-AM-01 @clarified
  Rule: Handlers are called in registration order after the model, too

    Scenario Outline: Two handlers that add to the conversation, in a <mode> run
      Given a <mode> run
      And a handler "H1" that, after model, changes the last message to "one"
      And a handler "H2" that, after model, changes the last message to "two"
      When the agent runs
      Then the trace is
        """
        model
        after model H1
        after model H2
        """
      And after model, the last message that "H2" sees is "one"

      Examples:
        | mode        |
        | synchronous |
        | streaming   |

  @HOOK-AM-02 @documented
  Rule: It is called after each model call, and the last message it is shown is the answer

    Scenario Outline: An answer that asks for a tool, and a final one, in a <mode> run
      Given a <mode> run
      And a tool "t1" that returns "one"
      And a model that answers
        | text   | calls |
        | asking | t1    |
        | done   |       |
      And a handler "H" that looks on after model
      When the agent runs
      Then the trace is
        """
        model
        after model H
        tool t1
        model
        after model H
        """
      And after model call 1, "H" sees the messages
        | role      | content | calls |
        | user      | Hello.  |       |
        | assistant | asking  | t1    |
      And after model call 2, "H" sees the messages
        | role      | content | calls |
        | user      | Hello.  |       |
        | assistant | asking  | t1    |
        | tool      | one     |       |
        | assistant | done    |       |

      Examples:
        | mode        |
        | synchronous |
        | streaming   |

  @HOOK-AM-03 @derived
  Rule: The last message that a hook after the model leaves decides how the run continues

    Scenario Outline: The tool calls of the answer are dropped, in a <mode> run
      Given a <mode> run
      And a tool "t1" that returns "one"
      And a model that answers
        | text   | calls |
        | asking | t1    |
        | done   |       |
      And a handler "H" that, after model, drops the tool calls
      When the agent runs
      Then the final answer is "asking"
      And "H" is called once after model
      And the model is called once
      And the tool "t1" never runs

      Examples:
        | mode        |
        | synchronous |
        | streaming   |

  @HOOK-AM-04 @derived
  Rule: A tool call that it adds to the last message is made

    Scenario Outline: An answer that asked for nothing, in a <mode> run
      Given a <mode> run
      And a tool "t1" that returns "one"
      And a model that answers
        | text |
        | no   |
        | done |
      And a handler "H" that, after model call 1, makes the last message call t1({"a": 1}) as c7
      When the agent runs
      Then the final answer is "done"
      And call 1 of the tool "t1" gets the arguments "{"a": 1}"
      And model call 2 receives
        | role      | content | calls | call id |
        | user      | Hello.  |       |         |
        | assistant | no      | t1    |         |
        | tool      | one     |       | c7      |

      Examples:
        | mode        |
        | synchronous |
        | streaming   |

  @HOOK-AM-08 @derived
  Rule: It is not called when the model call has failed

    Scenario Outline: A model that fails at its second call, in a <mode> run
      Given a <mode> run
      And a tool "t1" that returns "one"
      And a model that answers
        | calls | fails with |
        | t1    |            |
        |       | overload   |
      And a handler "H" that looks on after model
      When the agent runs
      Then the run fails
      And "H" is called once after model

      Examples:
        | mode        |
        | synchronous |
        | streaming   |
