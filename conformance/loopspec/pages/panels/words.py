"""The page's own words, in English and Chinese. Every other language gets the English words."""

from __future__ import annotations

# In a sentence, {field} is a label, {reason} one of the reasons below and {limit} what the schema sets.
WORDS: dict[str, dict[str, str]] = {
    "en": {
        "title": "Options of strategies",
        "intro": "Every strategy that {target} registers, with a form made of its config schema.",
        "languages": "Language",
        "contents": "Strategies",
        "nothing": "{target} registers no strategies.",
        "no metadata": "This strategy has no metadata: there is nothing to show.",
        "no options": "This strategy has no options.",
        "broken": "The config schema of this strategy is broken: {limit}.",
        "unchecked": "The schema requires more than this page can check: {limit}.",
        "script": "The forms need JavaScript to show options.",
        "required": "required",
        "optional": "optional",
        "give": "Set “{field}”",
        "more": "Further options",
        "json": "As JSON, for example {limit}.",
        "none": "– not set –",
        "true": "Yes",
        "false": "No",
        "add": "Add to “{field}”",
        "remove": "Remove",
        "show": "Show options",
        "options": "Options",
        "invalid one": "One field is not valid yet. There are no options to show.",
        "invalid": "{limit} fields are not valid yet. There are no options to show.",
        "is required": "“{field}” is required.",
        "sentence": "“{field}” must be {reason}.",
        "and": ", ",
        "hint": "{reason}.",
    },
    "zh": {
        "title": "策略选项",
        "intro": "{target} 注册的每个策略，各有一张由其配置模式生成的表单。",
        "languages": "语言",
        "contents": "策略",
        "nothing": "{target} 没有注册任何策略。",
        "no metadata": "该策略没有元数据，无可显示。",
        "no options": "该策略没有选项。",
        "broken": "该策略的配置模式有误：{limit}。",
        "unchecked": "该模式包含本页无法检查的要求：{limit}。",
        "script": "显示选项需要启用 JavaScript。",
        "required": "必填",
        "optional": "选填",
        "give": "设置“{field}”",
        "more": "其他选项",
        "json": "以 JSON 填写，例如 {limit}。",
        "none": "– 未设置 –",
        "true": "是",
        "false": "否",
        "add": "添加到“{field}”",
        "remove": "移除",
        "show": "显示选项",
        "options": "选项",
        "invalid one": "有 1 个字段尚未有效，没有可显示的选项。",
        "invalid": "有 {limit} 个字段尚未有效，没有可显示的选项。",
        "is required": "“{field}”为必填项。",
        "sentence": "“{field}”必须{reason}。",
        "and": "，",
        "hint": "须{reason}。",
    },
}

# By what the schema demands; each completes "must be". Some are also shown beforehand, as the hint below a label.
REASONS: dict[str, dict[str, str]] = {
    "en": {
        "minimum": "at least {limit}",
        "maximum": "at most {limit}",
        "exclusiveMinimum": "more than {limit}",
        "exclusiveMaximum": "less than {limit}",
        "multipleOf": "a multiple of {limit}",
        "minLength": "at least {limit} character(s) long",
        "maxLength": "at most {limit} character(s) long",
        "pattern": "of the form {limit}",
        "format": "a {limit}",
        "contentEncoding": "in {limit}",
        "enum": "one of {limit}",
        "const": "{limit}",
        "minItems": "a list of at least {limit}",
        "maxItems": "a list of at most {limit}",
        "uniqueItems": "a list without repetition",
        "minProperties": "an object of at least {limit} field(s)",
        "maxProperties": "an object of at most {limit} field(s)",
        "needs": "an object with {limit}",
        "without": "an object without {limit}",
        "anyOf": "of one of the kinds that the schema allows",
        "oneOf": "of exactly one of the kinds that the schema allows",
        "not": "of a kind that the schema allows",
        "exact": "no larger than 9007199254740991, more than this page can hold exactly",
        "json": "valid JSON",
        "integer": "a whole number",
        "number": "a number",
        "string": "a text",
        "boolean": "true or false",
        "null": "null",
        "array": "a list",
        "object": "an object",
        "or": " or ",
    },
    "zh": {
        "minimum": "大于或等于 {limit}",
        "maximum": "小于或等于 {limit}",
        "exclusiveMinimum": "大于 {limit}",
        "exclusiveMaximum": "小于 {limit}",
        "multipleOf": "是 {limit} 的倍数",
        "minLength": "至少有 {limit} 个字符",
        "maxLength": "至多有 {limit} 个字符",
        "pattern": "符合格式 {limit}",
        "format": "是有效的 {limit}",
        "contentEncoding": "是 {limit} 编码",
        "enum": "是以下之一：{limit}",
        "const": "等于 {limit}",
        "minItems": "是至少有 {limit} 项的列表",
        "maxItems": "是至多有 {limit} 项的列表",
        "uniqueItems": "是没有重复项的列表",
        "minProperties": "是至少有 {limit} 个字段的对象",
        "maxProperties": "是至多有 {limit} 个字段的对象",
        "needs": "是含有 {limit} 的对象",
        "without": "是不含 {limit} 的对象",
        "anyOf": "属于模式允许的类型之一",
        "oneOf": "恰好属于模式允许的类型之一",
        "not": "属于模式允许的类型",
        "exact": "不超过 9007199254740991，本页无法精确保存更大的数",
        "json": "是有效的 JSON",
        "integer": "是整数",
        "number": "是数字",
        "string": "是文本",
        "boolean": "是 true 或 false",
        "null": "是 null",
        "array": "是列表",
        "object": "是对象",
        "or": "或",
    },
}

# How a language calls itself, for the switch; another is called by its code.
NAMES = {
    "de": "Deutsch",
    "en": "English",
    "es": "Español",
    "fr": "Français",
    "ja": "日本語",
    "ko": "한국어",
    "zh": "中文",
    "zh-Hans": "简体中文",
    "zh-Hant": "繁體中文",
    "en-US": "English",
}


def tag(language: str) -> str:
    """The language as HTML names it: zh_Hans is zh-Hans."""
    return language.replace("_", "-")


def family(language: str) -> str:
    """The language whose words of ours go with it."""
    primary = _primary(language)
    return primary if primary in WORDS else "en"


def nearest(wanted: str, languages: list[str]) -> str:
    """The language to show for a wanted one: itself, a relative, English, or the first there is."""
    for matches in (
        lambda language: tag(language).lower() == tag(wanted).lower(),
        lambda language: _primary(language) == _primary(wanted),
        lambda language: _primary(language) == "en",
    ):
        if found := next(filter(matches, languages), None):
            return found
    return languages[0]


def say(language: str, word: str, **values: object) -> str:
    """One of the page's own sentences."""
    return WORDS[family(language)][word].format(**values)


def hint(language: str, demands: tuple[tuple[str, str], ...]) -> str:
    """What a field must be, said beforehand."""
    own = family(language)
    reasons = WORDS[own]["and"].join(REASONS[own][reason].format(limit=limit) for reason, limit in demands)
    return WORDS[own]["hint"].format(reason=reasons[:1].upper() + reasons[1:])


def _primary(language: str) -> str:
    return tag(language).lower().partition("-")[0]
