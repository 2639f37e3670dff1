Feature: The language of the instructions
  The header, the headings and the footer are in English or in Chinese. One setting
  chooses the language for the whole process. These rules check only whether text is
  Chinese, and when a choice takes effect. A choice "from model call 1 on" is made
  when the model has received its first call.

  @AMD-I18N-08 @derived
  Rule: Changing the language from English to Chinese or back changes the header and the footer of the next load

    Scenario: Chinese from the second run on
      Given the instruction file "/p/a.md" containing "Answer in French."
      And the language is "en"
      And the language is "zh" from run 2 on
      When the agent runs twice
      Then the header and the footer of run 1 and run 2 differ
      And the instructions of run 1 contain "/p/a.md"
      And the instructions of run 2 contain "/p/a.md"

    Scenario: Chinese for the first run, English for the second
      Given the instruction file "/p/a.md" containing "Answer in French."
      And the language is "zh" from run 1 on
      And the language is "en" from run 2 on
      When the agent runs twice
      Then the header and the footer of run 1 and run 2 differ

  @AMD-I18N-01 @clarified
  Rule: The default language is English

    Scenario: No language is chosen
      Given the instruction file "/p/a.md" containing "Answer in French."
      When the agent runs
      Then the text around the files contains no Chinese

  @AMD-I18N-02 @clarified
  Rule: In English, the text around the files contains no Chinese

    Scenario: English
      Given the instruction file "/p/a.md" containing "Answer in French."
      And the language is "en"
      When the agent runs
      Then the text around the files contains no Chinese

    Scenario: English after Chinese
      Given the instruction file "/p/a.md" containing "Answer in French."
      And the language is "zh"
      And the language is then changed to "en"
      When the agent runs
      Then the text around the files contains no Chinese

  @AMD-I18N-03 @clarified
  Rule: In Chinese, the header, the headings and the footer are Chinese

    Scenario: Chinese
      Given the instruction file "/p/a.md" containing "Answer in French."
      And the language is "zh"
      When the agent runs
      Then header, headings and footer are Chinese

  @AMD-I18N-05 @derived
  Rule: A language chosen during a run does not change the instructions of that run

    Scenario: Chinese from the first model call on
      Given the instruction file "/p/a.md" containing "Answer in French."
      And the language is "en"
      And the language is "zh" from model call 1 on
      And a model that calls a tool 2 times before it answers
      When the agent runs
      Then the instructions are the same text in every model call

    Scenario: Chinese from the first model call on, and a handler that removes the instructions
      Given the instruction file "/p/a.md" containing "Answer in French."
      And the language is "en"
      And the language is "zh" from model call 1 on
      And a handler before the AgentsMD middleware that removes the instructions
      And a model that calls a tool 2 times before it answers
      When the agent runs
      Then the instructions are the same text in every model call

    Scenario: Chinese from the resumption on, and a handler that removes the messages
      Given a streaming run
      And a conversation of agentic messages
        | role | content |
        | user | \ü*2001 |
        | user | \ü*2001 |
      And the file "/p/a.md" containing "Answer in French."
      And the configured files "/p/a.md", "/p/late.md"
      And the language is "en"
      And the language is "zh" from model call 3 on
      And failed model calls are retried at most once
      And the tools
        | name | returns   | interrupts |
        | t1   | \ü*2001   | yes        |
        | t2   | \ü*2001/-/ |            |
      And a model that answers
        | text | calls                     | fails with |
        |      |                           | busy       |
        |      | t1({"city": "Köln"}) as a |            |
        |      | t2({"city": "Köln"}) as b |            |
        |      | t2({"city": "Bonn"}) as c |            |
        |      | t2({"city": "Kiel"}) as d |            |
        | done |                           |            |
      And a handler "H0" that, before model, replaces all messages with the user message "Weiter"
      And AgentsMD with the configured files
      When the agent runs and is resumed
      Then the model is called 6 times
      And the instructions are the same text in every model call

  @AMD-I18N-06 @clarified
  Rule: Choosing an unsupported language is rejected without a change of the language

    Scenario: Klingon after Chinese
      Given the instruction file "/p/a.md" containing "Answer in French."
      And the language is "zh"
      And the language is then changed to "tlh"
      When the agent runs
      Then choosing the language "tlh" fails
      And header, headings and footer are Chinese

  @AMD-I18N-07 @clarified
  Rule: Warnings are not translated

    Scenario: A missing file, in Chinese
      Given the configured file "/p/missing.md"
      And the language is "zh"
      When the agent runs
      Then the warnings contain no Chinese

    Scenario: A missing file next to a readable one, in Chinese
      Given the configured files "/p/a.md", "/p/missing.md"
      And the file "/p/a.md" containing "Answer in French."
      And the language is "zh"
      When the agent runs
      Then the only file with a warning is "/p/missing.md"
      And the warnings contain no Chinese
      And every model call contains the instructions once
