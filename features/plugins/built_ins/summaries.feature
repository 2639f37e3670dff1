Feature: Summaries
  A summary takes the place of the older messages of a conversation. The
  latest messages remain after the summary, so that the model knows the
  current step. The number of these messages to keep is an option. A tool call
  remains with its result. The execution trace is a record of the run outside
  the conversation, with an entry for each summary.

  @XP-SUM-08 @documented
  Rule: A summarization replaces the older messages of the conversation by a summary

    Scenario: The first model call after a summary
      Given a summarization with the limit {"messages": 4}
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
      Then call 1 of the model "model" contains, in this order
        """
        the notes
        """
      And call 1 of the model "model" does not contain "One?"
      And call 1 of the model "model" does not contain "Two."
      And call 1 of the model "model" does not contain "Three?"

    Scenario: A later model call after a summary
      Given a summarization with the limit {"messages": 6}
      And the summarization keeps the last message
      And the model of the summarization answers
        | text      |
        | the notes |
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
      Then call 2 of the model "model" contains, in this order
        """
        the notes
        """
      And call 2 of the model "model" does not contain "One?"
      And call 2 of the model "model" does not contain "Three?"

    Scenario: A short conversation
      Given a summarization with the limit {"messages": 4}
      And the summarization keeps the last message
      And the model of the summarization answers
        | text      |
        | the notes |
      And the conversation
        | role      | content |
        | user      | One?    |
        | assistant | Two.    |
      When the agent runs
      Then call 1 of the model "model" contains, in this order
        """
        One?
        Two.
        """
      And call 1 of the model "model" does not contain "the notes"

    Scenario: A second summary in one run
      Given a summarization with the limit {"messages": 4}
      And the summarization keeps the last message
      And the model of the summarization answers
        | text            |
        | the notes       |
        | the later notes |
        | the last notes  |
      And a tool "t1" that returns "ok"
      And a model that calls "t1" 2 times before it answers "done"
      And the conversation
        | role      | content |
        | user      | One?    |
        | assistant | Two.    |
        | user      | Three?  |
        | assistant | Four.   |
        | user      | Five?   |
      When the agent runs
      Then call 2 of the model "summarizer" contains, in this order
        """
        the notes
        """

    Scenario: The older messages contain no user message
      Given a summarization with the limit {"messages": 2}
      And the summarization keeps the last message
      And the model of the summarization answers
        | text      |
        | the notes |
      And the conversation
        | role      | content |
        | assistant | One.    |
        | assistant | Two.    |
        | user      | Three?  |
      When the agent runs
      Then call 1 of the model "model" contains, in this order
        """
        the notes
        """
      And call 1 of the model "model" does not contain "Two."

    Scenario: The latest message equals an older message
      Given a summarization with the limit {"messages": 4}
      And the summarization keeps the last message
      And the model of the summarization answers
        | text      |
        | the notes |
      And the conversation
        | role      | content |
        | user      | Go on.  |
        | assistant | Two.    |
        | user      | Go on.  |
        | assistant | Four.   |
        | user      | Go on.  |
      When the agent runs
      Then call 1 of the model "model" contains, in this order
        """
        the notes
        Go on.
        """
      And call 1 of the model "model" does not contain "Four."

  @XP-SUM-11 @clarified
  Rule: A summary is a user message at the start of the conversation: the prefix, a blank line and the stripped model answer

    Scenario Outline: An answer of the model with <what>
      Given a summarization with the limit {"messages": 2}
      And the summarization keeps the last message
      And the summaries begin with "In short:"
      And the model of the summarization answers
        | text   |
        | <text> |
      And the conversation
        | role      | content |
        | user      | One?    |
        | assistant | Two.    |
        | user      | Three?  |
      When the agent runs
      Then call 1 of the model "model" receives
        | role | content                |
        | user | In short:\n\n<summary> |
        | user | Three?                 |

      Examples: texts
        | what                     | text                        | summary                     |
        | no white space around it | the notes                   | the notes                   |
        | white space around it    | \n\n the notes \n           | the notes                   |
        | a blank line in it       | the notes\n\nand more notes | the notes\n\nand more notes |

    Scenario: The events of a run with a summary
      Given a summarization with the limit {"messages": 2}
      And the summarization keeps the last message
      And the model of the summarization answers
        | text      |
        | the notes |
      And the conversation
        | role      | content |
        | user      | One?    |
        | assistant | Two.    |
        | user      | Three?  |
      When the agent runs
      Then the events are
        | event   | content |
        | message | done    |

  @XP-SUM-09 @clarified
  Rule: A summarization keeps the last 20 messages by default

    Scenario: The default number
      Given a summarization with the limit {"messages": 10}
      And the model of the summarization answers
        | text      |
        | the notes |
      And the conversation
        | role      | content  |
        | user      | letter A |
        | assistant | letter B |
        | user      | letter C |
        | assistant | letter D |
        | user      | letter E |
        | assistant | letter F |
        | user      | letter G |
        | assistant | letter H |
        | user      | letter I |
        | assistant | letter J |
        | user      | letter K |
        | assistant | letter L |
        | user      | letter M |
        | assistant | letter N |
        | user      | letter O |
        | assistant | letter P |
        | user      | letter Q |
        | assistant | letter R |
        | user      | letter S |
        | assistant | letter T |
        | user      | letter U |
        | assistant | letter V |
        | user      | letter W |
      When the agent runs
      Then call 1 of the model "model" contains, in this order
        """
        the notes
        letter D
        letter W
        """
      And call 1 of the model "model" does not contain "letter C"

    Scenario: A configured number
      Given a summarization with the limit {"messages": 3}
      And the summarization keeps 2 messages
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
      Then call 1 of the model "model" does not contain "Three?"
      And call 1 of the model "model" ends with
        | role      | content |
        | assistant | Four.   |
        | user      | Five?   |

  @XP-SUM-18 @clarified
  Rule: A summarization that keeps zero messages leaves only the summary

    Scenario: Three messages
      Given a summarization with the limit {"messages": 2}
      And the summarization keeps 0 messages
      And the model of the summarization answers
        | text      |
        | the notes |
      And the conversation
        | role      | content |
        | user      | One?    |
        | assistant | Two.    |
        | user      | Three?  |
      When the agent runs
      Then call 1 of the model "model" contains, in this order
        """
        the notes
        """
      And call 1 of the model "model" does not contain "One?"
      And call 1 of the model "model" does not contain "Two."
      And call 1 of the model "model" does not contain "Three?"

  @XP-SUM-10 @clarified
  Rule: A summarization that keeps all messages of a conversation does not change the conversation

    Scenario Outline: Three messages, a limit of two and <count> messages to keep
      Given a summarization with the limit {"messages": 2}
      And the summarization keeps <count> messages
      And the conversation
        | role      | content |
        | user      | One?    |
        | assistant | Two.    |
        | user      | Three?  |
      When the agent runs
      Then "model summarizer" is never called
      And model call 1 receives
        | role      | content |
        | user      | One?    |
        | assistant | Two.    |
        | user      | Three?  |

      Examples: all messages
        | count |
        | 3     |
        | 9     |

    Scenario: Three messages, a limit of two and 2 messages to keep
      Given a summarization with the limit {"messages": 2}
      And the summarization keeps 2 messages
      And the conversation
        | role      | content |
        | user      | One?    |
        | assistant | Two.    |
        | user      | Three?  |
      When the agent runs
      Then "model summarizer" is called once

  @XP-SUM-12 @clarified
  Rule: A summarization keeps a tool call if the result of the call is one of the messages to keep

    Scenario: The cut is between a call and its result
      Given a summarization with the limit {"messages": 5}
      And the summarization keeps 3 messages
      And a tool "t1" that returns "ok"
      And the conversation
        | role      | content | calls |
        | user      | One?    |       |
        | assistant | Two.    |       |
        | user      | Three?  |       |
        | assistant |         | t1    |
        | tool      | four    |       |
        | assistant | Five.   |       |
        | user      | Six?    |       |
      When the agent runs
      Then call 1 of the model "model" does not contain "Two."
      And call 1 of the model "model" ends with
        | role      | content | calls |
        | assistant |         | t1    |
        | tool      | four    |       |
        | assistant | Five.   |       |
        | user      | Six?    |       |

    Scenario: The cut is after a result
      Given a summarization with the limit {"messages": 4}
      And the summarization keeps 2 messages
      And a tool "t1" that returns "ok"
      And the conversation
        | role      | content | calls |
        | user      | One?    |       |
        | assistant |         | t1    |
        | tool      | two     |       |
        | assistant | Three.  |       |
        | user      | Four?   |       |
      When the agent runs
      Then call 1 of the model "model" does not contain "two"
      And call 1 of the model "model" ends with
        | role      | content | calls |
        | assistant | Three.  |       |
        | user      | Four?   |       |

    Scenario: A summary after the second of two tool calls
      Given a summarization with the limit {"messages": 4}
      And the summarization keeps the last message
      And the tools
        | name | returns      |
        | t1   | first/second |
      And a model that calls "t1" 2 times before it answers "done"
      When the agent runs
      Then "model summarizer" is called once
      And call 3 of the model "model" does not contain "first"
      And call 3 of the model "model" ends with
        | role      | content | calls |
        | assistant |         | t1    |
        | tool      | second  |       |

  @PLUGIN-33 @clarified
  Rule: A summarization replaces an agentic tool call only together with its result

    Scenario: The cut is between an agentic call and its result
      Given the messages are agentic
      And a summarization with the limit {"messages": 4}
      And the summarization keeps 2 messages
      And a tool "t1" that returns "ok"
      And the conversation
        | role      | content | calls |
        | user      | One?    |       |
        | assistant | Two.    |       |
        | assistant |         | t1    |
        | tool      | four    |       |
        | user      | Five?   |       |
      When the agent runs
      Then call 1 of the model "model" does not contain "Two."
      And call 1 of the model "model" ends with
        | role      | content | calls |
        | assistant |         | t1    |
        | tool      | four    |       |
        | user      | Five?   |       |

    Scenario: An agentic call without a result
      Given the messages are agentic
      And a summarization with the limit {"messages": 3}
      And the summarization keeps 0 messages
      And a middleware "pilot" that, before model call 1, jumps to "tools"
      And a tool "t1" that returns "ok"
      And the conversation
        | role      | content | calls |
        | user      | One?    |       |
        | assistant | Two.    |       |
        | assistant |         | t1    |
      When the agent runs
      Then the tool "t1" runs once
      And the final answer is "done"

  @XP-SUM-15 @derived
  Rule: The execution trace has one entry for each summary of a conversation

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
  Rule: A built-in middleware whose work is done changes nothing when its hook is called again

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
      And call 1 of the model "model" contains, in this order
        """
        the notes
        """

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
      And a summarization with the limit {"messages": 5}
      And the summarization keeps the last message
      And the summaries begin with "In short:"
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
      And a tool "t1" that returns "ok"
      And a model that calls "t1" once before it answers "done"
      When the agent runs
      Then call 2 of the model "model" receives
        | role      | content                | calls |
        | system    | Be brief.              |       |
        | user      | In short:\n\nthe notes |       |
        | user      | Five?                  |       |
        | assistant |                        | t1    |
        | tool      | ok                     |       |

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
