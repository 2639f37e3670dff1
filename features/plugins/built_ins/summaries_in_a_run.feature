Feature: Summaries in a run
  A summary is one step of a run. The execution trace is a record of the run outside the conversation, with an entry
  for each summary. A model that fails to write a summary, and a system message before it, must not disturb the run.

  @XP-SUM-15 @derived
  Rule: The execution trace of a workflow has one entry for each summary of a conversation

    Scenario: One summary
      Given an execution trace
      And a summarization with the limit {"messages": 3}
      And the summarization keeps the last message
      And the model of the summarization answers
        | text      |
        | the notes |
      And the conversation
        | role      | content |
        | user      | One?    |
        | assistant | Two.    |
        | user      | Three?  |
        | assistant | Four.   |
        | user      | Five?   |
      When the agent runs
      Then the execution trace has one entry

    Scenario: Two summaries in one run
      Given an execution trace
      And a middleware "A" that, before model, adds the user message "Go on."
      And a summarization with the limit {"messages": 3}
      And the summarization keeps the last message
      And the model of the summarization answers
        | text            |
        | the notes       |
        | the later notes |
      And a tool "t1" that returns "ok"
      And a model that calls "t1" 2 times before it answers "done"
      When the agent runs
      Then the execution trace has 2 entries

    Scenario: No summary in two model calls
      Given an execution trace
      And a summarization with the limit {"messages": 20}
      And the summarization keeps the last message
      And a tool "t1" that returns "ok"
      And a model that calls "t1" once before it answers "done"
      When the agent runs
      Then the model is called 2 times
      And the execution trace is empty

  @XP-SUM-25 @clarified
  Rule: An execution trace entry contains the summary of the conversation and its success

    Scenario: Two summaries of a growing conversation
      Given an execution trace
      And a middleware "A" that, before model, adds the user message "Go on."
      And a summarization with the limit {"messages": 3}
      And the summarization keeps the last message
      And the model of the summarization answers
        | text            |
        | the notes       |
        | the later notes |
      And a tool "t1" that returns "ok"
      And a model that calls "t1" 2 times before it answers "done"
      When the agent runs
      Then the execution trace is
        | output          | outcome |
        | the notes       | success |
        | the later notes | success |

  @XP-BEST-02 @derived
  Rule: After a built-in middleware has done its work, neither another call of its hook nor a second middleware of the same kind changes anything

    Scenario: A second summarization after the first
      Given a summarization with the limit {"messages": 5}
      And the summarization keeps the last message
      And the model of the summarization answers
        | text      |
        | the notes |
      And a second summarization "again" with the same configuration
      And the conversation
        | role      | content |
        | user      | One?    |
        | assistant | Two.    |
        | user      | Three?  |
        | assistant | Four.   |
        | user      | Five?   |
        | assistant | Six.    |
        | user      | Seven?  |
      When the agent runs
      Then "model summarizer" is called once
      And call 1 of the model "model" contains "the notes"

    Scenario: A second model call with a conversation that is still short
      Given a summarization with the limit {"messages": 6}
      And the summarization keeps the last message
      And a tool "t1" that returns "ok"
      And a model that calls "t1" once before it answers "done"
      And the conversation
        | role      | content |
        | user      | One?    |
        | assistant | Two.    |
        | user      | Three?  |
        | assistant | Four.   |
        | user      | Five?   |
        | assistant | Six.    |
        | user      | Seven?  |
      When the agent runs
      Then "model" is called 2 times
      And "model summarizer" is called once

    Scenario: Three model calls with a to-do list
      Given an agent with the instruction "Be brief."
      And a to-do list
      And a tool "t1" that returns "ok"
      And a model that calls "t1" 2 times before it answers "done"
      When the agent runs
      Then "model" is called 3 times
      And every call of the model "model" has the same system message

  @XP-SUM-26 @clarified
  Rule: If the model of a summarization fails, the run continues with the conversation unchanged

    Scenario Outline: A summarizing model that <fails>
      Given a summarization with the limit {"messages": 2}
      And the summarization keeps the last message
      And the model of the summarization answers
        | text   | fails with | crashes   |
        | <text> | <error>    | <crashes> |
      And the conversation
        | role      | content |
        | user      | One?    |
        | assistant | Two.    |
        | user      | Three?  |
      When the agent runs
      Then "model summarizer" is called once
      And the final answer is "done"
      And call 1 of the model "model" receives
        | role      | content |
        | user      | One?    |
        | assistant | Two.    |
        | user      | Three?  |

      Examples: an error
        | fails            | text | error | crashes |
        | returns an error |      | busy  | no      |
        | crashes          |      | broke | yes     |

      Examples: a summary without text
        | fails                    | text         | error | crashes |
        | answers nothing          |              |       | no      |
        | answers only white space | \n\t\u0020\n |       | no      |

  @XP-SUM-27 @clarified
  Rule: A system message at the start of the conversation remains before the summary

    Scenario: A system message of the caller
      Given a summarization with the limit {"messages": 2}
      And the summarization keeps the last message
      And the summaries begin with "In short:"
      And the model of the summarization answers
        | text      |
        | the notes |
      And the conversation
        | role      | content   |
        | system    | Be brief. |
        | user      | One?      |
        | assistant | Two.      |
        | user      | Three?    |
      When the agent runs
      Then call 1 of the model "model" receives
        | role   | content                |
        | system | Be brief.              |
        | user   | In short:\n\nthe notes |
        | user   | Three?                 |

    Scenario: The instruction of the agent, and two model calls
      Given an agent with the instruction "Be brief."
      And a summarization with the limit {"messages": 4}
      And the summarization keeps the last message
      And the summaries begin with "In short:"
      And the model of the summarization answers
        | text            |
        | the notes       |
        | the later notes |
      And the conversation
        | role      | content |
        | user      | One?    |
        | assistant | Two.    |
        | user      | Three?  |
        | assistant | Four.   |
        | user      | Five?   |
      And a tool "t1" that returns "ok"
      And a model that calls "t1" once before it answers "done"
      When the agent runs
      Then call 2 of the model "model" receives
        | role      | content                      | calls |
        | system    | Be brief.                    |       |
        | user      | In short:\n\nthe later notes |       |
        | assistant |                              | t1    |
        | tool      | ok                           |       |

  @XP-SUM-28 @clarified
  Rule: A system message at the start of the conversation does not count toward the limit of a summarization

    Scenario Outline: An instruction and the limit <limit>
      Given an agent with the instruction "one two three four five six seven eight nine ten"
      And a summarization with the limit <limit>
      And the summarization keeps the last message
      And the conversation
        | role      | content |
        | user      | One?    |
        | assistant | Two.    |
        | user      | Three?  |
      When the agent runs
      Then the final answer is "done"
      And "model summarizer" <is called>

      Examples: a number of messages
        | limit           | is called       |
        | {"messages": 4} | is never called |
        | {"messages": 3} | is called once  |

      Examples: a number of tokens
        | limit         | is called       |
        | {"tokens": 9} | is never called |
        | {"tokens": 3} | is called once  |
