import { DataSource, type EntityManager, type QueryRunner } from 'typeorm';
import { readErrorCode } from './error-code.ts';

type Isolation = NonNullable<Parameters<QueryRunner['startTransaction']>[0]>;
type Run<T> = (manager: EntityManager) => Promise<T>;

const DEADLOCK = '40P01';
const MAX_TRIES = 5;

/**
 * A DataSource that runs a transaction or a single statement again if PostgreSQL aborts it to end a deadlock. Bulk changes and jobs may lock
 * the same rows in different sequences. The callback of `transaction` must therefore change nothing outside the database, not even the
 * caller's objects. Only `transaction` and `query` of the DataSource itself retry: its `manager` and repositories do not.
 */
export class RetryingDataSource extends DataSource {
  override transaction<T>(run: Run<T>): Promise<T>;
  override transaction<T>(isolation: Isolation, run: Run<T>): Promise<T>;
  override transaction<T>(...args: [Run<T>] | [Isolation, Run<T>]): Promise<T> {
    return retryDeadlocks(() => (args.length === 1 ? super.transaction(args[0]) : super.transaction(...args)));
  }

  /** Statements on the connection of a transaction are not retried, because the deadlock has aborted the entire transaction. */
  override query<T>(...[sql, parameters, runner]: Parameters<DataSource['query']>): Promise<T> {
    const run = (): Promise<T> => super.query<T>(sql, parameters, runner);
    return runner === undefined ? retryDeadlocks(run) : run();
  }
}

async function retryDeadlocks<T>(run: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await run();
    } catch (error) {
      if (tries === MAX_TRIES || readErrorCode(error) !== DEADLOCK) throw error;
    }
  }
}
