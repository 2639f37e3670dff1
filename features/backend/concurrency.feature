Feature: A backend under several readers
  An agent may have several runs under way, each with files to read, so a
  backend is read by many at once, and what it stores may change between two
  reads.

  @AMD-BACKEND-10 @documented
  Rule: Reads at the same time each get their own file

    Scenario: Ten files, each asked for three times at once
      Given the stored files "0.md" to "9.md", each of 20000 bytes of its own
      When the stored files are read from the backend 3 times each, all at once
      Then each answer is byte for byte what was stored

    Scenario: A missing file among the others
      Given the stored files "0.md" to "9.md", each of 20000 bytes of its own
      When the stored files and "missing.md" are read from the backend, all at once
      Then each answer is byte for byte what was stored, and that for "missing.md" is a missing-file error

  @BACKEND-04 @clarified
  Rule: What is read is what is stored now

    Scenario: A file that is changed
      Given the stored file "notes.md" holding "Answer in French."
      When "notes.md" is read from the backend, changed to "Answer in Czech." and read again
      Then the answers are "Answer in French.", "Answer in Czech."

    Scenario: A file that becomes longer, then shorter
      Given the stored file "notes.md" holding "22"
      When "notes.md" is read from the backend, changed to "55555", then to "1", and read after each
      Then the answers are "22", "55555", "1"

    Scenario: A file that was missing
      Given the stored file "other.md" holding "Answer in French."
      When "notes.md" is read from the backend, changed to "Answer in Czech." and read again
      Then the first answer is a missing-file error, and the second is "Answer in Czech."
