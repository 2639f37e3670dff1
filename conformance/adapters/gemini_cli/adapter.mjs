// Connects a loader with loopspec, in the role loader: JSON-RPC 2.0 on standard input and output, one message per line.
// loader.mjs calls the loader; this file can stay as it is.

console.log = console.info = console.debug = console.error; // standard output is for messages only

const { load, name, version } = await import('./loader.mjs'); // not earlier: its import may print

const VERSION = 3; // of the protocol

// The methods that the harness calls.
const methods = {
  initialize({ protocolVersions }) {
    if (!protocolVersions.includes(VERSION)) throw refused(-32010, `this adapter speaks version ${VERSION}`);
    return { protocolVersion: VERSION, implementation: { name, version, language: 'javascript' }, roles: ['loader'] };
  },
  async 'loader/load'({ case: number, files = [], maxBytes = 0 }) {
    const asked = (filePath) => request('files/read', { case: number, request: { filePath } });
    const read = async (path) => content(path, await asked(path));
    const warn = (path, message) => send({ method: 'warning', params: { case: number, path, message } });
    try {
      return { value: { sections: await load({ files, maxBytes, read, warn }) } };
    } catch (error) {
      return { error: describe(error) };
    }
  },
  'case/end': () => ({}), // this adapter keeps no state of a case
  ping: () => ({}),
};

// The kinds of errors of the protocol, as Node's error codes.
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
  Object.assign(raised, { path, code: codes[error.kind], described: error });
  throw wrapped ? new Error('the backend failed', { cause: raised }) : raised;
}

function describe(error) {
  for (let cause = error; cause; cause = cause.cause) {
    if (cause.described) return cause.described;
    const kind = Object.keys(codes).find((one) => codes[one] === cause.code);
    if (kind) return { kind, message: String(error) };
  }
  return { kind: 'other', message: String(error?.stack ?? error) };
}

// -- messages ---------------------------------------------------------------------------------------------------------

const refused = (refusal, message) => Object.assign(new Error(message), { refusal });

let requests = 0;
const waiting = new Map(); // from the id of a request to the function that takes its answer

function send(message) {
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
}

function request(method, params) {
  send({ id: `a${++requests}`, method, params });
  return new Promise((resolve) => waiting.set(`a${requests}`, resolve));
}

async function take({ id, method, params = {}, result, error }) {
  if (method === 'exit') process.exit();
  if (method === undefined) {
    if (error) throw new Error(error.message); // a program is broken: failures come as results
    waiting.get(id)?.(result);
    waiting.delete(id);
  } else if (id !== undefined) { // a message without an id is a notification, which this adapter ignores
    try {
      if (!Object.hasOwn(methods, method)) throw refused(-32601, `there is no method ${method}`);
      send({ id, result: await methods[method](params) });
    } catch (error) {
      send({ id, error: { code: error.refusal ?? -32603, message: String(error) } });
    }
  }
}

let partial = ''; // the beginning of a line; node:readline would also split lines at U+2028
process.stdin.setEncoding('utf8').on('end', () => process.exit()).on('data', (chunk) => {
  const [first, ...lines] = chunk.split('\n');
  partial += first;
  for (const line of lines) {
    take(JSON.parse(partial));
    partial = line;
  }
});
