Feature: The spelling of paths
  An instruction file imports another file by a relative path. A caller that joins this path to the path of a folder
  gets dot segments, parent segments and doubled slashes.

  @BACKEND-23 @clarified
  Rule: A dot segment in a path does not change which file is read

    Scenario Outline: The path "<path>" with a dot segment
      Given the stored file "docs/notes.md" containing "Answer in French."
      And the stored file "notes.md" containing "Be brief."
      When "<path>" is read from the backend
      Then the content read is "<content>"

      Examples:
        | path              | content           |
        | ./notes.md        | Be brief.         |
        | ././notes.md      | Be brief.         |
        | ./docs/notes.md   | Answer in French. |
        | docs/./notes.md   | Answer in French. |
        | ./docs/./notes.md | Answer in French. |

  @BACKEND-24 @clarified
  Rule: A parent segment after a folder in a path leads back to the folder above

    Scenario Outline: The path "<path>" with a parent segment
      Given the stored file "docs/notes.md" containing "Answer in French."
      And the stored file "docs/more/notes.md" containing "Use lists."
      And the stored file "notes.md" containing "Be brief."
      When "<path>" is read from the backend
      Then the content read is "<content>"

      Examples:
        | path                          | content           |
        | docs/../notes.md              | Be brief.         |
        | docs/more/../notes.md         | Answer in French. |
        | docs/more/../../notes.md      | Be brief.         |
        | docs/../docs/notes.md         | Answer in French. |
        | docs/../docs/more/notes.md    | Use lists.        |

  @BACKEND-25 @clarified
  Rule: Doubled slashes in a path count as one slash

    Scenario Outline: The path "<path>" with doubled slashes
      Given the stored file "docs/more/notes.md" containing "Answer in French."
      And the stored file "notes.md" containing "Be brief."
      When "<path>" is read from the backend
      Then the content read is "Answer in French."

      Examples:
        | path                  |
        | docs//more/notes.md   |
        | docs/more//notes.md   |
        | docs///more//notes.md |
        | docs//more//notes.md  |

  @BACKEND-26 @clarified
  Rule: A backend reports its root with an error other than a missing-file error

    Scenario Outline: The path "<path>" of the root
      Given the stored file "docs/notes.md" containing "Answer in French."
      When the stored files are read from the backend one after the other, and "<path>" last
      Then each content read equals the stored bytes, and reading "<path>" fails, but not with a missing-file error

      Examples:
        | path    |
        | .       |
        | ./      |
        | docs/.. |
