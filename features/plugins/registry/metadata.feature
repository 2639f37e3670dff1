Feature: What a strategy says about itself
  Before there is any middleware, people choose among strategies and configure
  them. A strategy's metadata has what they are shown: a name, a label, an icon
  and a description, and a schema of the options from which a form can be drawn.

  @XP-META-01 @documented
  Rule: A registry gives a strategy's name, label, icon, description and config schema as they were declared

    Scenario: All five
      Given a plugin module "plugins" with the strategies
        | provider | name       | label       | icon    | description           | schema                                   |
        | compress | Compressor | Compression | box.svg | Shortens what is long | {"type": "object", "required": ["size"]} |
      When the plugin modules are loaded and the providers compress are looked up
      Then looking up "compress" gives the metadata
        """
        {
          "name": "Compressor",
          "label": {"en_US": "Compression"},
          "icon": "box.svg",
          "description": {"en_US": "Shortens what is long"},
          "configSchema": {"type": "object", "required": ["size"]}
        }
        """

  @XP-META-02 @clarified
  Rule: Of a strategy's metadata only the name and the label must be there

    Scenario: Nothing else
      Given a plugin module "plugins" with the strategies
        | provider | label       |
        | compress | Compression |
      When the plugin modules are loaded and the providers compress are looked up
      Then looking up "compress" gives the metadata
        """
        {"name": "compress", "label": {"en_US": "Compression"}}
        """

    Scenario Outline: Everything but the <part>
      Given a plugin module "plugins" with the strategies
        | provider | icon    | description           | schema             |
        | compress | box.svg | Shortens what is long | {"type": "object"} |
      And its metadata for "compress" has no <part>
      When the plugin modules are loaded and the providers compress are looked up
      Then the strategy "compress" is refused

      Examples: what must be there
        | part  |
        | name  |
        | label |

    Scenario: The implementation's own strategies
      When the implementation's own strategies are listed
      Then each strategy has a label and a name

  @XP-META-03 @derived
  Rule: A config schema is JSON and loses nothing on its way to whoever draws the form

    Scenario Outline: A schema with <what>
      Given a plugin module "plugins" with the strategies
        | provider | schema   |
        | compress | <schema> |
      When the plugin modules are loaded and the providers compress are looked up
      Then looking up "compress" gives the metadata
        """
        {"name": "compress", "label": {"en_US": "compress"}, "configSchema": <schema>}
        """

      Examples: what forms are drawn from
        | what                   | schema                                                                                                |
        | a list of choices      | {"type": "object", "properties": {"by": {"enum": ["words", "lines", null]}}, "required": ["by"]}      |
        | hints for the form     | {"type": "object", "properties": {"key": {"type": "string", "x-ui": {"secret": true, "width": 0.5}}}} |
        | an object in an object | {"type": "object", "properties": {"at": {"type": "object", "properties": {"n": {"default": 0}}}}}     |

  @XP-META-04 @documented
  Rule: A label has a text for each language

    Scenario: Two languages
      Given a plugin module "plugins" with the strategies
        | provider | label       | label zh |
        | compress | Compression | 压缩       |
      When the plugin modules are loaded and the providers compress are looked up
      Then looking up "compress" gives the metadata
        """
        {"name": "compress", "label": {"en_US": "Compression", "zh_Hans": "压缩"}}
        """

  @XP-META-10 @clarified
  Rule: A description has a text for each language

    Scenario: A description in two languages
      Given a plugin module "plugins" with the strategies
        | provider | label       | description           | description zh |
        | compress | Compression | Shortens what is long | 缩短长内容          |
      When the plugin modules are loaded and the providers compress are looked up
      Then looking up "compress" gives the metadata
        """
        {
          "name": "compress",
          "label": {"en_US": "Compression"},
          "description": {"en_US": "Shortens what is long", "zh_Hans": "缩短长内容"}
        }
        """

    Scenario: A description in another language only
      Given a plugin module "plugins" with the strategies
        | provider | label       | description zh |
        | compress | Compression | 缩短长内容          |
      When the plugin modules are loaded and the providers compress are looked up
      Then looking up "compress" gives the metadata
        """
        {"name": "compress", "label": {"en_US": "Compression"}, "description": {"zh_Hans": "缩短长内容"}}
        """

  @PLUGIN-46 @clarified
  Rule: A config schema refers to nothing outside itself, and its labels are in the languages of its strategy

    Scenario: The strategies that the implementation brings along
      When the implementation's own strategies are listed
      Then each config schema is whole, and its labels are in the languages of its strategy
