import { mkdtemp, rm } from 'node:fs/promises';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPrintService } from '../../../sandbox/print/start.ts';
import { currentClock, useClock } from '../../helpers/eventually.ts';
import { openVirtualClock, type VirtualClock } from '../../helpers/virtual-clock.ts';

const KEY = 'sandbox-key';
const WAIT_MS = 20_000;
const STEP_MS = 50;

export interface Answer {
  status: number;
  body: unknown;
  contentType: string;
}

/** Opens the clock of all stand-ins. */
export async function openClock(): Promise<void> {
  useClock(await openVirtualClock(null));
}

function getClock(): VirtualClock {
  const clock = currentClock();
  if (clock === null) throw new Error('the clock is not open');
  return clock;
}

/** Starts a stand-in whose orders advance only through the control endpoints. Returns functions that call it. */
export async function startStandIn() {
  const home = await mkdtemp(join(tmpdir(), 'platen-interface-'));
  const clock = getClock();
  const service = await startPrintService({ clock, home, port: 0, advanceSeconds: null, extended: true });

  async function ask(method: string, path: string, body?: unknown, key: string | null = KEY): Promise<Answer> {
    const response = await fetch(service.url + path, {
      method,
      headers: { 'content-type': 'application/json', ...(key === null ? {} : { 'x-api-key': key }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    const contentType = response.headers.get('content-type') ?? '';
    return { status: response.status, contentType, body: contentType.includes('json') ? JSON.parse(text) : text };
  }

  return {
    url: service.url,
    ask,
    /** Returns the body of a 2xx response. Throws for any other response. */
    async get(method: string, path: string, body?: unknown): Promise<unknown> {
      const answer = await ask(method, path, body);
      if (answer.status < 300) return answer.body;
      throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    },
    async close(): Promise<void> {
      await service.close();
      await rm(home, { recursive: true, force: true });
    },
  };
}
export type StandIn = Awaited<ReturnType<typeof startStandIn>>;

/** Starts a local receiver that accepts events. */
export async function startReceiver() {
  const received: unknown[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      received.push(JSON.parse(Buffer.concat(chunks).toString('utf8')));
      response.writeHead(200).end();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}/events`,
    received,
    close(): void {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** Lets time pass until `isDone` accepts the value. Throws after twenty seconds. */
export async function waitFor<Value>(
  read: () => Promise<Value> | Value,
  isDone: (value: Value) => boolean,
): Promise<Value> {
  const clock = getClock();
  for (const end = clock.ticks() + WAIT_MS; ;) {
    await clock.settle();
    const value = await read();
    if (isDone(value)) return value;
    if (clock.ticks() > end) throw new Error(`timed out, last value ${JSON.stringify(value)?.slice(0, 300)}`);
    await clock.pass(STEP_MS);
  }
}

/** Maps the entries with `work`, at most `atOnce` concurrently, and preserves their order. */
export async function mapConcurrently<Entry, Value>(
  entries: readonly Entry[],
  atOnce: number,
  work: (entry: Entry) => Promise<Value>,
): Promise<Value[]> {
  const values: Value[] = [];
  for (let start = 0; start < entries.length; start += atOnce) {
    values.push(...(await Promise.all(entries.slice(start, start + atOnce).map(work))));
  }
  return values;
}
