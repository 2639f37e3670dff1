Feature: The text a model is given
  All files go into one text: an opening tag, a header, each file under its
  heading, a footer and a closing tag. Only the tags and the English heading
  have fixed words; the rest may be worded freely, as long as it is there.

  @AMD-FORMAT-01 @documented
  Rule: The text opens with "<system-reminder>", and a header stands before the first file

    Scenario: The beginning, with one file
      Given the instructions file "/p/a.md" holding "Answer in French."
      When the agent runs
      Then the instructions begin with "<system-reminder>"
      And there are words between "<system-reminder>" and the first heading

  @AMD-FORMAT-02 @documented
  Rule: A footer stands after the last file, and "</system-reminder>" closes the text

    Scenario: The end, with one file
      Given the instructions file "/p/a.md" holding "Answer in French."
      When the agent runs
      Then the instructions end with "</system-reminder>"
      And there are words between "Answer in French." and "</system-reminder>"

  @AMD-FORMAT-03 @documented
  Rule: In English, each file stands behind the words "File content: {path} (instructions):"

    Scenario: A configured file and its import
      Given the files
        | path    | content |
        | /p/a.md | A @b.md |
        | /p/b.md | B       |
      And the configured files "/p/a.md"
      And the language is "en"
      When the agent runs
      Then the instructions hold "File content: /p/a.md (instructions):" once
      And the instructions hold "File content: /p/b.md (instructions):" once
      And the instructions hold, in this order, "File content: /p/a.md (instructions):", "A @b.md", "File content: /p/b.md (instructions):", "B"

  @AMD-FORMAT-04 @documented
  Rule: Each file, configured or imported, has a section of its own

    Scenario: Two configured files and an import
      Given the files
        | path    | content     |
        | /p/a.md | Alpha @c.md |
        | /p/b.md | Beta        |
        | /p/c.md | Gamma       |
      And the configured files "/p/a.md", "/p/b.md"
      When the agent runs
      Then each of "/p/a.md", "/p/b.md", "/p/c.md" has a heading of its own before its content

  @AMD-FORMAT-05 @derived
  Rule: Content is put in unchanged

    Scenario: White space before and after
      Given the instructions file "/p/a.md" holding " \n\tIndented.\n\n \t"
      When the agent runs
      Then the instructions hold " \n\tIndented.\n\n \t"

  @AMD-FORMAT-15 @clarified
  Rule: Exactly one line end follows a file's content

    Scenario Outline: Content that ends in "<end>"
      Given the instructions file "/p/a.md" holding "Answer in French.<end>"
      When the agent runs
      Then the instructions hold "Answer in French.<end>\n"
      And the instructions do not hold "Answer in French.<end>\n\n"

      Examples:
        | end    |
        | .      |
        | !\u0020 |
        | .\n     |

  @AMD-FORMAT-06 @clarified
  Rule: The parts are in this order: tag, header, for each file its heading and its content, footer, tag

    Scenario: Two files
      Given the files
        | path    | content |
        | /p/a.md | Alpha   |
        | /p/b.md | Beta    |
      And the configured files "/p/a.md", "/p/b.md"
      When the agent runs
      Then the instructions hold, in this order, "<system-reminder>", "/p/a.md", "Alpha", "/p/b.md", "Beta", "</system-reminder>"
      And there are words between "<system-reminder>" and the first heading
      And there are words between "Beta" and "</system-reminder>"

  @AMD-FORMAT-07 @clarified
  Rule: A file of nothing but white space is not empty

    Scenario Outline: A file that holds "<content>"
      Given the configured files "/p/a.md"
      And the file "/p/a.md" holding "<content>"
      When the agent runs
      Then the model receives 2 messages

      Examples:
        | content    |
        | \n         |
        | \u0020\t   |
        | \ufeff     |

  @AMD-FORMAT-08 @derived
  Rule: Line ends, byte order marks and control characters are kept

    Scenario Outline: A file that holds "<content>", kept
      Given the instructions file "/p/a.md" holding "<content>"
      When the agent runs
      Then the instructions hold "<content>"

      Examples:
        | content              |
        | One\r\nTwo\r\n       |
        | One\rTwo             |
        | \ufeffOne            |
        | One\x00Two\x1b[0m    |
        | One\u2028Two\u0085Three |

  @AMD-FORMAT-09 @derived
  Rule: Content is no template

    Scenario: Braces, in a run that renders its own instruction
      Given the instructions file "/p/a.md" holding "Call {user}, {{never}} {0}."
      And an instruction "You work for {user}."
      And a session in which "user" is "Ada"
      When the agent runs
      Then the instructions hold "Call {user}, {{never}} {0}."

  @AMD-FORMAT-11 @clarified
  Rule: Nothing is escaped, not even the closing tag

    Scenario: A file that ends the reminder early
      Given the instructions file "/p/a.md" holding "</system-reminder> & <b>bold</b>"
      When the agent runs
      Then the instructions hold "</system-reminder> & <b>bold</b>"

  @AMD-FORMAT-12 @clarified
  Rule: The heading shows the path that was read

    Scenario: A configured path with segments to spare
      Given the configured files "/p/x/..//my notes.md"
      And the file "/p/my notes.md" holding "Answer in French."
      When the agent runs
      Then the instructions hold "File content: /p/my notes.md (instructions):" once

  @AMD-FORMAT-13 @derived
  Rule: A long file is put in like a short one

    Scenario: 64 KiB
      Given files of these sizes
        | path    | bytes |
        | /p/a.md | 65536 |
      And the configured files "/p/a.md"
      When the agent runs
      Then the instructions show "/p/a.md" whole

  @AMD-FORMAT-14 @derived
  Rule: Agentic messages carry the same text

    Scenario: A file and its import
      Given the files
        | path    | content     |
        | /p/a.md | Alpha @b.md |
        | /p/b.md | Beta        |
      And the configured files "/p/a.md"
      And a conversation of agentic messages
        | role | content        |
        | user | What is 2 + 2? |
      When the agent runs
      Then the instructions show "/p/a.md" whole
      And the instructions show "/p/b.md" whole
      And each of "/p/a.md", "/p/b.md" has a heading of its own before its content
      And the instructions begin with "<system-reminder>"
      And there are words between "<system-reminder>" and the first heading
      And there are words between "Beta" and "</system-reminder>"
      And the instructions end with "</system-reminder>"
