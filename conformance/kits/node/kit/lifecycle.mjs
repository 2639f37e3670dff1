/** The lifecycle of an adapter in any role: lines on standard input and output, and the handshake. */

import { NO_VERSION, Peer, Refusal } from './peer.mjs';

const VERSION = 3; // of the protocol

/**
 * Serves on standard input and output until the input ends, or the harness leaves.
 * @param {(peer: Peer) => { take(message: any): void }} serverOf makes what takes each message; `take` must not wait
 */
export function listen(serverOf) {
  const write = process.stdout.write.bind(process.stdout);
  // Standard output is for messages only: an implementation may print.
  console.log = console.info = console.debug = console.error;
  // A promise that an implementation abandons must not end the adapter. Node prints the error and continues.
  process.on('unhandledRejection', (error) =>
    console.error('a promise was rejected and nothing handled the error:', error),
  );
  const server = serverOf(new Peer((line) => void write(line)));
  let partial = ''; // the beginning of a line; node:readline would also split lines at U+2028
  process.stdin.setEncoding('utf8');
  process.stdin.on('end', () => process.exit());
  process.stdin.on('data', (/** @type {string} */ chunk) => {
    const [first, ...lines] = chunk.split('\n');
    partial += first;
    for (const line of lines) {
      const message = JSON.parse(partial);
      if (message.method === 'exit') process.exit();
      server.take(message);
      partial = line;
    }
  });
}

/**
 * The answer to `initialize`.
 * @param {{ protocolVersions: number[] }} offered
 * @param {string} role
 * @param {{ name: string, version: string, capabilities: string[], postures?: object }} declared
 */
export function initialized({ protocolVersions }, role, { name, version, capabilities, postures }) {
  if (!protocolVersions.includes(VERSION)) throw new Refusal(NO_VERSION, `this adapter speaks version ${VERSION}`);
  const implementation = { name, version, language: 'javascript' };
  return { protocolVersion: VERSION, implementation, roles: [role], capabilities, postures };
}
