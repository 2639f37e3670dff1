Feature: The return value of a read
  A read returns text or bytes, or raises an error. Some libraries return None for a missing key, and others return an
  error object, or a message about an error as the content. A loader would insert the message into the conversation as
  an instruction.

  @BACKEND-47 @clarified
  Rule: A read of a stored file returns text or bytes

    Scenario Outline: A file that contains <content>
      Given the stored file "notes.md" containing "<text>"
      When "notes.md" is read from the backend
      Then the content read equals the stored bytes

      Examples:
        | content     | text       |
        | a sentence  | Be brief.  |
        | a number    | 7          |
        | JSON        | [1, 2]     |
        | a letter    | é          |

  @BACKEND-48 @clarified
  Rule: A backend raises an error and does not return the error as content

    Scenario Outline: <file>
      Given the stored file "docs/notes.md" containing "Answer in French."
      When the stored files are read from the backend one after the other, and "<path>" last
      Then each content read equals the stored bytes, and reading "<path>" fails

      Examples:
        | file                        | path           |
        | A folder                    | docs           |
        | A path below a file         | docs/notes.md/a |

  @BACKEND-49 @clarified
  Rule: The content of an empty file is empty

    Scenario Outline: An empty file named "<path>" and another file
      Given the stored file "<path>" containing ""
      And the stored file "other.md" containing "Be brief."
      When the stored files are read from the backend one after the other
      Then each content read equals the stored bytes

      Examples:
        | path          |
        | notes.md      |
        | docs/notes.md |
        | empty         |
