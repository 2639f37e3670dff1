Feature: Concurrent reads and changes
  Several runs read from one backend while a person edits the files. Each read returns the content of the requested file,
  either the whole content before a change or the whole content after the change.

  @BACKEND-36 @clarified
  Rule: Concurrent reads of one file each return the whole content

    Scenario Outline: A file of <size> bytes, read <times>
      Given the stored file "notes.md" of <size> bytes
      When the stored files are read from the backend <times> each, concurrently
      Then each content read equals the stored bytes

      Examples:
        | times     | size   |
        | 2 times   | 1      |
        | 20 times  | 65537  |
        | 100 times | 20000  |

  @BACKEND-37 @clarified
  Rule: A read during a change returns the whole old content or the whole new content

    Scenario Outline: <count> changes to <size> bytes
      Given the stored file "notes.md" of 20000 bytes
      When "notes.md" is read from the backend while the file is changed <count> times to <size> other bytes
      Then each content read is a whole content that the file had

      Examples:
        | count | size   |
        | 20    | 20000  |
        | 20    | 10     |
        | 10    | 200000 |

  @BACKEND-38 @clarified
  Rule: A backend returns the new content of a file after a change that keeps the size

    Scenario Outline: "<old>", then "<new>"
      Given the stored file "notes.md" containing "<old>"
      When "notes.md" is read from the backend, changed to "<new>" and read again
      Then the contents read are "<old>", "<new>"

      Examples:
        | old   | new   |
        | 1     | 2     |
        | one   | two   |
        | one\n | two\n |
        | word  | text  |

  @BACKEND-39 @clarified
  Rule: A change of a file changes no other file

    Scenario Outline: A change of "<path>" next to "<other>"
      Given the stored file "<path>" containing "Answer in French."
      And the stored file "<other>" containing "Be brief."
      When "<path>" is changed to "Answer in Czech and be brief.", and the stored files are read from the backend
      Then the contents read are, in any order, "Answer in Czech and be brief.", "Be brief."

      Examples:
        | path          | other             |
        | notes.md      | notes.md.bak      |
        | notes.md      | more notes.md     |
        | notes         | notes.md          |
        | notes.md      | docs/notes.md     |
        | docs/notes.md | docs/more/notes.md |

  @BACKEND-40 @clarified
  Rule: Concurrent reads of ranges each return the lines of their own request

    Scenario Outline: Each line of a file, <times>
      Given the stored file "notes.md" containing "one\ntwo\nthree\nfour\nfive\n"
      When each line of "notes.md" is read from the backend <times>, concurrently
      Then the lines read are, in any order, "one", "two", "three", "four", "five"

      Examples:
        | times    |
        | once     |
        | 10 times |
