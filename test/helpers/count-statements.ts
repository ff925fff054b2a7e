import pg from 'pg';

/** What this process asked of PostgreSQL. */
export interface Statements {
  statements: number;
  /** Transactions, and statements outside of one. */
  commits: number;
  /** Jobs that were taken from the queue. */
  jobs: number;
}

type Query = (this: pg.Client, ...parameters: unknown[]) => unknown;
interface Config {
  name?: string;
  text?: string;
}

const BEGINS = /^(begin|start transaction)\b/i;
const ENDS = /^(commit|rollback)\b/i;

/**
 * Counts the statements of all connections that are made from now on, until this file's tests end. Looks at the job queue that find nothing
 * do not count.
 */
export function countStatements(): Readonly<Statements> {
  const counted = { statements: 0, commits: 0, jobs: 0 };
  const prototype = pg.Client.prototype as unknown as { query: Query };
  const { query } = prototype;
  const inside = new WeakSet<pg.Client>();
  prototype.query = function (this: pg.Client, ...parameters) {
    const [first] = parameters;
    const { name, text = '' } = typeof first === 'string' ? ({ text: first } as Config) : (first as Config);
    const count = (): void => {
      counted.statements += 1;
      if (BEGINS.test(text)) inside.add(this);
      else if (ENDS.test(text)) inside.delete(this);
      if (!inside.has(this)) counted.commits += 1;
    };
    const done = parameters.at(-1);
    if (name !== 'take_jobs' || typeof done !== 'function') count();
    else
      parameters[parameters.length - 1] = (error: unknown, result?: pg.QueryResult<{ jobs: unknown[] | null }>) => {
        const jobs = result?.rows[0]?.jobs?.length ?? 0;
        counted.jobs += jobs;
        if (jobs > 0) count();
        (done as (error: unknown, result: unknown) => void)(error, result);
      };
    return query.apply(this, parameters);
  };
  return counted;
}
