// Puts a loader before loopspec, in the role loader: JSON-RPC 2.0 on standard input and output, one message per line.
// What is judged is called in loader.mjs; this file can stay as it is.

console.log = console.info = console.debug = console.error; // standard output is for messages only

const { load, name, version } = await import('./loader.mjs'); // not sooner: it may print while it is imported

// What the harness may ask.
const methods = {
  initialize({ protocolVersions }) {
    if (!protocolVersions.includes(1)) throw refused(-32010, 'this adapter speaks version 1');
    return { protocolVersion: 1, implementation: { name, version, language: 'javascript' }, roles: ['loader'] };
  },
  async 'loader/load'({ case: number, files = [], maxBytes = 0 }) {
    const read = async (path) => content(path, await ask('files/read', { case: number, path }));
    const warn = (path, message) => send({ method: 'warning', params: { case: number, path, message } });
    try {
      return { sections: await load({ files, maxBytes, read, warn }) };
    } catch (error) {
      return { error: told(error) };
    }
  },
  'case/end': () => ({}), // nothing is kept from one case to the next
  ping: () => ({}),
};

// Failures as Node knows them, and as the protocol does.
const codes = {
  not_exist: 'ENOENT',
  permission: 'EACCES',
  directory: 'EISDIR',
  not_a_directory: 'ENOTDIR',
  io: 'EIO',
  cancelled: 'ABORT_ERR',
};

function content(path, { text = '', base64, error, wrapped }) {
  if (!error) return base64 === undefined ? text : Buffer.from(base64, 'base64').toString();
  const raised = new Error(`${path}: ${error.message ?? error.kind}`);
  Object.assign(raised, { path, code: codes[error.kind], told: error });
  throw wrapped ? new Error('the backend has failed', { cause: raised }) : raised;
}

function told(error) {
  for (let cause = error; cause; cause = cause.cause) {
    if (cause.told) return cause.told;
    const kind = Object.keys(codes).find((one) => codes[one] === cause.code);
    if (kind) return { kind, message: String(error) };
  }
  return { kind: 'other', message: String(error?.stack ?? error) };
}

// -- messages ---------------------------------------------------------------------------------------------------------

const refused = (refusal, message) => Object.assign(new Error(message), { refusal });

let asked = 0;
const waiting = new Map(); // from the id of what was asked to what takes the answer

function send(message) {
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
}

function ask(method, params) {
  send({ id: `a${++asked}`, method, params });
  return new Promise((resolve) => waiting.set(`a${asked}`, resolve));
}

async function take({ id, method, params = {}, result, error }) {
  if (method === 'exit') process.exit();
  if (method === undefined) {
    if (error) throw new Error(error.message); // a program is broken: what fails as it may comes as a result
    waiting.get(id)?.(result);
    waiting.delete(id);
  } else if (id !== undefined) { // without one it is a notification, and none is of use here
    try {
      if (!Object.hasOwn(methods, method)) throw refused(-32601, `there is no method ${method}`);
      send({ id, result: await methods[method](params) });
    } catch (error) {
      send({ id, error: { code: error.refusal ?? -32603, message: String(error) } });
    }
  }
}

let begun = ''; // a line that goes on; node:readline would end one at U+2028, too
process.stdin.setEncoding('utf8').on('end', () => process.exit()).on('data', (chunk) => {
  const [first, ...lines] = chunk.split('\n');
  begun += first;
  for (const line of lines) {
    take(JSON.parse(begun));
    begun = line;
  }
});
