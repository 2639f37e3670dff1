"use strict";
// What is wrong with a value, by a JSON Schema: the keywords that schemas.py lets through without a note.

const UNSET = Symbol("unset");
const FORMATS = {
  date: /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/,
  time: /^([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d+)?(Z|[+-]\d\d:\d\d)?$/,
  "date-time": /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/,
  duration: /^-?P(?=.)(\d+W|(\d+Y)?(\d+M)?(\d+D)?(T(?=.)(\d+H)?(\d+M)?(\d+(\.\d+)?S)?)?)$/,
  uuid: /^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i,
};
const BASE64 = /^([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

function compiled(pattern) {
  try {
    return new RegExp(pattern, "u");
  } catch {
    return null;
  }
}

const KINDS = {
  string: (value) => typeof value === "string",
  number: (value) => typeof value === "number",
  integer: (value) => Number.isInteger(value),
  boolean: (value) => typeof value === "boolean",
  null: (value) => value === null,
  array: Array.isArray,
  object: (value) => value !== null && typeof value === "object" && !Array.isArray(value),
};

// Equal JSON has an equal text here, whatever the order of its keys.
function canonical(value) {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
  if (!KINDS.object(value)) return JSON.stringify(value);
  return `{${Object.keys(value).sort().map((key) => `${JSON.stringify(key)}:${canonical(value[key])}`).join()}}`;
}

class Check {
  constructor(root, wrong) {
    this.root = root;
    this.wrong = wrong;
    this.depth = 0;
  }

  check(schema, value, path) {
    if (schema === true || schema === undefined || value === UNSET) return; // of what is not read, it is known
    if (schema === false) return void this.wrong(path, "not");
    if (this.depth > 200) return; // the schema refers to itself: each level was checked
    this.depth += 1;
    if (schema.$ref !== undefined) this.check(this.resolve(schema.$ref), value, path);
    if (this.fitsType(schema, value, path)) {
      this.values(schema, value, path);
      if (typeof value === "number") this.numbers(schema, value, path);
      if (typeof value === "string") this.strings(schema, value, path);
      if (Array.isArray(value)) this.arrays(schema, value, path);
      else if (KINDS.object(value)) this.objects(schema, value, path);
      this.combined(schema, value, path);
    }
    this.depth -= 1;
  }

  errorsOf(schema, value, path = []) {
    const errors = [];
    const inner = new Check(this.root, (...error) => errors.push(error));
    inner.depth = this.depth;
    inner.check(schema, value, path);
    return errors;
  }

  resolve(reference) {
    const steps = decodeURIComponent(reference).split("/").slice(1);
    return steps.reduce((found, step) => found[step.replaceAll("~1", "/").replaceAll("~0", "~")], this.root);
  }

  fitsType(schema, value, path) {
    const kinds = schema.type === undefined ? [] : [schema.type].flat();
    const fits = !kinds.length || kinds.some((kind) => KINDS[kind](value));
    if (!fits) this.wrong(path, "type", kinds);
    return fits;
  }

  values(schema, value, path) {
    const same = (other) => canonical(other) === canonical(value);
    if (schema.enum && !schema.enum.some(same)) this.wrong(path, "enum", schema.enum.map(shown).join(", "));
    if ("const" in schema && !same(schema.const)) this.wrong(path, "const", shown(schema.const));
  }

  numbers(schema, value, path) {
    const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema;
    if (value < minimum) this.wrong(path, "minimum", minimum);
    if (value > maximum) this.wrong(path, "maximum", maximum);
    if (value <= exclusiveMinimum) this.wrong(path, "exclusiveMinimum", exclusiveMinimum);
    if (value >= exclusiveMaximum) this.wrong(path, "exclusiveMaximum", exclusiveMaximum);
    const times = value / multipleOf;
    if (Math.abs(times - Math.round(times)) > 1e-9) this.wrong(path, "multipleOf", multipleOf);
  }

  strings(schema, value, path) {
    const length = [...value].length;
    if (length < schema.minLength) this.wrong(path, "minLength", schema.minLength);
    if (length > schema.maxLength) this.wrong(path, "maxLength", schema.maxLength);
    if (schema.pattern !== undefined && compiled(schema.pattern)?.test(value) === false) this.wrong(path, "pattern", schema.pattern);
    if (Object.hasOwn(FORMATS, schema.format ?? "") && !FORMATS[schema.format].test(value)) this.wrong(path, "format", schema.format);
    if (schema.contentEncoding === "base64" && !BASE64.test(value)) this.wrong(path, "contentEncoding", "base64");
  }

  arrays(schema, value, path) {
    const first = schema.prefixItems ?? [];
    if (value.length < schema.minItems) this.wrong(path, "minItems", schema.minItems);
    if (value.length > schema.maxItems) this.wrong(path, "maxItems", schema.maxItems);
    const read = value.filter((item) => item !== UNSET);
    if (schema.uniqueItems && new Set(read.map(canonical)).size < read.length) this.wrong(path, "uniqueItems");
    value.forEach((item, place) => this.check(place < first.length ? first[place] : schema.items, item, [...path, place]));
  }

  objects(schema, value, path) {
    const properties = schema.properties ?? {};
    const patterns = Object.entries(schema.patternProperties ?? {}).map(([name, part]) => [compiled(name), part]);
    const names = Object.keys(value);
    for (const name of schema.required ?? []) if (!Object.hasOwn(value, name)) this.wrong([...path, name], "needs", name);
    if (names.length < schema.minProperties) this.wrong(path, "minProperties", schema.minProperties);
    if (names.length > schema.maxProperties) this.wrong(path, "maxProperties", schema.maxProperties);
    for (const name of names) {
      const matching = patterns.filter(([pattern]) => pattern?.test(name)).map(([, part]) => part);
      const parts = Object.hasOwn(properties, name) ? [properties[name], ...matching] : matching;
      if (parts.length) for (const part of parts) this.check(part, value[name], [...path, name]);
      else if (schema.additionalProperties === false) this.wrong(path, "without", name);
      else this.check(schema.additionalProperties, value[name], [...path, name]);
      if (schema.propertyNames !== undefined && this.errorsOf(schema.propertyNames, name).length) this.wrong(path, "without", name);
    }
  }

  combined(schema, value, path) {
    for (const part of schema.allOf ?? []) this.check(part, value, path);
    for (const key of ["anyOf", "oneOf"]) {
      if (!schema[key]) continue;
      const found = schema[key].map((part) => this.errorsOf(part, value, path));
      const fitting = found.filter((errors) => !errors.length).length;
      if (fitting === 1 || (fitting && key === "anyOf")) continue;
      // What is not null is meant to be of the only other kind.
      const meant = found.filter((_, place) => schema[key][place].type !== "null");
      if (!fitting && meant.length === 1) for (const error of meant[0]) this.wrong(...error);
      else this.wrong(path, key);
    }
    if (schema.not !== undefined && !this.errorsOf(schema.not, value).length) this.wrong(path, "not");
    if (schema.if !== undefined) this.check(this.errorsOf(schema.if, value).length ? schema.else : schema.then, value, path);
  }
}
