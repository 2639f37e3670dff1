Feature: When a conversation is summarized
  A model has a limited context size, and a conversation grows with every
  answer and every tool result. The summarization middleware checks the length
  of the conversation against a limit. Above the limit, a model writes a
  summary, and the summary replaces the older messages. A limit is a number of
  messages, a number of tokens or a fraction of the context size.

  @XP-SUM-01 @documented
  Rule: The length of the conversation is checked before each model call

    Scenario: A conversation that becomes too long during the run
      Given a middleware "A" that, before model, adds the user message "Go on."
      And a summarization triggered by {"messages": 3}
      And the summarization keeps the last message
      And its model answers
        | text            |
        | the notes       |
        | the later notes |
      And a tool "t1" that returns "ok"
      And a model that calls "t1" 2 times before it answers "done"
      When the agent runs
      Then the trace has, in this order
        """
        model
        model summarizer
        model
        model summarizer
        model
        """
      And "model summarizer" happens 2 times
      And call 2 of the model "model" tells, in this order
        """
        the notes
        """
      And call 3 of the model "model" tells, in this order
        """
        the later notes
        """

    Scenario: A conversation that is too long before the run
      Given a summarization triggered by {"messages": 4}
      And the summarization keeps the last message
      And the conversation
        | role      | content |
        | user      | One?    |
        | assistant | Two.    |
        | user      | Three?  |
        | assistant | Four.   |
        | user      | Five?   |
      When the agent runs
      Then the trace has, in this order
        """
        model summarizer
        model
        """
      And "model summarizer" happens once
      And "model" happens once

    Scenario: A conversation that stays short
      Given a summarization triggered by {"messages": 20}
      And the summarization keeps the last message
      And a tool "t1" that returns "ok"
      And a model that calls "t1" 2 times before it answers "done"
      When the agent runs
      Then "model" happens 3 times
      And "model summarizer" never happens

  @XP-SUM-02 @documented
  Rule: The limit of a summarization is a number of messages, a number of tokens or a fraction of the context size

    Scenario Outline: Many short messages and the limit <trigger>
      Given a model that takes 60 tokens
      And a summarization triggered by <trigger>
      And the summarization keeps the last message
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
      Then the final answer is "done"
      And "model summarizer" <happens>

      Examples: too many messages
        | trigger         | happens      |
        | {"messages": 5} | happens once |

      Examples: few tokens
        | trigger           | happens       |
        | {"tokens": 20}    | never happens |
        | {"fraction": 0.3} | never happens |

    Scenario Outline: Few long messages and the limit <trigger>
      Given a model that takes 60 tokens
      And a summarization triggered by <trigger>
      And the summarization keeps the last message
      And the conversation
        | role      | content                                                                      |
        | user      | Which of the four ways over the pass is open in May?                         |
        | assistant | The eastern one is, from the second week on, and the old road in a dry year. |
        | user      | Then we take it.                                                             |
      When the agent runs
      Then the final answer is "done"
      And "model summarizer" <happens>

      Examples: few messages
        | trigger         | happens       |
        | {"messages": 5} | never happens |

      Examples: too many tokens
        | trigger           | happens      |
        | {"tokens": 20}    | happens once |
        | {"fraction": 0.3} | happens once |

  @XP-SUM-08 @documented
  Rule: A summary replaces the older messages of the conversation

    Scenario: The first model call after a summary
      Given a summarization triggered by {"messages": 4}
      And the summarization keeps the last message
      And its model answers
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
      Then call 1 of the model "model" tells, in this order
        """
        the notes
        """
      And call 1 of the model "model" does not tell "One?"
      And call 1 of the model "model" does not tell "Two."
      And call 1 of the model "model" does not tell "Three?"

    Scenario: A later model call after a summary
      Given a summarization triggered by {"messages": 6}
      And the summarization keeps the last message
      And its model answers
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
      Then call 2 of the model "model" tells, in this order
        """
        the notes
        """
      And call 2 of the model "model" does not tell "One?"
      And call 2 of the model "model" does not tell "Three?"

    Scenario: A short conversation
      Given a summarization triggered by {"messages": 4}
      And the summarization keeps the last message
      And its model answers
        | text      |
        | the notes |
      And the conversation
        | role      | content |
        | user      | One?    |
        | assistant | Two.    |
      When the agent runs
      Then call 1 of the model "model" tells, in this order
        """
        One?
        Two.
        """
      And call 1 of the model "model" does not tell "the notes"

  @XP-SUM-15 @documented
  Rule: The execution trace has one entry for each summary

    Scenario: One summary
      Given an execution trace
      And a summarization triggered by {"messages": 3}
      And the summarization keeps the last message
      And its model answers
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
      And a summarization triggered by {"messages": 3}
      And the summarization keeps the last message
      And its model answers
        | text            |
        | the notes       |
        | the later notes |
      And a tool "t1" that returns "ok"
      And a model that calls "t1" 2 times before it answers "done"
      When the agent runs
      Then the execution trace has 2 entries

    Scenario: No summary in two model calls
      Given an execution trace
      And a summarization triggered by {"messages": 20}
      And the summarization keeps the last message
      And a tool "t1" that returns "ok"
      And a model that calls "t1" once before it answers "done"
      When the agent runs
      Then the execution trace is empty

  @XP-SUM-25 @clarified
  Rule: An entry of the execution trace contains the summary and its success

    Scenario: Two summaries of a growing conversation
      Given an execution trace
      And a middleware "A" that, before model, adds the user message "Go on."
      And a summarization triggered by {"messages": 3}
      And the summarization keeps the last message
      And its model answers
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

  @XP-BEST-02 @documented
  Rule: A built-in middleware whose work is done changes nothing when its hook is called again

    Scenario: A second summarization after the first
      Given a summarization triggered by {"messages": 5}
      And the summarization keeps the last message
      And its model answers
        | text      |
        | the notes |
      And a second summarization "again" like the first
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
      Then "model summarizer" happens once
      And call 1 of the model "model" tells, in this order
        """
        the notes
        """

    Scenario: A second model call with a conversation that is still short
      Given a summarization triggered by {"messages": 6}
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
      Then "model" happens 2 times
      And "model summarizer" happens once

    Scenario: Three model calls with a to-do list
      Given an agent with the instruction "Be brief."
      And a to-do list
      And a tool "t1" that returns "ok"
      And a model that calls "t1" 2 times before it answers "done"
      When the agent runs
      Then "model" happens 3 times
      And every call of the model "model" has the same system message
