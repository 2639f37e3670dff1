/** Conversations on their way to the harness and back, and readers for the parts of a message. */

/** @import { Message } from './types.mjs' */

/**
 * Arguments of a tool call as text.
 * @param {unknown} args
 * @returns {string}
 */
export function argsText(args) {
  return typeof args === 'string' ? args : JSON.stringify(args ?? {});
}

/**
 * Arguments of a tool call as an object; undefined for a text that is no object.
 * @param {string | undefined} text
 * @returns {Record<string, any> | undefined}
 */
export function argsObject(text) {
  try {
    const read = JSON.parse(text || '{}');
    return read !== null && typeof read === 'object' && !Array.isArray(read) ? read : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Converts conversations and keeps the framework's objects that no hook has changed.
 *
 * One message of the framework may be several messages of the protocol, such as one message for all tool results.
 * @template M
 */
export class Conversation {
  /**
   * @param {(message: M) => Message | Message[]} toWire
   * @param {(message: Message) => M} fromWire
   */
  constructor(toWire, fromWire) {
    this.one = (/** @type {M} */ message) => [toWire(message)].flat();
    this.back = fromWire;
  }

  /**
   * @param {Iterable<M>} messages
   * @returns {Message[]}
   */
  all(messages) {
    return Array.from(messages).flatMap(this.one);
  }

  /**
   * The framework's messages for what a hook returns: messages of the protocol, or indices of messages of `given`.
   * @param {M[]} given
   * @param {(Message | number)[]} wanted
   * @returns {M[]}
   */
  edited(given, wanted) {
    const sizes = given.map((message) => this.one(message).length);
    const wires = this.all(given);
    const origin = given.flatMap((message, at) => {
      const size = sizes[at];
      return Array.from({ length: size }, (_, part) => ({ message, part, size }));
    });
    const messages = [];
    for (let at = 0; at < wanted.length;) {
      const index = wanted[at];
      if (typeof index !== 'number') {
        messages.push(this.back(index));
        at += 1;
        continue;
      }
      const { message, part, size } = origin[index];
      if (part === 0 && wanted.slice(at, at + size).every((one, n) => one === index + n)) {
        messages.push(message); // whole and unchanged: the same object
        at += size;
      } else {
        messages.push(this.back(wires[index]));
        at += 1;
      }
    }
    return messages;
  }
}

/**
 * Replaces messages that were given, in their order, by their indices.
 * @param {Message[]} given
 * @param {Message[]} wanted
 * @returns {(Message | number)[]}
 */
export function indexed(given, wanted) {
  const keys = given.map(keyOf);
  let from = 0;
  return wanted.map((message) => {
    const at = keys.indexOf(keyOf(message), from);
    if (at < 0) return message;
    from = at + 1;
    return at;
  });
}

/** Absent fields and their defaults are equal on the wire. @param {any} message */
function keyOf(message) {
  return JSON.stringify(message, (_, value) => {
    if (value === null || typeof value !== 'object' || Array.isArray(value)) return value;
    const said = Object.entries(value).filter(([name, one]) => !isDefault(name, one));
    return Object.fromEntries(said.sort(([a], [b]) => (a < b ? -1 : 1)));
  });
}

/** @param {string} name @param {any} value */
function isDefault(name, value) {
  if (value === null || value === '' || (name === 'args' && value === '{}')) return true;
  return typeof value === 'object' && !Object.keys(value).length;
}
