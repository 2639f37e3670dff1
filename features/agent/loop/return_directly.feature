Feature: Tools that return directly
  Usually the model gives the final answer. A return-directly tool ends the run
  when the tool completes, and its result is the final answer. The configuration
  names the return-directly tools. A before-agent hook can change the selection
  for one run.

  @RETDIR-01 @documented
  Rule: After a return-directly tool completes, the agent does not call the model again

    Scenario: The only call of an answer
      Given the tools
        | name    | returns  |
        | weather | sunny    |
        | search  | a result |
      And the tools "search", "weather" return directly
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

    Scenario: After another tool call
      Given the tools
        | name    | returns  |
        | weather | sunny    |
        | search  | a result |
      And the tool "weather" returns directly
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

    Scenario: A call that is repeated after an interrupt
      Given the tools
        | name    | returns | interrupts |
        | weather | sunny   | yes        |
      And the tool "weather" returns directly
      And a model that answers
        | calls   | text |
        | weather |      |
        |         | done |
      When the agent runs and is resumed
      Then run 1 is interrupted
      And the final answer of run 2 is "sunny"

    Scenario: Two runs
      Given a tool "weather" that returns "sunny"
      And the tool "weather" returns directly
      And a model that answers
        | calls   | text |
        | weather |      |
        |         | done |
      When the agent runs twice
      Then the trace of run 2 is
        """
        model
        tool weather
        """
      And the final answer of run 2 is "sunny"

  @RETDIR-02 @derived
  Rule: The result of a return-directly tool is the final answer of the run

    Scenario Outline: An answer with text next to the call, in a <mode> run
      Given a <mode> run
      And the tools
        | name    | returns |
        | weather | sunny   |
      And the tool "weather" returns directly
      And a model that answers
        | calls   | text     |
        | weather | a moment |
      And a handler "watch" that observes after agent
      When the agent runs
      Then the final answer is "sunny"
      And after agent, the last message that "watch" sees is "sunny"

      Examples:
        | mode        |
        | synchronous |
        | streaming   |

    Scenario Outline: A call that is repeated after an interrupt, next to another call, in a <mode> run
      Given a <mode> run
      And the tools
        | name    | returns  | interrupts |
        | weather | sunny    | yes        |
        | search  | a result |            |
      And the tool "weather" returns directly
      And a model that answers
        | calls           | text     |
        | weather, search | a moment |
        |                 | late     |
      When the agent runs and is resumed
      Then the final answer of run 2 is "sunny"
      And the model is called once

      Examples:
        | mode        |
        | synchronous |
        | streaming   |

    Scenario: An empty result next to an answer with text
      Given the tools
        | name  | returns |
        | clear |         |
      And the tool "clear" returns directly
      And a model that answers
        | calls | text     |
        | clear | a moment |
      When the agent runs
      Then the final answer is ""

  @RETDIR-04 @clarified
  Rule: All tool calls of an answer run even if one of them returns directly

    Scenario: A return-directly tool before another tool
      Given the tools
        | name    | returns  |
        | weather | sunny    |
        | search  | a result |
      And the tool "weather" returns directly
      And a model that answers
        | calls           |
        | weather, search |
      When the agent runs
      Then the tool "weather" runs once
      And the tool "search" runs once
      And the final answer is "sunny"

    Scenario: A return-directly tool after another tool
      Given the tools
        | name    | returns  |
        | weather | sunny    |
        | search  | a result |
      And the tool "weather" returns directly
      And a model that answers
        | calls           |
        | search, weather |
      When the agent runs
      Then the tool "weather" runs once
      And the tool "search" runs once
      And the final answer is "sunny"

    Scenario: Another call of the answer interrupts the run
      Given the tools
        | name    | returns  | interrupts |
        | weather | sunny    |            |
        | search  | a result | yes        |
      And the tool "weather" returns directly
      And a model that answers
        | calls           | text |
        | weather, search |      |
        |                 | done |
      When the agent runs and is resumed
      Then run 2 succeeds
      And the model is called once

  @RETDIR-12 @clarified
  Rule: The first return-directly call in an answer provides the final answer even if another one ends earlier

    Scenario: The second of two return-directly tools ends first
      Given the tools
        | name    | returns | held until                      |
        | slow    | finally | the tool "weather" has returned |
        | weather | sunny   |                                 |
      And the tools "slow", "weather" return directly
      And a model that answers
        | calls         |
        | slow, weather |
      When the agent runs
      Then the final answer is "finally"

  @RETDIR-11 @clarified
  Rule: The result of a return-directly call keeps its position among the results of the answer

    Scenario: Another tool call follows
      Given the tools
        | name    | returns  |
        | weather | sunny    |
        | search  | a result |
      And the tool "weather" returns directly
      And a model that answers
        | calls           |
        | weather, search |
      And a handler "watch" that observes after agent
      When the agent runs
      Then after agent, "watch" sees the messages
        | role      | content  |
        | user      | Hello.   |
        | assistant |          |
        | tool      | sunny    |
        | tool      | a result |

  @RETDIR-06 @derived
  Rule: The agent calls the model again after an answer that calls no return-directly tool

    Scenario: Another tool of the agent returns directly
      Given the tools
        | name    | returns  |
        | weather | sunny    |
        | search  | a result |
      And the tool "weather" returns directly
      And a model that answers
        | calls  | text |
        | search |      |
        |        | done |
      When the agent runs
      Then the model is called 2 times
      And the final answer is "done"

    Scenario: The tool's name is part of the name of a return-directly tool
      Given the tools
        | name    | returns  |
        | weather | sunny    |
        | search  | a result |
      And the tools
        | name     | returns    |
        | research | many pages |
      And the tool "research" returns directly
      And a model that answers
        | calls  | text |
        | search |      |
        |        | done |
      When the agent runs
      Then the model is called 2 times
      And the final answer is "done"

    Scenario: The tool's name is part of the name of a return-directly tool, in the second of two equal runs
      Given a conversation of agentic messages
        | role | content |
        | user | Grüße.  |
      And a session in which "mood" is ""
      And tool calls run sequentially
      And the tools
        | name | returns | kind       | actions                        |
        | t0   |         |            |                                |
        | t1   | \ü*2001 | streamable | reads the session value "mood" |
      And a tool "t01" that returns "late"
      And the tool "t01" returns directly
      And a model that answers
        | calls            | text |
        | t0 as a, t1 as b |      |
        | t0 as c, t0 as d |      |
        |                  | done |
      And a handler "H0" that observes around tool
      And a handler "H1" that observes before model
      When the agent runs twice
      Then the final answer of run 1 is "done"
      And the final answer of run 2 is "done"
      And the model is called 6 times

  @RETDIR-05 @clarified
  Rule: A tool whose return-directly setting is turned off does not end the run

    Scenario: A tool with the setting turned off
      Given the tools
        | name    | returns  |
        | weather | sunny    |
        | search  | a result |
      And the tool "search" returns directly
      And the tool "weather" is configured not to return directly
      And a model that answers
        | calls   | text |
        | weather |      |
        |         | done |
      When the agent runs
      Then the model is called 2 times
      And the final answer is "done"

  @RETDIR-08 @derived
  Rule: The complete stream of a streamable return-directly tool is the final answer

    Scenario Outline: A tool that streams two chunks, in a <mode> run
      Given a <mode> run
      And the tools
        | name    | kind       | chunks |
        | weather | streamable | sun/ny |
      And the tool "weather" returns directly
      And a model that answers
        | calls   |
        | weather |
      And a handler "watch" that observes after agent
      When the agent runs
      Then the final answer is "sunny"
      And after agent, the last message that "watch" sees is "sunny"

      Examples:
        | mode        |
        | synchronous |
        | streaming   |

  @RETDIR-07 @clarified
  Rule: A run fails with the error of a return-directly tool

    @axis:tool-failure
    Scenario: A return-directly tool fails
      Given the tools
        | name    | fails with |
        | weather | offline    |
      And the tool "weather" returns directly
      And a model that answers
        | calls   |
        | weather |
      And a handler "watch" that observes after agent
      When the agent runs
      Then the run fails with the error "offline"
      And "watch" is never called after agent
