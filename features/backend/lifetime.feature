Feature: The lifetime of a backend
  A process that runs an agent for days reads the instructions in every run. If each read leaves a descriptor, a thread
  or a task, the process reaches a limit and fails. A closed backend is no empty backend.

  @BACKEND-41 @clarified
  Rule: Reads leave no open descriptor

    Scenario: 1,000 reads of one stored file, and its descriptors
      Given the stored file "notes.md" containing "Answer in French."
      When "notes.md" is read from the backend 1000 times, one read after the other
      Then each content read equals the stored bytes
      And the reads leave no open descriptor

    Scenario: 1,000 reads of a missing file, and their descriptors
      Given the stored file "notes.md" containing "Answer in French."
      When "missing.md" is read from the backend 1000 times, one read after the other
      Then the reads leave no open descriptor

    Scenario: 100 reads of a folder, and their descriptors
      Given the stored file "docs/notes.md" containing "Answer in French."
      When "docs" is read from the backend 100 times, one read after the other
      Then the reads leave no open descriptor

  @BACKEND-42 @clarified
  Rule: Reads leave no running thread

    Scenario: 1,000 reads of one stored file, and its threads
      Given the stored file "notes.md" containing "Answer in French."
      When "notes.md" is read from the backend 1000 times, one read after the other
      Then each content read equals the stored bytes
      And the reads leave no running thread

    Scenario: 1,000 reads of a missing file, and their threads
      Given the stored file "notes.md" containing "Answer in French."
      When "missing.md" is read from the backend 1000 times, one read after the other
      Then the reads leave no running thread

  @BACKEND-43 @clarified
  Rule: Reads leave no pending task

    Scenario: 1,000 reads of one stored file, and its tasks
      Given the stored file "notes.md" containing "Answer in French."
      When "notes.md" is read from the backend 1000 times, one read after the other
      Then each content read equals the stored bytes
      And the reads leave no pending task

    Scenario: 1,000 reads of a missing file, and their tasks
      Given the stored file "notes.md" containing "Answer in French."
      When "missing.md" is read from the backend 1000 times, one read after the other
      Then the reads leave no pending task

  @BACKEND-44 @clarified
  Rule: A backend can be closed twice

    Scenario Outline: Closing <times>
      Given the stored file "notes.md" containing "Answer in French."
      When "notes.md" is read from the backend, the backend is closed <times>, and "notes.md" is read
      Then the first read returns the stored bytes, and closing the backend succeeds each time

      Examples:
        | times   |
        | once    |
        | 2 times |
        | 3 times |

  @BACKEND-45 @clarified
  Rule: A closed backend reports each file with an error other than a missing-file error

    Scenario Outline: <file>
      Given the stored file "notes.md" containing "Answer in French."
      And the stored file "docs/more.md" containing "Be brief."
      When "notes.md" is read from the backend, the backend is closed once, and "<later>" is read
      Then the first read returns the stored bytes, and the second fails, but not with a missing-file error

      Examples:
        | file                                    | later        |
        | The file that was read before the close | notes.md     |
        | A stored file that was not read         | docs/more.md |
        | A file that was never stored            | missing.md   |

    Scenario: Two reads after the close
      Given the stored file "notes.md" containing "Answer in French."
      When calls of the backend are made in order
        | call  | path       |
        | read  | notes.md   |
        | close |            |
        | read  | notes.md   |
        | read  | missing.md |
      Then read 1 returns "Answer in French."
      And read 2 fails, but not with a missing-file error
      And read 3 fails, but not with a missing-file error

  @BACKEND-46 @clarified
  Rule: A cancelled read does not affect later reads

    Scenario Outline: <count> cancelled reads of <file>
      Given the stored file "notes.md" of 20000 bytes
      And the stored file "other.md" containing "Be brief."
      When <count> reads of "<path>" are cancelled, and "notes.md" is read from the backend
      Then the content read equals the stored bytes

      Examples:
        | count | file               | path       |
        | 1     | the same file      | notes.md   |
        | 50    | the same file      | notes.md   |
        | 200   | the same file      | notes.md   |
        | 1     | another file       | other.md   |
        | 50    | another file       | other.md   |
        | 50    | a missing file     | missing.md |
