Feature: The functions of older middlewares around the model
  A legacy middleware may have a function before each model call and one after
  it. Both are given the state of the run, and change it in place: there is
  nothing to return. The one before the model comes first of all, the one after
  it comes last, and has the last word on the answer.

  Background:
    Given the conversation
      | role | content |
      | user | Hello   |
    And a tool "t1" that returns "found"
    And a model that answers
      | text | calls |
      | Look | t1    |
      | Seen |       |

  @LEGACY-03 @clarified
  Rule: When a legacy function before the model fails, nothing after it is called, and the run ends

    Scenario Outline: The first of two middlewares fails in a <mode> run
      Given a <mode> run
      And a legacy middleware "L1" that, before model, fails with "boom"
      And a legacy middleware "L2" that looks on
      And a handler "H1" that looks on before model and around model and after model and after agent
      When the agent runs
      Then the run fails with the error "boom"
      And the trace is
        """
        before model L1
        """

      Examples:
        | mode        |
        | synchronous |
        | streaming   |

  @LEGACY-04 @clarified
  Rule: When a legacy function after the model fails, the answer has been told, and its tools are not called

    Scenario Outline: After an answer that asks for a tool, in a <mode> run
      Given a <mode> run
      And a legacy middleware "L1" that, after model, fails with "boom"
      When the agent runs
      Then the events are
        | content |
        | Look    |
        | boom    |
      And the tool "t1" never runs

      Examples:
        | mode        |
        | synchronous |
        | streaming   |

  @LEGACY-05 @derived
  Rule: What a legacy function changes before the model reaches handlers and model, and stays in the conversation

    Scenario Outline: A message added before the first of two calls of a <mode> run
      Given a <mode> run
      And a legacy middleware "L1" that, before model call 1, adds the user message "Note this"
      And a handler "H1" that looks on before model
      When the agent runs
      Then before model, the last message that "H1" sees is "Note this"
      And model call 1 receives
        | role | content   |
        | user | Hello     |
        | user | Note this |
      And model call 2 receives
        | role      | content   |
        | user      | Hello     |
        | user      | Note this |
        | assistant | Look      |
        | tool      | found     |

      Examples:
        | mode        |
        | synchronous |
        | streaming   |

  @LEGACY-06 @derived
  Rule: What a legacy function leaves of an answer after the model is what the run goes on with

    Scenario: It changes what a handler has made of the answer
      Given a handler "H1" that, after model call 1, changes the last message to "by H1"
      And a legacy middleware "L1" that, after model call 1, changes the last message to "by L1"
      When the agent runs
      Then model call 2 receives
        | role      | content |
        | user      | Hello   |
        | assistant | by L1   |
        | tool      | found   |
      And the trace has, in this order
        """
        model
        after model H1
        after model L1
        """

    Scenario Outline: It takes away the tool call that a handler has put in, in a <mode> run
      Given a <mode> run
      And a model that answers
        | text |
        | Seen |
        | More |
      And a handler "H1" that, after model call 1, makes the last message call t1
      And a legacy middleware "L1" that, after model call 1, drops the tool calls
      When the agent runs
      Then the trace is
        """
        model
        after model H1
        after model L1
        """
      And the final answer is "Seen"

      Examples:
        | mode        |
        | synchronous |
        | streaming   |

  @LEGACY-08 @clarified
  Rule: A function of a legacy middleware serves an agent's type of messages, or else the agent is refused

    Scenario: Agentic messages, and functions that serve them
      Given the messages are agentic
      And a legacy middleware "L1" that looks on
      When the agent runs
      Then the trace is
        """
        before model L1
        model
        after model L1
        around tool L1
          tool t1
        before model L1
        model
        after model L1
        """

    Scenario Outline: Agentic messages, and a function <where> that does not serve them
      Given the messages are agentic
      And a legacy middleware "L1" that, <where>, looks on
      And the legacy middleware "L1" serves plain messages only
      When the agent runs
      Then the agent is refused, and "<where>" is named

      Examples:
        | where        |
        | before model |
        | after model  |
