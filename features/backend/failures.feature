Feature: Errors of a backend
  An AgentsMD middleware skips a missing file and stops loading at any other error. A backend must therefore distinguish
  the two. A missing-file error is the error of a language for a file that does not exist: FileNotFoundError in Python,
  fs.ErrNotExist in Go, ENOENT in Node.

  The rules test a backend without a middleware. The backend is opened with the stored files, which have relative paths.

  @AMD-BACKEND-05 @documented
  Rule: A backend reports a file that does not exist with a missing-file error

    Scenario Outline: <file>
      Given the stored file "docs/notes.md" containing "Answer in French."
      When "<path>" is read from the backend
      Then the read fails with a missing-file error

      Examples:
        | file                                | path             |
        | A missing file in the top folder    | missing.md       |
        | A missing file next to a stored one | docs/missing.md  |
        | A file in a missing folder          | nowhere/notes.md |
        | A stored path without its end       | docs/note        |
        | A stored path without its folder    | notes.md         |
        | A stored path with one more letter  | docs/notes.md2   |
        | A stored folder with one more letter | docsX           |

    Scenario: A stored file next to missing ones
      Given the stored file "docs/notes.md" containing "Answer in French."
      When "docs/notes.md" is read from the backend
      Then the content read equals the stored bytes

    Scenario: A missing file whose name begins with the name of a changed file
      Given the stored file "docs/notes.md" containing "Answer in French."
      When calls of the backend are made in order
        | call  | path              | content          |
        | read  | docs/notes.md.bak |                  |
        | write | docs/notes.md     | Answer in Czech. |
        | read  | docs/notes.md.bak |                  |
      Then read 1 fails with a missing-file error
      And read 2 fails with a missing-file error

  @AMD-BACKEND-11 @derived
  Rule: A backend reports a file that exists and cannot be read with an error other than a missing-file error

    Scenario: A file without read permission
      Given the stored file "notes.md" containing "Answer in French."
      And the backend has no permission to read "notes.md"
      When "notes.md" is read from the backend
      Then the read fails, but not with a missing-file error

    Scenario: A file on a broken medium
      Given the stored file "notes.md" containing "Answer in French."
      And the backend fails to read "notes.md"
      When "notes.md" is read from the backend
      Then the read fails, but not with a missing-file error

    Scenario: A file in a folder, without read permission
      Given the stored file "docs/notes.md" containing "Answer in French."
      And the stored file "docs/other.md" containing "Be brief."
      When calls of the backend are made in order
        | call            | path          |
        | deny permission | docs/notes.md |
        | read            | docs/notes.md |
        | read            | docs/other.md |
      Then read 1 fails, but not with a missing-file error
      And read 2 returns "Be brief."

    Scenario: A file in a folder, on a broken medium
      Given the stored file "docs/notes.md" containing "Answer in French."
      And the stored file "docs/other.md" containing "Be brief."
      When calls of the backend are made in order
        | call  | path          |
        | break | docs/notes.md |
        | read  | docs/notes.md |
        | read  | docs/other.md |
      Then read 1 fails, but not with a missing-file error
      And read 2 returns "Be brief."

    Scenario: A readable file next to one without read permission
      Given the stored file "notes.md" containing "Answer in French."
      And the stored file "other.md" containing "Be brief."
      And the backend has no permission to read "other.md"
      When "notes.md" is read from the backend
      Then the content read equals the stored bytes

    Scenario: A readable file next to one on a broken medium
      Given the stored file "notes.md" containing "Answer in French."
      And the stored file "other.md" containing "Be brief."
      And the backend fails to read "other.md"
      When "notes.md" is read from the backend
      Then the content read equals the stored bytes

    Scenario: A file that was readable before
      Given the stored file "notes.md" containing "Answer in French."
      And the stored file "other.md" containing "Be brief."
      When calls of the backend are made in order
        | call            | path     |
        | read            | notes.md |
        | deny permission | notes.md |
        | read            | notes.md |
        | read            | other.md |
      Then read 1 returns "Answer in French."
      And read 2 fails, but not with a missing-file error
      And read 3 returns "Be brief."

    Scenario: A file that is on a broken medium after a read
      Given the stored file "notes.md" containing "Answer in French."
      And the stored file "other.md" containing "Be brief."
      When calls of the backend are made in order
        | call  | path     |
        | read  | notes.md |
        | break | notes.md |
        | read  | notes.md |
        | read  | other.md |
      Then read 1 returns "Answer in French."
      And read 2 fails, but not with a missing-file error
      And read 3 returns "Be brief."

  @BACKEND-01 @clarified
  Rule: A backend reports a folder with an error other than a missing-file error

    Scenario: The folder of a stored file
      Given the stored file "docs/notes.md" containing "Answer in French."
      When "docs" is read from the backend
      Then the read fails, but not with a missing-file error

    Scenario: The folder of a stored file, with a slash at the end of its path
      Given the stored file "docs/notes.md" containing "Answer in French."
      When "docs/" is read from the backend
      Then the read fails, but not with a missing-file error

    Scenario: A stored file and its folder
      Given the stored file "docs/notes.md" containing "Answer in French."
      When the stored files and "docs" are read from the backend concurrently
      Then each content read equals the stored bytes, and reading "docs" fails, but not with a missing-file error

    Scenario Outline: A folder of folders: "<path>"
      Given the stored file "docs/more/notes.md" containing "Answer in French."
      And the stored file "docs/more/deep/notes.md" containing "Be brief."
      When the stored files are read from the backend one after the other, and "<path>" last
      Then each content read equals the stored bytes, and reading "<path>" fails, but not with a missing-file error

      Examples:
        | path           |
        | docs           |
        | docs/more      |
        | docs/more/deep |

  @BACKEND-06 @clarified
  Rule: A backend reports a link that leaves its root with an error other than a missing-file error

    Scenario Outline: A link <place>, to a folder whose name begins with the name of the root
      Given the stored file "<path>" containing "Answer in French."
      And the stored file "<path>" is a link to a file in a folder next to the root, whose name begins with the root's
      When "<path>" is read from the backend
      Then the read fails, but not with a missing-file error

      Examples:
        | place       | path          |
        | in the root | notes.md      |
        | in a folder | docs/notes.md |

    Scenario: A file next to such a link
      Given the stored file "notes.md" containing "Answer in French."
      And the stored file "brief.md" containing "Be brief."
      And the stored file "notes.md" is a link to a file in a folder next to the root, whose name begins with the root's
      When "brief.md" is read from the backend
      Then the contents read are "Be brief."

    Scenario: A file that becomes a link after a read
      Given the stored file "notes.md" containing "Answer in French."
      And the stored file "other.md" containing "Be brief."
      When calls of the backend are made in order
        | call                  | path     |
        | read                  | notes.md |
        | link outside the root | notes.md |
        | read                  | notes.md |
        | read                  | other.md |
      Then read 1 returns "Answer in French."
      And read 2 fails, but not with a missing-file error
      And read 3 returns "Be brief."

  @BACKEND-27 @clarified
  Rule: A backend reports a path below a file with an error other than a missing-file error

    Scenario Outline: The path "<path>"
      Given the stored file "notes.md" containing "Answer in French."
      And the stored file "docs/notes.md" containing "Be brief."
      When the stored files are read from the backend one after the other, and "<path>" last
      Then each content read equals the stored bytes, and reading "<path>" fails, but not with a missing-file error

      Examples:
        | path                |
        | notes.md/inner.md   |
        | notes.md/a/b.md     |
        | docs/notes.md/a.md  |

  @BACKEND-28 @clarified
  Rule: A backend reports a link to a missing file with an error

    Scenario Outline: A link to "<target>"
      Given the stored file "notes.md" containing "Answer in French."
      And the stored file "link.md" is a link to "<target>"
      When the stored files are read from the backend one after the other, and "link.md" last
      Then each content read equals the stored bytes, and reading "link.md" fails

      Examples:
        | target           |
        | missing.md       |
        | nowhere/notes.md |
        | link.md2         |
