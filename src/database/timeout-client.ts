import pg from 'pg';

/** The error that `pg` reports when no response arrives within `query_timeout`. */
const TIMEOUT_MESSAGE = 'Query read timeout';

/**
 * A connection that closes if a response does not arrive in time. The library only abandons the query: the connection would return to its
 * pool, and its next user would wait behind a response that never arrives.
 *
 * The connection always has an error listener. A pool removes its own listener before it hands out a connection. A server that is shutting
 * down can report an error together with the message that completes the connection. Without a listener, the error would end the process.
 */
export class TimeoutClient extends pg.Client {
  constructor(config?: string | pg.ClientConfig) {
    super(config);
    this.on('error', () => undefined);
    const query = this.query.bind(this) as (...parameters: unknown[]) => unknown;
    const queryOrEnd = (...parameters: unknown[]): unknown => {
      const answer = query(...parameters);
      // If there is a callback, the caller is the pool itself, which drops the connection after any error.
      if (answer instanceof Promise) answer.catch((error: unknown) => this.#endIfTimedOut(error));
      return answer;
    };
    Object.assign(this, { query: queryOrEnd });
  }

  #endIfTimedOut(error: unknown): void {
    if (error instanceof Error && error.message === TIMEOUT_MESSAGE) void this.end();
  }
}
