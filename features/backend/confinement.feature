Feature: Nothing outside the root
  An instruction file can name any path, and a model can write an instruction file. A backend with a root reads
  nothing outside the root. {outside} stands for the absolute path of a file that the harness creates outside every
  root. {up} stands for the parent segments that lead from the root of the backend to the root of the disk.
  {up escaped} stands for the segments of {up}, escaped as %2e%2e. {up backslashes} stands for the segments of {up},
  with backslashes. {up doubled} stands for the segments of {up}, doubled as "....//".

  @BACKEND-30 @clarified
  Rule: A backend reads nothing through parent segments above its root

    Scenario Outline: The path "<path>" above the root
      Given the stored file "docs/notes.md" containing "Answer in French."
      And the stored file "brief.md" containing "Be brief."
      When the stored files are read from the backend one after the other, and "<path>" last
      Then each content read equals the stored bytes, and reading "<path>" fails

      Examples:
        | path                      |
        | {up}{outside}             |
        | ./{up}{outside}           |
        | docs/{up}{outside}        |
        | docs/../{up}{outside}     |
        | brief.md/../{up}{outside} |
        | docs//{up}/{outside}      |

  @BACKEND-31 @clarified
  Rule: A backend reads no absolute path outside its root

    Scenario Outline: The absolute path "<path>"
      Given the stored file "docs/notes.md" containing "Answer in French."
      When the stored files are read from the backend one after the other, and "<path>" last
      Then each content read equals the stored bytes, and reading "<path>" fails

      Examples:
        | path            |
        | {outside}       |
        | /{outside}      |
        | //{outside}     |
        | /.{outside}     |
        | /..{outside}    |
        | docs/{outside}  |
        | ~/{outside}     |

  @BACKEND-32 @clarified
  Rule: A backend reads nothing outside its root through a path that is encoded or written as an address

    Scenario Outline: The encoded path "<path>"
      Given the stored file "docs/notes.md" containing "Answer in French."
      When the stored files are read from the backend one after the other, and "<path>" last
      Then each content read equals the stored bytes, and reading "<path>" fails

      Examples:
        | path                       |
        | {up escaped}{outside}      |
        | docs/{up escaped}{outside} |
        | {up backslashes}{outside}  |
        | {up doubled}{outside}      |
        | file://{outside}           |
        | file:{outside}             |
        | local://{outside}          |

  @BACKEND-33 @clarified
  Rule: A backend does not end a path at a zero byte

    Scenario Outline: The path "<path>" with a zero byte
      Given the stored file "notes.md" containing "Answer in French."
      And the stored file "docs/notes.md" containing "Be brief."
      When the stored files are read from the backend one after the other, and "<path>" last
      Then each content read equals the stored bytes, and reading "<path>" fails

      Examples:
        | path                  |
        | notes.md\x00          |
        | notes.md\x00.txt      |
        | docs/notes.md\x00/a   |
        | notes.md\x00/../other |

  @BACKEND-34 @clarified
  Rule: A backend reads nothing outside its root while a file becomes a link that leaves the root

    Scenario Outline: The file "<path>"
      Given the stored file "<path>" containing "Answer in French."
      When "<path>" is read from the backend while the file becomes a link to a file outside the root 5 times
      Then the first read returns the stored bytes, and each later read returns the stored bytes or fails

      Examples:
        | path          |
        | notes.md      |
        | docs/notes.md |

  @BACKEND-35 @clarified
  Rule: A backend reads a link inside its root as the target of the link

    Scenario Outline: A link <place>
      Given the stored file "notes.md" containing "Answer in French."
      And the stored file "docs/more.md" containing "Be brief."
      And the stored file "<path>" is a link to "<target>"
      When "<path>" is read from the backend
      Then the content read is "<content>"

      Examples:
        | place                      | path          | target       | content           |
        | next to its target         | link.md       | notes.md     | Answer in French. |
        | to a file in a folder      | link.md       | docs/more.md | Be brief.         |
        | in a folder to a file above | docs/link.md | notes.md     | Answer in French. |
        | in a new folder            | new/link.md   | docs/more.md | Be brief.         |

    Scenario: A link to a link
      Given the stored file "notes.md" containing "Answer in French."
      And the stored file "first.md" is a link to "notes.md"
      And the stored file "second.md" is a link to "first.md"
      When "second.md" is read from the backend
      Then the content read is "Answer in French."

    Scenario: A file through a link to a folder
      Given the stored file "docs/notes.md" containing "Answer in French."
      And the stored file "linked" is a link to "docs"
      When "linked/notes.md" is read from the backend
      Then the content read is "Answer in French."

    Scenario: A link that receives another target after a read
      Given the stored file "notes.md" containing "Answer in French."
      And the stored file "docs/more.md" containing "Be brief."
      When calls of the backend are made in order
        | call | path    | target       |
        | link | link.md | notes.md     |
        | read | link.md |              |
        | link | link.md | docs/more.md |
        | read | link.md |              |
      Then read 1 returns "Answer in French."
      And read 2 returns "Be brief."
