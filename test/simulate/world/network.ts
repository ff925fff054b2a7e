import { hash } from 'node:crypto';
import { Server, type ServerResponse } from 'node:http';
import inject, { type Response } from 'light-my-request';
import { Agent, setGlobalDispatcher, type Dispatcher } from 'undici';
import { currentPlace, rememberPlace, runAt, type Place } from './place.ts';
import type { Scheduler } from './scheduler.ts';

/** What happens to a call. `before` and `after` mean before and after it takes effect. */
export type CallFault =
  | { kind: 'none' }
  /** The connection is refused. */
  | { kind: 'refused' }
  /** The connection breaks. */
  | { kind: 'reset'; when: 'before' | 'after' }
  /** No response ever arrives. */
  | { kind: 'hang'; when: 'before' | 'after' }
  /** The connection breaks, and the call takes effect later. */
  | { kind: 'late'; milliseconds: number }
  | { kind: 'slow'; when: 'before' | 'after'; milliseconds: number }
  | { kind: 'status'; when: 'before' | 'after'; status: number; retryAfter?: number }
  /** Only half of the response arrives. */
  | { kind: 'half' };

export interface Call {
  from: Place;
  method: string;
  url: URL;
  headers: Record<string, string>;
  body: string;
}

interface NetworkOptions {
  scheduler: Scheduler;
  /** Learns the status of each response that a server gives. */
  answered: (to: Place, call: Call, status: number) => void;
  drawFault: (call: Call) => CallFault;
}

export interface Network {
  /** Calls a server directly, as the judge and the people outside do. */
  call: (url: string, method: string, body?: unknown) => Promise<{ status: number; text: string }>;
  /** Breaks the connections of a dead process. */
  disconnect: (place: Place) => void;
  close: () => void;
}

type Answer = Pick<Response, 'statusCode' | 'statusMessage' | 'headers' | 'rawPayload'>;
type Handler = Dispatcher.DispatchHandler;

let dispatchTo: ((options: Dispatcher.DispatchOptions, handler: Handler, place: Place) => boolean) | null = null;
let listenAt: ((server: Server, port: number, place: Place) => void) | null = null;

const originalDispatch = Agent.prototype.dispatch;
Agent.prototype.dispatch = function simulated(this: Agent, options, handler) {
  const place = currentPlace();
  if (dispatchTo === null || place === undefined) return originalDispatch.call(this, options, handler);
  return dispatchTo(options, handler, place);
};
// Without this, calls without a dispatcher of their own would use the one of Node.js.
setGlobalDispatcher(new Agent());

const original = { listen: Server.prototype.listen, address: Server.prototype.address, close: Server.prototype.close };
const ports = new WeakMap<Server, number>();
Server.prototype.listen = function simulated(this: Server, ...given: unknown[]): Server {
  const place = currentPlace();
  if (listenAt === null || place === undefined)
    return (original.listen as (...all: unknown[]) => Server).apply(this, given);
  listenAt(this, Number(given[0]), place);
  // Node's own listener would check the connections from now on, in real time, and would keep the server's process in memory.
  for (const listener of this.listeners('listening'))
    if (listener.name === 'setupConnectionsTracking') this.off('listening', listener as () => void);
  process.nextTick(() => this.emit('listening'));
  return this;
} as Server['listen'];
Server.prototype.address = function simulated(this: Server) {
  const port = ports.get(this);
  return port === undefined ? original.address.call(this) : { address: '127.0.0.1', family: 'IPv4', port };
};
Server.prototype.close = function simulated(this: Server, callback) {
  if (!ports.has(this)) return original.close.call(this, callback);
  for (const open of openServers) if (open.server === this) openServers.delete(open);
  process.nextTick(() => this.emit('close'));
  return this;
};

interface OpenServer {
  server: Server;
  port: number;
  place: Place;
}

const openServers = new Set<OpenServer>();

class ConnectionError extends Error {
  readonly code: string;

  constructor(code: string) {
    super(`The connection failed: ${code}`);
    this.code = code;
  }
}

/** Connects all clients and servers of this process without sockets until `close`. */
export function openNetwork({ scheduler, answered, drawFault }: NetworkOptions): Network {
  let nextPort = 5000;
  const flights = new Set<{ from: Place; to: Place; fail: () => void }>();

  function findServer(port: number): OpenServer | null {
    const all = [...openServers].filter((one) => one.port === port && one.place.isAlive);
    if (all.length <= 1) return all[0] ?? null;
    return all[scheduler.random.below(all.length)] ?? null;
  }

  /** Runs the request in its server. Never resolves if the server does not respond. */
  async function serve({ server, place }: OpenServer, call: Call): Promise<Answer> {
    const { method, url, headers, body } = call;
    // The request begins only when its promise is used, which must happen in the place of the server.
    return runAt(place, async () => {
      const answer = await inject(
        (request, response) => {
          // Time limits of sockets have no meaning here. The original would not accept a limit without a callback.
          response.setTimeout = () => response;
          server.emit('request', request, response as ServerResponse);
        },
        {
          method: method as 'POST',
          url: url.pathname + url.search,
          headers: { ...headers, host: url.host },
          payload: body,
          remoteAddress: '127.0.0.1',
        },
      );
      answered(place, call, answer.statusCode);
      return answer;
    });
  }

  dispatchTo = (options, handler, from) => {
    const inPlace = rememberPlace();
    const call: Call = {
      from,
      method: options.method,
      url: new URL(options.path, options.origin),
      headers: toHeaders(options.headers),
      body: typeof options.body === 'string' || options.body instanceof Buffer ? options.body.toString() : '',
    };
    const words = call.body === '' ? '' : ` ${hash('sha256', call.body).slice(0, 8)}`;
    const name = `${from.name} ${call.method} ${call.url.port}${call.url.pathname}${words}`;
    const flight = createFlight(handler, inPlace);
    const begin = (): void => {
      const fault: CallFault = from.isJudge ? { kind: 'none' } : drawFault(call);
      if (fault.kind !== 'none') scheduler.record(`${name} ${JSON.stringify(fault)}`);
      const target = findServer(Number(call.url.port));
      if (target === null || fault.kind === 'refused') return flight.fail(new ConnectionError('ECONNREFUSED'));
      if (!flight.start()) return;
      send(target, fault);
    };
    const later = (place: Place, go: () => void, milliseconds: number, label: string): void =>
      scheduler.hold({ place, label, notBefore: scheduler.clock.ticks() + milliseconds, go });
    const arrive = (answer: Answer): void => {
      scheduler.record(`${name} ${answer.statusCode}`);
      flight.answer(answer);
    };
    const respond = (answer: Answer, milliseconds = 0): void => {
      if (from.isJudge) flight.answer(answer);
      else later(from, () => arrive(answer), milliseconds, '');
    };
    const breakOff = (): void => later(from, () => flight.fail(new ConnectionError('ECONNRESET')), 0, `${name} breaks`);

    const send = (target: OpenServer, fault: CallFault): void => {
      const connection = { from, to: target.place, fail: breakOff };
      const run = (): Promise<Answer | null> => {
        flights.add(connection);
        return serve(target, call).finally(() => flights.delete(connection));
      };
      const runThen = (then: (answer: Answer) => void): void => void run().then((answer) => answer && then(answer));
      switch (fault.kind) {
        case 'reset':
          if (fault.when === 'before') return breakOff();
          return runThen(breakOff);
        case 'hang':
          if (fault.when === 'after') runThen(() => undefined);
          return;
        case 'late':
          breakOff();
          return later(target.place, () => void run(), fault.milliseconds, `${name} takes effect late`);
        case 'slow':
          if (fault.when === 'after') return runThen((answer) => respond(answer, fault.milliseconds));
          return later(target.place, () => runThen(respond), fault.milliseconds, `${name} arrives slowly`);
        case 'status': {
          const failed = toFailure(fault.status, fault.retryAfter);
          return fault.when === 'before' ? respond(failed) : runThen(() => respond(failed));
        }
        case 'half':
          return runThen((answer) =>
            respond({ ...answer, rawPayload: answer.rawPayload.subarray(0, answer.rawPayload.length / 2) }),
          );
        default:
          return runThen(respond);
      }
    };
    if (from.isJudge) begin();
    else scheduler.hold({ place: from, label: `${name} begins`, go: begin });
    return true;
  };

  listenAt = (server, wanted, place) => {
    const port = wanted === 0 ? nextPort++ : wanted;
    ports.set(server, port);
    openServers.add({ server, port, place });
    place.servers.add(server);
  };

  return {
    async call(url, method, body) {
      const parsed = new URL(url);
      const target = findServer(Number(parsed.port));
      if (target === null) throw new ConnectionError('ECONNREFUSED');
      const text = body === undefined ? '' : JSON.stringify(body);
      const headers: Record<string, string> = body === undefined ? {} : { 'content-type': 'application/json' };
      const answer = await serve(target, { from: target.place, method, url: parsed, headers, body: text });
      return { status: answer.statusCode, text: answer.rawPayload.toString() };
    },
    disconnect(place) {
      for (const open of openServers) if (open.place === place) openServers.delete(open);
      for (const flight of flights) {
        if (flight.to !== place) continue;
        flights.delete(flight);
        flight.fail();
      }
    },
    close() {
      dispatchTo = null;
      listenAt = null;
      openServers.clear();
    },
  };
}

/** The client's side of a call, as undici's own connections handle it. */
function createFlight(handler: Handler, inPlace: <Result>(run: () => Result) => Result) {
  let isOver = false;
  const controller = {
    aborted: false,
    paused: false,
    reason: null as Error | null,
    rawHeaders: [],
    rawTrailers: [],
    pause: () => undefined,
    resume: () => undefined,
    abort(reason: Error) {
      if (isOver) return;
      isOver = true;
      controller.aborted = true;
      controller.reason = reason;
      queueMicrotask(() => handler.onResponseError?.(controller, reason));
    },
  };
  function fail(error: Error): void {
    if (isOver) return;
    isOver = true;
    inPlace(() => handler.onResponseError?.(controller as never, error));
  }
  return {
    fail,
    /** Returns false if the caller does not want to send the call anymore. */
    start(): boolean {
      try {
        inPlace(() => handler.onRequestStart?.(controller as never, {}));
      } catch (error) {
        fail(error as Error);
      }
      return !isOver;
    },
    answer({ statusCode, statusMessage, headers, rawPayload }: Answer): void {
      if (isOver) return;
      inPlace(() => {
        handler.onResponseStart?.(controller, statusCode, headers as Record<string, string>, statusMessage);
        if (isOver) return;
        if (rawPayload.length > 0) handler.onResponseData?.(controller, rawPayload);
        if (isOver) return;
        isOver = true;
        handler.onResponseEnd?.(controller, {});
      });
    },
  };
}

function toFailure(statusCode: number, retryAfter?: number): Answer {
  const code = statusCode === 429 ? 'too_many_requests' : statusCode === 422 ? 'validation_error' : 'server_error';
  return {
    statusCode,
    statusMessage: '',
    headers: {
      'content-type': 'application/json',
      ...(retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) }),
    },
    rawPayload: Buffer.from(
      JSON.stringify({ code, message: 'The request failed.', errors: 'The request failed.', details: [] }),
    ),
  };
}

function toHeaders(given: Dispatcher.DispatchOptions['headers']): Record<string, string> {
  const headers: Record<string, string> = {};
  if (given === null || given === undefined) return headers;
  if (Array.isArray(given)) {
    for (let index = 0; index < given.length; index += 2) headers[String(given[index])] = String(given[index + 1]);
    return headers;
  }
  const entries = Symbol.iterator in given ? [...(given as Iterable<[string, unknown]>)] : Object.entries(given);
  for (const [name, value] of entries)
    if (value !== undefined) headers[name] = Array.isArray(value) ? value.join(', ') : `${value as string | number}`;
  return headers;
}
