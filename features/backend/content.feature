Feature: The content that a backend returns
  An AgentsMD middleware reads its files from a backend. A backend returns the stored bytes without changes. Several
  runs can read from one backend at the same time, and files can change between two reads. In the content of a file, \n,
  \r, \uXXXX and \xXX stand for characters and bytes.

  The last rule reads a project of a dozen files through the backend: the folder "example" next to the features.

  @AMD-BACKEND-12 @derived
  Rule: A backend returns a whole file byte for byte

    Scenario Outline: A file that holds "<content>"
      Given the stored file "notes.md" containing "<content>"
      When "notes.md" is read from the backend
      Then the content read equals the stored bytes

      Examples:
        | content                    |
        | Answer in French.\n        |
        | Grüße, 规则 and 😀          |
        | One\r\nTwo\r\n             |
        | One\rTwo                   |
        | \ufeffOne                  |
        | no line end                |
        | \n\nblank lines around\n\n |
        | One\x00Two                 |
        | Use $HOME, ${HOME} and %s  |
        | ---\nname: notes\n---\nOne\n |
        | &lt;One&gt; &amp; &#50;    |

    Scenario: An empty file
      Given the stored file "notes.md" containing ""
      When "notes.md" is read from the backend
      Then the content read equals the stored bytes

    Scenario: A file of 5 MB
      Given the stored file "notes.md" of 5000000 bytes
      When "notes.md" is read from the backend
      Then the content read equals the stored bytes

  @BACKEND-02 @clarified
  Rule: A backend reads files whose names contain spaces, brackets, percent signs or letters beyond ASCII

    Scenario Outline: A file named "<path>"
      Given the stored file "<path>" containing "Answer in French."
      When "<path>" is read from the backend
      Then the content read equals the stored bytes

      Examples:
        | path                     |
        | my notes.md              |
        | 规则/样式.md               |
        | .hidden                  |
        | .hidden/notes.md         |
        | no-extension             |
        | a.b.c.md                 |
        | two..dots.md             |
        | brackets[1] & (2).md     |
        | 100%25.md                |

  @BACKEND-03 @clarified
  Rule: A backend returns the requested number of lines from the requested first line on

    Scenario Outline: From line <first>, <count> lines
      Given the stored file "notes.md" containing "one\ntwo\nthree\nfour\n"
      When <count> lines of "notes.md" are read from the backend, from line <first>
      Then the content read has the lines <lines>

      Examples: Within the file
        | first | count | lines            |
        | 1     | 1     | one              |
        | 2     | 2     | two, three       |
        | 4     | 1     | four             |
        | 1     | 4     | one, two, three, four |

      Examples: A count of 0 for all following lines
        | first | count | lines            |
        | 3     | 0     | three, four      |
        | 4     | 0     | four             |

      Examples: At and after the end of the file
        | first | count | lines            |
        | 3     | 9     | three, four      |
        | 5     | 1     | nothing          |
        | 5     | 0     | nothing          |
        | 99    | 0     | nothing          |

      Examples: A first line below 1 for line 1
        | first | count | lines            |
        | 0     | 2     | one, two         |
        | -3    | 1     | one              |

  @BACKEND-04 @clarified
  Rule: A backend returns the content that is stored at the time of the read

    Scenario: A changed file
      Given the stored file "notes.md" containing "Answer in French."
      When "notes.md" is read from the backend, changed to "Answer in Czech." and read again
      Then the contents read are "Answer in French.", "Answer in Czech."

    Scenario: A file that becomes longer, then shorter
      Given the stored file "notes.md" containing "22"
      When "notes.md" is read from the backend, changed to "55555", then to "1", and read after each
      Then the contents read are "22", "55555", "1"

    Scenario: A file that becomes empty
      Given the stored file "notes.md" containing "Be brief."
      When "notes.md" is read from the backend, changed to "", then to "Use lists.", and read after each
      Then the contents read are "Be brief.", "", "Use lists."

    Scenario: A file that was missing before
      Given the stored file "other.md" containing "Answer in French."
      When "notes.md" is read from the backend, changed to "Answer in Czech." and read again
      Then the first read fails with a missing-file error, and the second returns "Answer in Czech."

  @AMD-BACKEND-10 @documented
  Rule: Concurrent reads from a backend each return the content of their own file

    Scenario: Ten files, each read three times
      Given the stored files "0.md" to "9.md", each of 20000 bytes with different content
      When the stored files are read from the backend 3 times each, concurrently
      Then each content read equals the stored bytes

    Scenario: A missing file among ten files
      Given the stored files "0.md" to "9.md", each of 20000 bytes with different content
      When the stored files and "missing.md" are read from the backend concurrently
      Then each content read equals the stored bytes, and reading "missing.md" fails with a missing-file error

  @BACKEND-05 @clarified
  Rule: A loader that reads through the backend finds all files, missing files and unreadable files of a project

    Scenario: The example project
      Given the stored example project
      When a loader loads "Agents.md" from the backend
      Then the loaded files are "Agents.md", "context/overview.md", "context/timetables.md", "context/architecture.md", "context/decisions.md", "rules/code-style.md", "rules/testing.md", "rules/commits.md", "rules/reviews.md", "teams/owners.yaml", "teams/rota.md"
      And the warnings name "context/architecture.md", "rules/templates/commit.txt"
      And the section of "context/timetables.md" equals the stored file

    Scenario: The example project without permission to read one file
      Given the stored example project
      And the backend has no permission to read "rules/testing.md"
      When a loader loads "Agents.md" from the backend
      Then loading fails
      And no file is loaded
