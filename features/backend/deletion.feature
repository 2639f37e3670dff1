Feature: Deleting a file
  A person deletes an instruction file while agents run. Later reads report the file as missing, and an agent continues
  without the file.

  @BACKEND-50 @clarified
  Rule: A deleted file is reported with a missing-file error

    Scenario Outline: The deleted file "<path>"
      Given the stored file "<path>" containing "Answer in French."
      When calls of the backend are made in order
        | call   | path   |
        | read   | <path> |
        | delete | <path> |
        | read   | <path> |
        | read   | <path> |
      Then read 1 returns "Answer in French."
      And read 2 fails with a missing-file error
      And read 3 fails with a missing-file error

      Examples:
        | path           |
        | notes.md       |
        | docs/notes.md  |
        | docs/a/notes.md |

    Scenario: A file that is deleted before the first read
      Given the stored file "notes.md" containing "Answer in French."
      When calls of the backend are made in order
        | call   | path     |
        | delete | notes.md |
        | read   | notes.md |
      Then read 1 fails with a missing-file error

    Scenario: An empty file that is deleted
      Given the stored file "notes.md" containing ""
      When calls of the backend are made in order
        | call   | path     |
        | read   | notes.md |
        | delete | notes.md |
        | read   | notes.md |
      Then read 1 returns ""
      And read 2 fails with a missing-file error

    Scenario: A new file that is deleted
      Given the stored file "a.md" containing "Answer in French."
      When calls of the backend are made in order
        | call   | path     | content          |
        | write  | notes.md | Answer in Greek. |
        | read   | notes.md |                  |
        | delete | notes.md |                  |
        | read   | notes.md |                  |
      Then read 1 returns "Answer in Greek."
      And read 2 fails with a missing-file error

    Scenario: A file that is deleted a second time
      Given the stored file "notes.md" containing "one"
      When calls of the backend are made in order
        | call   | path     | content |
        | delete | notes.md |         |
        | write  | notes.md | two     |
        | delete | notes.md |         |
        | read   | notes.md |         |
      Then read 1 fails with a missing-file error

  @BACKEND-51 @clarified
  Rule: The deletion of a file leaves all other files as they are

    Scenario Outline: The deletion of "<path>" next to "<other>"
      Given the stored file "<path>" containing "one"
      And the stored file "<other>" containing "two"
      When calls of the backend are made in order
        | call   | path    |
        | delete | <path>  |
        | read   | <other> |
      Then read 1 returns "two"

      Examples:
        | path          | other              |
        | notes.md      | notes.md.bak       |
        | notes.md      | more notes.md      |
        | notes         | notes.md           |
        | notes.md      | docs/notes.md      |
        | docs/notes.md | notes.md           |
        | docs/notes.md | docs/other.md      |
        | docs/notes.md | docs/more/notes.md |
        | docs/notes.md | docs.md            |

    Scenario: Two files with the same content
      Given the stored file "a.md" containing "one"
      And the stored file "b.md" containing "one"
      When calls of the backend are made in order
        | call   | path |
        | read   | a.md |
        | read   | b.md |
        | delete | a.md |
        | read   | b.md |
      Then read 1 returns "one"
      And read 2 returns "one"
      And read 3 returns "one"

  @BACKEND-52 @clarified
  Rule: A file that is written after its deletion has the new content

    Scenario Outline: "<old>", deleted, then "<new>"
      Given the stored file "notes.md" containing "<old>"
      When calls of the backend are made in order
        | call   | path     | content |
        | read   | notes.md |         |
        | delete | notes.md |         |
        | write  | notes.md | <new>   |
        | read   | notes.md |         |
      Then read 1 returns "<old>"
      And read 2 returns "<new>"

      Examples:
        | old           | new           |
        | one           | two           |
        | one           | one           |
        | one two three | one           |
        | one           | one two three |

    Scenario: A file that was reported as missing after its deletion
      Given the stored file "docs/notes.md" containing "one"
      When calls of the backend are made in order
        | call   | path          | content |
        | delete | docs/notes.md |         |
        | read   | docs/notes.md |         |
        | write  | docs/notes.md | two     |
        | read   | docs/notes.md |         |
      Then read 2 returns "two"
