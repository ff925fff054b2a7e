import type { EventEmitter } from 'node:events';
import pg from 'pg';
import { countIfDiskFull } from './error-code.ts';

/** The error that `pg` reports when no response arrives within `query_timeout`. */
const TIMEOUT_MESSAGE = 'Query read timeout';

const LIMITS = ['statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout'] as const;

/**
 * A connection that closes if a response does not arrive in time. The library only abandons the query: the connection would return to its
 * pool, and its next user would wait behind a response that never arrives.
 *
 * The connection always has an error listener. A pool removes its own listener before it hands out a connection. A server that is shutting
 * down can report an error together with the message that completes the connection. Without a listener, the error would end the process.
 *
 * The server's limits are set by a statement and not as parameters of the connection, because connection poolers refuse those.
 */
export class TimeoutClient extends pg.Client {
  readonly #limits: string;

  constructor(config: pg.ClientConfig = {}) {
    super({ ...config, ...Object.fromEntries(LIMITS.map((name) => [name, undefined])) });
    const given = LIMITS.filter((name) => config[name] !== undefined);
    this.#limits = given.map((name) => `set ${name} = ${Number(config[name])}`).join('; ');
    this.on('error', () => undefined);
    // Every error of the server arrives here, for the pool and for other callers.
    (this as unknown as { connection: EventEmitter }).connection.on('errorMessage', countIfDiskFull);
    const query = this.query.bind(this) as (...parameters: unknown[]) => unknown;
    const queryOrEnd = (...parameters: unknown[]): unknown => {
      const answer = query(...parameters);
      // If there is a callback, the caller is the pool itself, which drops the connection after any error.
      if (answer instanceof Promise) answer.catch((error: unknown) => this.#endIfTimedOut(error));
      return answer;
    };
    Object.assign(this, { query: queryOrEnd });
  }

  override connect(): Promise<this>;
  override connect(callback: ((error: Error) => void) | ((error: null, client: pg.Client) => void)): void;
  override connect(callback?: (error: never, client: pg.Client) => void): Promise<this> | void {
    const connected = this.#connectWithLimits();
    if (callback === undefined) return connected;
    const call = callback as (error: unknown, client?: pg.Client) => void;
    connected.then(
      () => call(null, this),
      (error: unknown) => call(error),
    );
  }

  async #connectWithLimits(): Promise<this> {
    await super.connect();
    if (this.#limits === '') return this;
    try {
      await this.query(this.#limits);
      return this;
    } catch (error) {
      // The pool would not end a connection that it did not get.
      void this.end().catch(() => undefined);
      throw error;
    }
  }

  #endIfTimedOut(error: unknown): void {
    if (error instanceof Error && error.message === TIMEOUT_MESSAGE) void this.end();
  }
}
