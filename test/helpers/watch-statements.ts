import pg from 'pg';

/** A statement that this process has sent to PostgreSQL. */
export interface SentStatement {
  text: string;
  /** The values of the parameters `$1`, `$2` and so on. */
  values: readonly unknown[];
  /** Null if the statement has no name. */
  name: string | null;
  client: object;
  /** The number of jobs that the statement took from the queue, or null for other statements. */
  jobs: number | null;
}

/** The name of the statement in `src/jobs/runner/claim-jobs.ts`. */
const TAKE = 'take_jobs';

type Query = (this: pg.Client, ...parameters: unknown[]) => unknown;

const reporters = new Set<(sent: SentStatement) => void>();

/**
 * Reports each statement of this process from now on, until the returned function is called. Statements that take jobs are reported when
 * their result arrives.
 */
export function watchStatements(report: (sent: SentStatement) => void): () => void {
  reporters.add(report);
  return () => void reporters.delete(report);
}

/** Watches all connections that are opened from now on. A connection keeps the function that it finds when it is opened. */
function watchClients(): void {
  const prototype = pg.Client.prototype as unknown as { query: Query };
  const { query } = prototype;
  const reportAll = (sent: SentStatement): void => reporters.forEach((report) => report(sent));
  prototype.query = function (this: pg.Client, ...parameters) {
    const [first, second] = parameters;
    const config = first as { name?: string; text?: string; values?: unknown[] } | null;
    const text = typeof first === 'string' ? first : String(config?.text);
    const values = Array.isArray(second) ? second : ((typeof first === 'string' ? null : config?.values) ?? []);
    const name = typeof first === 'string' ? null : (config?.name ?? null);
    const done = parameters.at(-1);
    // The queue takes jobs through the pool, which passes a callback.
    if (name !== TAKE || typeof done !== 'function') reportAll({ text, values, name, client: this, jobs: null });
    else
      parameters[parameters.length - 1] = (error: unknown, result?: pg.QueryResult<{ jobs: unknown[] | null }>) => {
        reportAll({ text, values, name, client: this, jobs: result?.rows[0]?.jobs?.length ?? 0 });
        (done as (error: unknown, result: unknown) => void)(error, result);
      };
    return query.apply(this, parameters);
  };
}

watchClients();
