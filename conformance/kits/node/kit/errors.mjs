/** Errors in both directions: the harness's own, the kinds that the protocol knows, and the chain of causes. */

/** @import { WireError } from './types.mjs' */

/** An error that the harness scripted. The error must survive the way through the implementation. */
export class ScriptedError extends Error {
  /** @param {WireError} wire */
  constructor(wire) {
    super(wire.message || wire.code || wire.kind);
    this.name = wire.kind === 'crash' ? 'ScriptedCrash' : 'ScriptedError';
    this.wire = wire;
  }
}

/** A tool or a hook interrupts the run. Raise the framework's own interrupt; `state` returns to it on resume. */
export class Interruption extends Error {
  /** @param {{ info?: any, state?: any }} interrupt */
  constructor({ info = null, state = null }) {
    super('the tool or the hook interrupts the run');
    this.info = info;
    this.state = state;
  }
}

/** A store cannot store a file under this path. Throw from `open` or `write`; a store never changes the path. */
export class CannotStore extends Error {
  /** @param {string} path @param {{ cause?: unknown }} options */
  constructor(path, options = {}) {
    super(`the store cannot store a file under the path ${JSON.stringify(path)}`, options);
  }
}

/** The harness has ended the case: everything that still runs in the case ends with this error. */
export class CaseOver extends Error {}

/** A request that the framework has no place for, such as a run-local value. */
export class Unsupported extends Error {}

/** Node's codes of errors, by the kinds of the protocol. */
const CODES = {
  not_exist: 'ENOENT',
  permission: 'EACCES',
  directory: 'EISDIR',
  not_a_directory: 'ENOTDIR',
  io: 'EIO',
  cancelled: 'ABORT_ERR',
};

/**
 * The chain of causes from the outside. An `AggregateError` has several causes.
 * @param {any} error
 * @param {(error: any) => any[]} further causes that a framework holds elsewhere
 * @returns {any[]}
 */
export function chain(error, further = () => []) {
  /** @type {any[]} */
  const found = [];
  const waiting = [error];
  while (waiting.length) {
    const one = waiting.shift();
    if (one === undefined || one === null || found.includes(one)) continue;
    found.push(one);
    if (typeof one !== 'object') continue;
    waiting.push(one.cause, ...(Array.isArray(one.errors) ? one.errors : []), ...further(one));
  }
  return found;
}

/**
 * An error as the protocol describes errors. An error of the harness wins anywhere in the chain: a framework may wrap a
 * tool's failure in a class that also stands for its own failures.
 * @param {any} error
 * @param {Map<Function | string, string>} errorKinds kinds of the framework's own errors, by class or by name
 * @param {(error: any) => any[]} further causes that a framework holds elsewhere
 * @returns {WireError}
 */
export function describe(error, errorKinds = new Map(), further = () => []) {
  const causes = chain(error, further);
  const scripted = causes.find((one) => one instanceof ScriptedError);
  if (scripted) return scripted.wire;
  const message = String(error?.stack ?? error);
  for (const one of causes) {
    for (const [type, kind] of errorKinds) {
      if (typeof type === 'string' ? one.name === type : one instanceof type) return { kind, message };
    }
    const code = one.name === 'AbortError' ? CODES.cancelled : one.code;
    const known = Object.entries(CODES).find(([, known]) => known === code);
    if (known) return { kind: known[0], message };
  }
  return { kind: 'other', message };
}
