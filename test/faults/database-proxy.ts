import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/**
 * A statement of the app: `before` the statement reaches the database, or `after` the database has run it without an error but before
 * the app gets the response. `transaction` contains all statements since BEGIN, including this statement. Outside of a transaction, `transaction` contains
 * only this statement.
 */
export interface DatabaseMoment {
  side: 'database';
  when: 'before' | 'after';
  text: string;
  transaction: string;
}

/** The type bytes of messages in the PostgreSQL protocol. */
const [QUERY, PARSE, BIND, ERROR, READY] = [0x51, 0x50, 0x42, 0x45, 0x5a];

/** `go` passes the message on. `stop` silently drops this and all later messages of the connection. `cut` also closes the connection. */
export type Verdict = 'go' | 'stop' | 'cut';

interface Proxy {
  url: string;
  close(): Promise<void>;
}

/** Starts a proxy between an app and PostgreSQL. The proxy calls `watch` before and after every statement. */
export async function startDatabaseProxy(target: string, watch: (moment: DatabaseMoment) => Verdict): Promise<Proxy> {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connect(Number(port), hostname);
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => sockets.delete(socket));
    }
    client.on('close', () => upstream.destroy());
    upstream.on('close', () => client.destroy());
    relay(client, upstream, watch);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = new URL(target);
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: url.href,
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

function relay(client: Socket, upstream: Socket, watch: (moment: DatabaseMoment) => Verdict): void {
  let text = '';
  let transaction: string[] = [];
  let [isStopped, hasFailed] = [false, false];
  /** The texts of prepared statements, by name. */
  const prepared = new Map<string, string>();

  const pass = (message: Buffer, to: Socket, when: DatabaseMoment['when'] | null): void => {
    if (isStopped) return;
    const verdict =
      when === null ? 'go' : watch({ side: 'database', when, text, transaction: transaction.join(';\n') || text });
    if (verdict === 'go') return void to.write(message);
    isStopped = true;
    if (verdict === 'cut') client.destroy();
  };

  client.on(
    'data',
    // The first message of a connection has no type.
    splitMessages(true, (message) => {
      const statement = readStatement(message, prepared);
      if (statement === null) return pass(message, upstream, null);
      if (/^(commit|rollback)/i.test(text)) transaction = [];
      [text, hasFailed] = [statement, false];
      if (transaction.length > 0 || /^(begin|start transaction)/i.test(text)) transaction.push(text);
      pass(message, upstream, 'before');
    }),
  );
  upstream.on(
    'data',
    // "Ready for query" is the last message of the response to a statement.
    splitMessages(false, (message) => {
      hasFailed ||= message[0] === ERROR;
      pass(message, client, message[0] === READY && text !== '' && !hasFailed ? 'after' : null);
    }),
  );
}

/** Returns the text of a Query message, or of the statement that a Bind message runs. A Parse message only prepares a statement. */
function readStatement(message: Buffer, prepared: Map<string, string>): string | null {
  const first = readText(message, 5);
  if (message[0] === QUERY) return first.text;
  const second = message[0] === PARSE || message[0] === BIND ? readText(message, first.end) : null;
  if (message[0] === PARSE && second) prepared.set(first.text, second.text);
  return message[0] === BIND ? (prepared.get(second?.text ?? '') ?? null) : null;
}

/** Reads a text that ends with a zero byte, and returns it with the position at which the next field starts. */
function readText(message: Buffer, start: number): { text: string; end: number } {
  const end = message.indexOf(0, start);
  return end < 0 ? { text: '', end: start } : { text: message.toString('utf8', start, end), end: end + 1 };
}

function splitMessages(hasStartup: boolean, take: (message: Buffer) => void): (chunk: Buffer) => void {
  let rest = Buffer.alloc(0);
  let isStartup = hasStartup;
  return (chunk) => {
    rest = Buffer.concat([rest, chunk]);
    for (;;) {
      const typeBytes = isStartup ? 0 : 1;
      if (rest.length < typeBytes + 4) return;
      const length = typeBytes + rest.readInt32BE(typeBytes);
      if (rest.length < length) return;
      const message = rest.subarray(0, length);
      rest = rest.subarray(length);
      isStartup = false;
      take(message);
    }
  };
}
