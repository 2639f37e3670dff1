Feature: What a backend gives back
  A backend hands on what is stored: every byte, nothing added, nothing mended.
  Text is not normalised and the end of a file is where it is.

  @AMD-BACKEND-12 @derived
  Rule: A whole file comes back byte for byte

    Scenario Outline: A file that holds "<content>"
      Given the stored file "notes.md" holding "<content>"
      When "notes.md" is read from the backend
      Then the answer is byte for byte what was stored

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

    Scenario: An empty file
      Given the stored file "notes.md" holding ""
      When "notes.md" is read from the backend
      Then the answer is byte for byte what was stored

    Scenario: A file of 5 MB
      Given the stored file "notes.md" of 5000000 bytes
      When "notes.md" is read from the backend
      Then the answer is byte for byte what was stored

  @BACKEND-02 @clarified
  Rule: A file may have an odd name

    Scenario Outline: A file called "<path>"
      Given the stored file "<path>" holding "Answer in French."
      When "<path>" is read from the backend
      Then the answer is byte for byte what was stored

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
  Rule: Lines are picked by the number of the first and by how many

    Scenario Outline: From line <first>, <count> lines
      Given the stored file "notes.md" holding "one\ntwo\nthree\nfour\n"
      When <count> lines of "notes.md" are read from the backend, from line <first>
      Then the answer has the lines <lines>

      Examples: within the file
        | first | count | lines            |
        | 1     | 1     | one              |
        | 2     | 2     | two, three       |
        | 4     | 1     | four             |

      Examples: 0 lines means all that follow
        | first | count | lines            |
        | 3     | 0     | three, four      |
        | 4     | 0     | four             |

      Examples: at the end, and past it
        | first | count | lines            |
        | 3     | 9     | three, four      |
        | 5     | 1     | nothing          |
        | 99    | 0     | nothing          |

      Examples: a first line below 1 means line 1
        | first | count | lines            |
        | 0     | 2     | one, two         |
        | -3    | 1     | one              |
