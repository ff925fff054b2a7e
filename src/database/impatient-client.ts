import pg from 'pg';

/** What `pg` says when an answer did not come within `query_timeout`. */
const NO_ANSWER = 'Query read timeout';

/**
 * A connection that ends when an answer does not come in time. The library itself only gives up the query: the connection would go back
 * to its pool, and whoever gets it next waits behind an answer that never comes, as long as the network lets the socket stand.
 *
 * Its errors always have a listener. A pool removes its own before it hands a connection out, and a server that shuts down can report
 * that in the packet that completes the connection: without a listener, the error would end the process.
 */
export class ImpatientClient extends pg.Client {
  constructor(config?: string | pg.ClientConfig) {
    super(config);
    this.on('error', () => undefined);
    const query = this.query.bind(this) as (...parameters: unknown[]) => unknown;
    const queryOrEnd = (...parameters: unknown[]): unknown => {
      const answer = query(...parameters);
      // A callback's caller, which is the pool itself, drops the connection after any error.
      if (answer instanceof Promise) answer.catch((error: unknown) => this.#endWhenLate(error));
      return answer;
    };
    Object.assign(this, { query: queryOrEnd });
  }

  #endWhenLate(error: unknown): void {
    if (error instanceof Error && error.message === NO_ANSWER) void this.end();
  }
}
