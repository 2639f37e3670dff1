Feature: The metadata of a strategy
  A user chooses a strategy and configures it before any middleware exists.
  The metadata of the strategy is what the user interface shows: a name, a
  label, an icon and a description. A config schema describes the options of
  the strategy, so that a form can be rendered from the schema.

  @XP-META-01 @documented
  Rule: The registry returns the name, label, icon, description and config schema that a middleware strategy declares

    Scenario: All five
      Given a plugin module "plugins" with the strategies
        | provider | name       | label       | icon    | description           | schema                                                                               |
        | compress | Compressor | Compression | box.svg | Shortens what is long | {"type": "object", "properties": {"size": {"type": "number"}, "unit": {"type": "string"}}} |
      When the plugin modules are loaded and the provider "compress" is looked up
      Then looking up "compress" returns the metadata
        """
        {
          "name": "Compressor",
          "label": {"en_US": "Compression"},
          "icon": "box.svg",
          "description": {"en_US": "Shortens what is long"}
        }
        """
      And looking up "compress" returns a config schema with the properties "size", "unit"

  @XP-META-02 @clarified
  Rule: The name and the label are the only required metadata of a middleware strategy

    Scenario: A name and a label only
      Given a plugin module "plugins" with the strategies
        | provider | label       |
        | compress | Compression |
      When the plugin modules are loaded and the provider "compress" is looked up
      Then looking up "compress" returns the metadata
        """
        {"name": "compress", "label": {"en_US": "Compression"}}
        """

    Scenario Outline: Everything except the <part>
      Given a plugin module "plugins" with the strategies
        | provider | icon    | description           | schema             |
        | compress | box.svg | Shortens what is long | {"type": "object"} |
      And the metadata of "compress" has no <part>
      When the plugin modules are loaded and the provider "compress" is looked up
      Then the strategy "compress" is rejected

      Examples: required metadata
        | part  |
        | name  |
        | label |

    Scenario: The strategies of the implementation
      When the implementation's own strategies are listed
      Then each strategy has a label and a name

  @XP-META-03 @clarified
  Rule: The registry returns the config schema of a middleware strategy unchanged as JSON

    Scenario Outline: A schema with <what>
      Given a plugin module "plugins" with the strategies
        | provider | schema   |
        | compress | <schema> |
      When the plugin modules are loaded and the provider "compress" is looked up
      Then looking up "compress" returns the metadata
        """
        {"name": "compress", "label": {"en_US": "compress"}, "configSchema": <schema>}
        """

      Examples: parts of schemas
        | what                   | schema                                                                                                |
        | a list of choices      | {"type": "object", "properties": {"by": {"enum": ["words", "lines", null]}}, "required": ["by"]}      |
        | hints for the form     | {"type": "object", "properties": {"key": {"type": "string", "x-ui": {"secret": true, "width": 0.5}}}} |
        | an object in an object | {"type": "object", "properties": {"at": {"type": "object", "properties": {"n": {"default": 0}}}}}     |

  @XP-META-04 @documented
  Rule: The registry returns the label of a middleware strategy in each language that the label has

    Scenario: A label in two languages
      Given a plugin module "plugins" with the strategies
        | provider | label       | label zh |
        | compress | Compression | 压缩       |
      When the plugin modules are loaded and the provider "compress" is looked up
      Then looking up "compress" returns the metadata
        """
        {"name": "compress", "label": {"en_US": "Compression", "zh_Hans": "压缩"}}
        """

  @XP-META-10 @clarified
  Rule: The registry returns the description of a middleware strategy in each language that the description has

    Scenario: A description in two languages
      Given a plugin module "plugins" with the strategies
        | provider | label       | description           | description zh |
        | compress | Compression | Shortens what is long | 缩短长内容          |
      When the plugin modules are loaded and the provider "compress" is looked up
      Then looking up "compress" returns the metadata
        """
        {
          "name": "compress",
          "label": {"en_US": "Compression"},
          "description": {"en_US": "Shortens what is long", "zh_Hans": "缩短长内容"}
        }
        """

    Scenario: A description in one language, with a label in another
      Given a plugin module "plugins" with the strategies
        | provider | label       | description zh |
        | compress | Compression | 缩短长内容          |
      When the plugin modules are loaded and the provider "compress" is looked up
      Then looking up "compress" returns the metadata
        """
        {"name": "compress", "label": {"en_US": "Compression"}, "description": {"zh_Hans": "缩短长内容"}}
        """

  @PLUGIN-46 @clarified
  Rule: The config schema of a built-in strategy is enough to render a form in each language of the strategy

    Scenario: The config schemas of the implementation
      When the implementation's own strategies are listed
      Then each config schema is complete, with labels in the languages of its strategy
