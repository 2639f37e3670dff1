Feature: The loaded text
  Between the bytes of a file and the text that a model receives, some tools change white space, comments and the byte
  order mark. A comment is written for people; some tools keep comments from the model, and most tools do not.

  @INS-TEXT-04 @clarified @axis:byte-order-mark=kept
  Rule: The byte order mark of an instruction file is loaded

    Scenario: A byte order mark at the start of a file
      Given the Git repository "project"
      And the workspace file "project/{name}" with nothing but "\ufeffBe brief."
      When the tool reads the workspace
      Then the loaded text contains "\ufeffBe brief."

  @INS-TEXT-05 @clarified @axis:byte-order-mark=removed
  Rule: The byte order mark of an instruction file is removed

    Scenario: A byte order mark in front of a sentence
      Given the Git repository "project"
      And the workspace file "project/{name}" with nothing but "\ufeffBe brief."
      When the tool reads the workspace
      Then the loaded text contains "Be brief."
      And the loaded text does not contain "\ufeff"

  @INS-TEXT-12 @clarified @axis:comments=kept
  Rule: HTML comments of an instruction file are loaded

    Scenario: A comment between two sentences
      Given the Git repository "project"
      And the workspace file "project/{name}" containing "Be brief.\n<!-- for people -->\nBe polite.\n"
      When the tool reads the workspace
      Then the loaded text contains, in this order, "Be brief.", "<!-- for people -->" and "Be polite."

  @INS-TEXT-13 @clarified @axis:comments=removed
  Rule: HTML comments of an instruction file are removed

    Scenario: A comment on a line of its own
      Given the Git repository "project"
      And the workspace file "project/{name}" containing "Be brief.\n<!-- for people -->\nBe polite.\n"
      When the tool reads the workspace
      Then the loaded text contains "Be brief."
      And the loaded text contains "Be polite."
      And the loaded text does not contain "for people"
