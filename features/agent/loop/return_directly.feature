Feature: Tools that return directly
  Usually the model has the last word. A tool that returns directly takes it: when
  it is done the run is over, and its result is what the run says. Which tools do
  is configured by name, and a handler before the agent may change it for a run.

  Background:
    Given the tools
      | name    | returns  |
      | weather | sunny    |
      | search  | a result |

  @RETDIR-01 @documented
  Rule: When a tool that returns directly is done, the model is not called again

    Scenario Outline: The only call of an answer, in a <mode> run
      Given a <mode> run
      And the tools weather return directly
      And a model that answers
        | calls   | text |
        | weather |      |
        |         | done |
      When the agent runs
      Then the run succeeds
      And the trace is
        """
        model
        tool weather
        """

      Examples:
        | mode        |
        | synchronous |
        | streaming   |

    Scenario: After another tool call
      Given the tools weather return directly
      And a model that answers
        | calls   | text |
        | search  |      |
        | weather |      |
        |         | done |
      When the agent runs
      Then the run succeeds
      And the trace is
        """
        model
        tool search
        model
        tool weather
        """

  @RETDIR-02 @derived
  Rule: The result of a tool that returns directly is the final answer

    Scenario Outline: The model has said something with the call, in a <mode> run
      Given a <mode> run
      And the tools weather return directly
      And a model that answers
        | calls   | text     |
        | weather | a moment |
      And a handler "watch" that looks on after agent
      When the agent runs
      Then the final answer is "sunny"
      And after agent, the last message that "watch" sees is "sunny"

      Examples:
        | mode        |
        | synchronous |
        | streaming   |

  @RETDIR-03 @documented
  Rule: Of several calls that return directly the first is the one that is returned

    Scenario Outline: Both calls of a sub-agent match, and the first is done first, in a <mode> run
      Given a <mode> run
      And a sub-agent "helper", with
      And it takes any arguments
      And the tools
        | name  | returns | held until                    |
        | early | yes     |                               |
        | late  | no      | the tool "early" has returned |
      And the tools early, late return directly
      And a model that answers
        | calls       |
        | early, late |
      And an agent above it, with
      And a model that answers
        | calls  | text |
        | helper |      |
        |        | done |
      When the agent runs
      Then call 2 of the model "model" receives
        | role      | content |
        | user      | Hello.  |
        | assistant |         |
        | tool      | yes     |

      Examples:
        | mode        |
        | synchronous |
        | streaming   |

  @RETDIR-04 @clarified
  Rule: All calls of an answer are made, and of those that return directly the first asked for counts

    Scenario: One that does not return directly stands behind one that does
      Given the tools weather return directly
      And a model that answers
        | calls           |
        | weather, search |
      When the agent runs
      Then the tool "weather" runs once
      And the tool "search" runs once
      And the final answer is "sunny"

    Scenario: One that does not return directly stands before one that does
      Given the tools weather return directly
      And a model that answers
        | calls           |
        | search, weather |
      When the agent runs
      Then the tool "weather" runs once
      And the tool "search" runs once
      And the final answer is "sunny"

    Scenario: The second of two that match is done first
      Given the tools
        | name | returns | held until                      |
        | slow | at last | the tool "weather" has returned |
      And the tools slow, weather return directly
      And a model that answers
        | calls         |
        | slow, weather |
      When the agent runs
      Then the final answer is "at last"

  @RETDIR-11 @clarified
  Rule: The result of the call that returns directly keeps its place among the results of the answer

    Scenario: Another call follows it
      Given the tools weather return directly
      And a model that answers
        | calls           |
        | weather, search |
      And a handler "watch" that looks on after agent
      When the agent runs
      Then after agent, "watch" sees the messages
        | role      | content  |
        | user      | Hello.   |
        | assistant |          |
        | tool      | sunny    |
        | tool      | a result |

  @RETDIR-06 @derived
  Rule: A tool that does not return directly leaves the last word to the model

    Scenario: Another tool would return directly
      Given the tools weather return directly
      And a model that answers
        | calls  | text |
        | search |      |
        |        | done |
      When the agent runs
      Then the model is called 2 times
      And the final answer is "done"

    Scenario: Its name is a part of the name of one that does
      Given the tools
        | name     | returns    |
        | research | many pages |
      And the tools research return directly
      And a model that answers
        | calls  | text |
        | search |      |
        |        | done |
      When the agent runs
      Then the model is called 2 times
      And the final answer is "done"

  @RETDIR-05 @clarified
  Rule: An entry that says no lets a tool be like any other

    Scenario: A tool is said not to return directly
      Given the tool "weather" is said not to return directly
      And a model that answers
        | calls   | text |
        | weather |      |
        |         | done |
      When the agent runs
      Then the model is called 2 times
      And the final answer is "done"
