Feature: What a backend says when it cannot read
  Whoever reads through a backend skips what is missing and gives up on
  anything else. So a backend must say "does not exist" when that is so, in the
  one way its language has for it, and at no other time.

  These rules judge a backend alone: it is opened with the stored files, by
  their relative paths, and read.

  @AMD-BACKEND-05 @documented
  Rule: A file that does not exist is answered with "does not exist"

    Scenario Outline: <what>
      Given the stored file "docs/notes.md" holding "Answer in French."
      When "<path>" is read from the backend
      Then the answer is a missing-file error

      Examples:
        | what                           | path              |
        | A name nobody stored           | missing.md        |
        | A name beside a stored one     | docs/missing.md   |
        | A name in a folder nobody made | nowhere/notes.md  |

  @AMD-BACKEND-11 @derived
  Rule: Any other failure is answered with an error that does not look like "does not exist"

    Scenario: A file that nobody may read
      Given the stored file "notes.md" holding "Answer in French."
      And the backend may not read "notes.md"
      When "notes.md" is read from the backend
      Then the answer is an error other than a missing-file error

    Scenario: A file whose medium is broken
      Given the stored file "notes.md" holding "Answer in French."
      And the backend cannot read "notes.md"
      When "notes.md" is read from the backend
      Then the answer is an error other than a missing-file error

  @BACKEND-01 @clarified
  Rule: A folder is not a missing file

    Scenario: Reading the folder of a stored file
      Given the stored file "docs/notes.md" holding "Answer in French."
      When "docs" is read from the backend
      Then the answer is an error other than a missing-file error
