Feature: Stores that fail as a whole
  A store can be out of reach: its server is gone or silent, or the credentials are rejected, or the container of the
  files is removed. The container is the bucket, the archive, the table or the folder with the files. After a missing-file
  error, an AgentsMD middleware would skip every instruction file, and the agent would run without instructions.

  @AMD-BACKEND-14 @derived
  Rule: A backend whose server is gone reports each file with an error other than a missing-file error

    Scenario Outline: Server gone: <file>
      Given the stored file "notes.md" containing "Answer in French."
      And the stored file "docs/more.md" containing "Be brief."
      When "notes.md" is read from the backend before the server is gone, and "<later>" afterward
      Then the first read returns the stored bytes, and the second fails, but not with a missing-file error

      Examples:
        | file                          | later        |
        | The file that was read before | notes.md     |
        | A file that was not read      | docs/more.md |
        | A file that is not stored     | missing.md   |

    Scenario: A new file before the server is gone
      Given the stored file "notes.md" containing "Answer in French."
      When calls of the backend are made in order
        | call               | path       | content          |
        | write              | more.md    | Be brief.        |
        | read               | more.md    |                  |
        | the server is gone |            |                  |
        | read               | more.md    |                  |
        | read               | missing.md |                  |
      Then read 1 returns "Be brief."
      And read 2 fails, but not with a missing-file error
      And read 3 fails, but not with a missing-file error

  @AMD-BACKEND-15 @derived
  Rule: A backend whose server does not answer reports each file with an error other than a missing-file error

    Scenario Outline: Silent server: <file>
      Given the stored file "notes.md" containing "Answer in French."
      And the stored file "docs/more.md" containing "Be brief."
      When "notes.md" is read from the backend before the server stops answering, and "<later>" afterward
      Then the first read returns the stored bytes, and the second fails, but not with a missing-file error

      Examples:
        | file                            | later        |
        | The file read before the silence | notes.md     |
        | Another stored file             | docs/more.md |
        | A path without a file           | missing.md   |

    Scenario: A new file before the silence
      Given the stored file "notes.md" containing "Answer in French."
      When calls of the backend are made in order
        | call                       | path       | content          |
        | write                      | more.md    | Be brief.        |
        | read                       | more.md    |                  |
        | the server stops answering |            |                  |
        | read                       | more.md    |                  |
        | read                       | missing.md |                  |
      Then read 1 returns "Be brief."
      And read 2 fails, but not with a missing-file error
      And read 3 fails, but not with a missing-file error

  @AMD-BACKEND-16 @derived
  Rule: A backend whose credentials are rejected reports each file with an error other than a missing-file error

    Scenario Outline: Rejected credentials: <file>
      Given the stored file "notes.md" containing "Answer in French."
      And the stored file "docs/more.md" containing "Be brief."
      When "notes.md" is read from the backend before the credentials are rejected, and "<later>" afterward
      Then the first read returns the stored bytes, and the second fails, but not with a missing-file error

      Examples:
        | file                               | later        |
        | The file read with the credentials | notes.md     |
        | A stored file that was never read  | docs/more.md |
        | A path that is not stored          | missing.md   |

    Scenario: A new file before the credentials are rejected
      Given the stored file "notes.md" containing "Answer in French."
      When calls of the backend are made in order
        | call                         | path       | content          |
        | write                        | more.md    | Be brief.        |
        | read                         | more.md    |                  |
        | the credentials are rejected |            |                  |
        | read                         | more.md    |                  |
        | read                         | missing.md |                  |
      Then read 1 returns "Be brief."
      And read 2 fails, but not with a missing-file error
      And read 3 fails, but not with a missing-file error

  @BACKEND-29 @clarified
  Rule: A backend whose container is removed reports each file with an error other than a missing-file error

    Scenario Outline: Removed container: <file>
      Given the stored file "notes.md" containing "Answer in French."
      And the stored file "docs/more.md" containing "Be brief."
      When "notes.md" is read from the backend before the container is removed, and "<later>" afterward
      Then the first read returns the stored bytes, and the second fails, but not with a missing-file error

      Examples:
        | file                              | later        |
        | The file read before the removal  | notes.md     |
        | A file in a folder                | docs/more.md |
        | A file that never was stored      | missing.md   |

    Scenario: A new file before the container is removed
      Given the stored file "notes.md" containing "Answer in French."
      When calls of the backend are made in order
        | call                     | path       | content          |
        | write                    | more.md    | Be brief.        |
        | read                     | more.md    |                  |
        | the container is removed |            |                  |
        | read                     | more.md    |                  |
        | read                     | missing.md |                  |
      Then read 1 returns "Be brief."
      And read 2 fails, but not with a missing-file error
      And read 3 fails, but not with a missing-file error
