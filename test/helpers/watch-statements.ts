import pg from 'pg';

/** A statement that this process has sent to PostgreSQL. */
export interface SentStatement {
  text: string;
  client: object;
  /** The number of jobs that the statement took from the queue, or null for other statements. */
  jobs: number | null;
}

/** The name of the statement in `src/jobs/runner/claim-jobs.ts`. */
const TAKE = 'take_jobs';

type Query = (this: pg.Client, ...parameters: unknown[]) => unknown;

/**
 * Reports each statement of all connections that are opened from now on. Statements that take jobs are reported when their result
 * arrives.
 */
export function watchStatements(report: (sent: SentStatement) => void): void {
  const prototype = pg.Client.prototype as unknown as { query: Query };
  const { query } = prototype;
  prototype.query = function (this: pg.Client, ...parameters) {
    const [first] = parameters;
    const config = first as { name?: string; text?: string } | null;
    const text = typeof first === 'string' ? first : String(config?.text);
    const done = parameters.at(-1);
    // The queue takes jobs through the pool, which passes a callback.
    if (typeof first === 'string' || config?.name !== TAKE || typeof done !== 'function')
      report({ text, client: this, jobs: null });
    else
      parameters[parameters.length - 1] = (error: unknown, result?: pg.QueryResult<{ jobs: unknown[] | null }>) => {
        report({ text, client: this, jobs: result?.rows[0]?.jobs?.length ?? 0 });
        (done as (error: unknown, result: unknown) => void)(error, result);
      };
    return query.apply(this, parameters);
  };
}
