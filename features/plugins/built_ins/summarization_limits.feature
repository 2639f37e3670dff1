Feature: The limits of a summarization
  From which length on a conversation is summarised is one number. A fraction means a share of what the model says it
  takes; not every model says so, and then a number of tokens beside the fraction holds. A limit that can mean nothing
  is refused before any work is lost over it.

  @XP-SUM-13 @documented
  Rule: The limit of a fraction is relative to the context size in the model profile

    Scenario Outline: Twelve words and the fraction <fraction> of <size> tokens
      Given a model that takes <size> tokens
      And a summarization triggered by {"fraction": <fraction>}
      And the summarization keeps the last message
      And the conversation
        | role      | content                      |
        | user      | one two three four five six  |
        | assistant | seven                        |
        | user      | eight nine ten eleven twelve |
      When the agent runs
      Then the final answer is "done"
      And "model summarizer" <happens>

      Examples: longer than the limit
        | fraction | size | happens      |
        | 0.5      | 20   | happens once |
        | 0.2      | 40   | happens once |

      Examples: shorter than the limit
        | fraction | size | happens       |
        | 0.5      | 40   | never happens |
        | 0.8      | 20   | never happens |

    Scenario: 12 million tokens and a fraction of 40 million tokens
      Given each word of a conversation counts as 1000000 tokens
      And a model that takes 40000000 tokens
      And a summarization triggered by {"fraction": 0.5}
      And the summarization keeps the last message
      And the conversation
        | role      | content                      |
        | user      | one two three four five six  |
        | assistant | seven                        |
        | user      | eight nine ten eleven twelve |
      When the agent runs
      Then the final answer is "done"
      And "model summarizer" never happens

  @XP-SUM-14 @documented
  Rule: A fraction of an unknown context size falls back to an absolute number of tokens

    Scenario Outline: A conversation of <size> tokens and a model without a profile
      Given each word of a conversation counts as <weight> tokens
      And a summarization triggered by {"fraction": 0.5, "tokens": 1000}
      And the summarization keeps the last message
      And the conversation
        | role      | content                      |
        | user      | one two three four five six  |
        | assistant | seven                        |
        | user      | eight nine ten eleven twelve |
      When the agent runs
      Then the final answer is "done"
      And "model summarizer" <happens>

      Examples: longer than any limit
        | size       | weight  | happens      |
        | 12 million | 1000000 | happens once |

      Examples: shorter than any limit
        | size | weight | happens       |
        | 12   | 1      | never happens |

  @XP-SUM-24 @clarified
  Rule: A number of tokens next to a fraction is the limit for an unknown context size

    Scenario Outline: Twelve words, a model without a profile and <tokens> tokens next to the fraction
      Given a summarization triggered by {"fraction": 0.5, "tokens": <tokens>}
      And the summarization keeps the last message
      And the conversation
        | role      | content                      |
        | user      | one two three four five six  |
        | assistant | seven                        |
        | user      | eight nine ten eleven twelve |
      When the agent runs
      Then the final answer is "done"
      And "model summarizer" <happens>

      Examples: longer than the number of tokens
        | tokens | happens      |
        | 10     | happens once |

      Examples: shorter than the number of tokens
        | tokens | happens       |
        | 20     | never happens |

  @XP-BEST-07 @clarified
  Rule: A number of tokens next to a fraction is ignored for a known context size

    Scenario Outline: Twelve words, half of <size> tokens and <tokens> tokens next to the fraction
      Given a model that takes <size> tokens
      And a summarization triggered by {"fraction": 0.5, "tokens": <tokens>}
      And the summarization keeps the last message
      And the conversation
        | role      | content                      |
        | user      | one two three four five six  |
        | assistant | seven                        |
        | user      | eight nine ten eleven twelve |
      When the agent runs
      Then the final answer is "done"
      And "model summarizer" <happens>

      Examples: longer than the fraction, shorter than the number
        | size | tokens | happens      |
        | 20   | 30     | happens once |

      Examples: shorter than the fraction, longer than the number
        | size | tokens | happens       |
        | 40   | 5      | never happens |

  @XP-SUM-04 @clarified
  Rule: A conversation that is exactly as long as the limit is summarized

    Scenario Outline: Three messages of twelve words and the limit <trigger>
      Given a model that takes 24 tokens
      And a summarization triggered by <trigger>
      And the summarization keeps the last message
      And the conversation
        | role      | content                      |
        | user      | one two three four five six  |
        | assistant | seven                        |
        | user      | eight nine ten eleven twelve |
      When the agent runs
      Then the final answer is "done"
      And "model summarizer" <happens>

      Examples: exactly as long
        | trigger           | happens      |
        | {"messages": 3}   | happens once |
        | {"tokens": 12}    | happens once |
        | {"fraction": 0.5} | happens once |

      Examples: just too short
        | trigger            | happens       |
        | {"messages": 4}    | never happens |
        | {"tokens": 13}     | never happens |
        | {"fraction": 0.54} | never happens |

  @XP-SUM-05 @clarified
  Rule: A summarization without a limit never summarizes

    Scenario: A conversation that exceeds the context size
      Given a model that takes 5 tokens
      And a summarization triggered by nothing
      And the summarization keeps the last message
      And the conversation
        | role      | content                      |
        | user      | one two three four five six  |
        | assistant | seven                        |
        | user      | eight nine ten eleven twelve |
      When the agent runs
      Then "model summarizer" never happens
      And model call 1 receives
        | role      | content                      |
        | user      | one two three four five six  |
        | assistant | seven                        |
        | user      | eight nine ten eleven twelve |

    Scenario: A model without a profile
      Given a summarization triggered by nothing
      And the summarization keeps the last message
      And a tool "t1" that returns "ok"
      And a model that calls "t1" 4 times before it answers "done"
      When the agent runs
      Then "model" happens 5 times
      And "model summarizer" never happens

  @XP-SUM-03 @clarified
  Rule: A limit of no kind or of two kinds is rejected

    Scenario Outline: The kinds in <trigger>
      Given a model that takes 60 tokens
      And a summarization triggered by <trigger>
      When the agent runs
      Then the agent is refused, or the run fails before any model call

      Examples: two kinds
        | trigger                                        |
        | {"messages": 4, "tokens": 20}                  |
        | {"messages": 4, "fraction": 0.5}               |
        | {"messages": 4, "tokens": 20, "fraction": 0.5} |

      Examples: no kind
        | trigger |
        | {}      |

    Scenario: A number of tokens next to a fraction
      Given a model that takes 60 tokens
      And a summarization triggered by {"fraction": 0.5, "tokens": 20}
      When the agent runs
      Then the final answer is "done"

  @XP-SUM-07 @clarified
  Rule: A limit outside its valid range is rejected

    Scenario Outline: The limit <trigger>
      Given a model that takes 60 tokens
      And a summarization triggered by <trigger>
      When the agent runs
      Then the agent is refused, or the run fails before any model call

      Examples: fractions
        | trigger            |
        | {"fraction": 0}    |
        | {"fraction": 1.5}  |
        | {"fraction": -0.5} |

      Examples: messages
        | trigger           |
        | {"messages": 0}   |
        | {"messages": 2.5} |
        | {"messages": -1}  |

      Examples: tokens
        | trigger         |
        | {"tokens": 0}   |
        | {"tokens": -20} |

    Scenario Outline: The boundary <trigger>
      Given a model that takes 60 tokens
      And a summarization triggered by <trigger>
      When the agent runs
      Then the final answer is "done"

      Examples: valid boundaries
        | trigger         |
        | {"fraction": 1} |
        | {"messages": 1} |
        | {"tokens": 1}   |
