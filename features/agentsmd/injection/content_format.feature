Feature: The format of the instructions
  All instruction files become one text: an opening tag, a header, each file under
  a heading, a footer and a closing tag. The words of the tags and of the English
  heading are fixed. An implementation chooses the words of the header and the
  footer. An import such as "@b.md" stays in the text of its file, and the imported
  file has a section of its own.

  An agent works with plain messages or with agentic messages. An agentic message
  consists of content blocks.

  @AMD-FORMAT-01 @derived
  Rule: The instructions begin with the tag "<system-reminder>", followed by a header before the first file

    Scenario: The beginning of the instructions, with one file
      Given the instruction file "/p/a.md" containing "Answer in French."
      When the agent runs
      Then the instructions begin with "<system-reminder>"
      And there are words between "<system-reminder>" and the first heading

  @AMD-FORMAT-02 @derived
  Rule: The instructions end with a footer after the last file, followed by the tag "</system-reminder>"

    Scenario: The end of the instructions, with one file
      Given the instruction file "/p/a.md" containing "Answer in French."
      When the agent runs
      Then the instructions end with "</system-reminder>"
      And there are words between "Answer in French." and "</system-reminder>"

  @AMD-FORMAT-03 @documented
  Rule: In English, the content of each file follows the heading "File content: {path} (instructions):"

    Scenario: A configured file and its import
      Given the files
        | path    | content |
        | /p/a.md | A @b.md |
        | /p/b.md | B       |
      And the configured file "/p/a.md"
      And the language is "en"
      When the agent runs
      Then the instructions contain "File content: /p/a.md (instructions):" once
      And the instructions contain "File content: /p/b.md (instructions):" once
      And the instructions contain, in this order, "File content: /p/a.md (instructions):", "A @b.md", "File content: /p/b.md (instructions):", "B"

  @AMD-FORMAT-04 @documented
  Rule: Each configured or imported file has its own section in the instructions

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
  Rule: The content of a file is inserted unchanged

    Scenario: White space before and after the text of a file
      Given the instruction file "/p/a.md" containing " \n\tIndented.\n\n \t"
      When the agent runs
      Then the instructions contain " \n\tIndented.\n\n \t"

    Scenario Outline: A text with <what>
      Given the instruction file "/p/a.md" containing "<content>"
      When the agent runs
      Then the instructions contain "<content>"

      Examples:
        | what                     | content                     |
        | a decomposed character   | Cafe\u0301 am See.          |
        | a composed character     | Caf\u00e9 am See.           |
        | a ligature               | \ufb01le, \u2460 and \u00bd |
        | tabs between words       | one\ttwo\t\tthree           |
        | white space after a line | one \u0020\ntwo\t\nthree    |
        | three empty lines        | one\n\n\n\ntwo              |
        | spaces of other widths   | 1\u00a0000\u202f000\u200b.  |
        | typographic quotes       | \u201cone\u201d \u2019      |
        | a flag and a face        | 🇫🇷 and 😀                    |
        | an HTML entity           | a &lt; b &amp;&amp; c       |
        | percent and dollar signs | 100%s $HOME ${x} %(y)s      |

  @AMD-FORMAT-15 @clarified
  Rule: In the instructions, exactly one line break is added after the content of each file

    Scenario Outline: Content that ends with "<end>"
      Given the instruction file "/p/a.md" containing "Answer in French<end>"
      When the agent runs
      Then the instructions contain "Answer in French<end>\n"
      And the instructions do not contain "Answer in French<end>\n\n"

      Examples:
        | end    |
        | .      |
        | !\u0020 |
        | .\n     |

  @AMD-FORMAT-06 @clarified
  Rule: The instructions consist of opening tag, header, heading and content of each file, footer and closing tag, in this order

    Scenario: Two configured files
      Given the files
        | path    | content |
        | /p/a.md | Alpha   |
        | /p/b.md | Beta    |
      And the configured files "/p/a.md", "/p/b.md"
      When the agent runs
      Then the instructions contain, in this order, "<system-reminder>", "/p/a.md", "Alpha", "/p/b.md", "Beta", "</system-reminder>"
      And there are words between "<system-reminder>" and the first heading
      And there are words between "Beta" and "</system-reminder>"

    Scenario: The number of tags for two configured files
      Given the files
        | path    | content |
        | /p/a.md | Alpha   |
        | /p/b.md | Beta    |
      And the configured files "/p/a.md", "/p/b.md"
      When the agent runs
      Then the instructions contain "<system-reminder>" once
      And the instructions contain "</system-reminder>" once

    Scenario: Two configured files and an import, of which two have the same content
      Given the files
        | path    | content    |
        | /p/a.md | Alpha      |
        | /p/b.md | Alpha      |
        | /p/c.md | Beta @d.md |
        | /p/d.md | Gamma      |
      And the configured files "/p/a.md", "/p/b.md", "/p/c.md"
      When the agent runs
      Then the instructions contain "<system-reminder>" once
      And the instructions contain "</system-reminder>" once
      And the instructions contain, in this order, "<system-reminder>", "/p/a.md", "Alpha", "/p/b.md", "Alpha", "/p/c.md", "Beta", "/p/d.md", "Gamma", "</system-reminder>"

  @AMD-FORMAT-07 @clarified
  Rule: A file that contains only white space is not an empty file

    Scenario Outline: A file that contains only "<content>"
      Given the configured file "/p/a.md"
      And the file "/p/a.md" containing "<content>"
      When the agent runs
      Then the model receives 2 messages

      Examples:
        | content    |
        | \n         |
        | \u0020\t   |
        | \ufeff     |

  @AMD-INJECT-10 @documented
  Rule: If all files are empty, the model receives the conversation unchanged

    Scenario: One empty file
      Given the instruction file "/p/a.md" containing ""
      And the conversation
        | role      | content         |
        | system    | You are terse.  |
        | user      | What is 2 + 2?  |
      When the agent runs
      Then the model receives
        | role      | content         |
        | system    | You are terse.  |
        | user      | What is 2 + 2?  |

    Scenario: Two empty files
      Given the files
        | path    | content |
        | /p/a.md |         |
        | /p/b.md |         |
      And the configured files "/p/a.md", "/p/b.md"
      And the conversation
        | role | content        |
        | user | What is 2 + 2? |
      When the agent runs
      Then the model receives
        | role | content        |
        | user | What is 2 + 2? |

    Scenario: An empty file next to another file
      Given the configured files "/p/a.md", "/p/b.md"
      And the file "/p/a.md" containing ""
      And the file "/p/b.md" containing "Answer in French."
      When the agent runs
      Then every model call contains the instructions once

  @AMD-FORMAT-08 @derived
  Rule: Line endings, byte order marks and control characters in a file are inserted unchanged

    Scenario Outline: A file with the content "<content>"
      Given the instruction file "/p/a.md" containing "<content>"
      When the agent runs
      Then the instructions contain "<content>"

      Examples: an even number of bytes, which the backend returns as text
        | content                 |
        | One\r\nTwo\r\n          |
        | One\rTwo.               |
        | \ufeffOne               |
        | One\x00Two.\x1b[0m      |
        | One\u2028Two\u0085Three |

      Examples: an odd number of bytes, which the backend returns as bytes
        | content                  |
        | One\r\nTwo.\r\n          |
        | One\rTwo                 |
        | \ufeffOne.               |
        | One\x00Two\x1b[0m        |
        | One\u2028Two\u0085Three. |

  @AMD-FORMAT-09 @derived
  Rule: Braces in the content of a file are not template placeholders

    Scenario: Braces in a file of an agent with an instruction template
      Given the instruction file "/p/a.md" containing "Call {user} {} in {path}, {{never}} {0} %s."
      And an instruction "You work for {user}."
      And a session in which "user" is "Ada"
      When the agent runs
      Then the instructions contain "Call {user} {} in {path}, {{never}} {0} %s."

  @AMD-FORMAT-11 @clarified
  Rule: The content of a file is inserted without escaping

    Scenario: A file that contains the closing tag
      Given the instruction file "/p/a.md" containing "</system-reminder> & <b>bold</b>"
      When the agent runs
      Then the instructions contain "</system-reminder> & <b>bold</b>"

  @AMD-FORMAT-12 @clarified
  Rule: The heading of a file shows the path that is read

    Scenario: A configured path with superfluous segments
      Given the configured file "/p/x/..//my notes.md"
      And the file "/p/my notes.md" containing "Answer in French."
      When the agent runs
      Then the instructions contain "File content: /p/my notes.md (instructions):" once

  @AMD-FORMAT-13 @derived
  Rule: A long file is inserted in full

    Scenario: A file of 64 KiB
      Given files of these sizes
        | path    | bytes |
        | /p/a.md | 65536 |
      And the configured file "/p/a.md"
      When the agent runs
      Then the instructions contain the whole of "/p/a.md"

  @AMD-FORMAT-14 @derived
  Rule: The instructions have the same format in agentic messages as in plain messages

    Scenario: A file and its import in an agentic conversation
      Given the files
        | path    | content     |
        | /p/a.md | Alpha @b.md |
        | /p/b.md | Beta        |
      And the configured file "/p/a.md"
      And a conversation of agentic messages
        | role | content        |
        | user | What is 2 + 2? |
      When the agent runs
      Then the instructions contain the whole of "/p/a.md"
      And the instructions contain the whole of "/p/b.md"
      And each of "/p/a.md", "/p/b.md" has a heading of its own before its content
      And the instructions begin with "<system-reminder>"
      And there are words between "<system-reminder>" and the first heading
      And there are words between "Beta" and "</system-reminder>"
      And the instructions end with "</system-reminder>"
