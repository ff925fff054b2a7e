import { Agent, request } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';

/** A request as it is sent. With `head`, the bytes of the head and body are sent unchanged, even if they are invalid. */
export interface Shot {
  method: string;
  path: string;
  headers: Record<string, string>;
  body: Buffer | null;
  head: Buffer | null;
}

export interface Answer {
  /** 0 if the server closed the connection without a response. */
  status: number;
  /** The status line, headers and body. */
  text: string;
  retryAfterSeconds: number | null;
}

/** Longer than any time limit of the server, even on a busy machine. */
const PATIENCE_MS = 180_000;
const NO_ANSWER: Answer = { status: 0, text: '', retryAfterSeconds: null };

/** Sends requests to one port over a few kept connections. */
export function openSender(port: number, atOnce: number) {
  const agent = new Agent({ keepAlive: true, maxSockets: atOnce });
  return {
    send: (shot: Shot): Promise<Answer> => (shot.head === null ? sendValid(agent, port, shot) : sendRaw(port, shot)),
    close: () => agent.destroy(),
  };
}

/** The server may close a connection before it has read everything. */
function isConnectionClosed(error: NodeJS.ErrnoException): boolean {
  return error.code === 'ECONNRESET' || error.code === 'EPIPE';
}

async function sendValid(agent: Agent, port: number, { method, path, headers, body }: Shot): Promise<Answer> {
  const sent = request({ agent, host: '127.0.0.1', port, method, path, headers, timeout: PATIENCE_MS });
  sent.on('timeout', () => sent.destroy(new Error('the server did not answer in time')));
  const answered = new Promise<Answer>((resolve, reject) => {
    sent.on('error', (error) => (isConnectionClosed(error) ? resolve(NO_ANSWER) : reject(error)));
    sent.on('response', (response) => {
      const { statusCode = 0, rawHeaders } = response;
      text(response).then((content) => {
        const retryAfter = Number(response.headers['retry-after'] ?? Number.NaN);
        const retryAfterSeconds = Number.isNaN(retryAfter) ? null : retryAfter;
        resolve({ status: statusCode, text: `${rawHeaders.join('\n')}\n\n${content}`, retryAfterSeconds });
      }, reject);
    });
  });
  sent.end(body ?? undefined);
  return answered;
}

/** Sends bytes over a separate connection, ends the sending side and reads until the server closes the connection. */
async function sendRaw(port: number, { head, body }: Shot): Promise<Answer> {
  const socket = connect(port, '127.0.0.1');
  socket.setTimeout(PATIENCE_MS, () => socket.destroy(new Error('the server did not answer in time')));
  const received: Buffer[] = [];
  return new Promise((resolve, reject) => {
    socket.on('data', (chunk: Buffer) => void received.push(chunk));
    socket.on('error', (error) => {
      if (!isConnectionClosed(error)) reject(error);
    });
    socket.on('close', () => {
      const content = Buffer.concat(received).toString('latin1');
      resolve({
        status: Number(/^HTTP\/1\.1 (\d{3})/.exec(content)?.[1] ?? 0),
        text: content,
        retryAfterSeconds: null,
      });
    });
    socket.end(Buffer.concat([head ?? Buffer.alloc(0), body ?? Buffer.alloc(0)]));
  });
}
