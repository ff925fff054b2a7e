/** Runs SQL. A runner with `writeLater` can also collect SQL and run it later, together with its other writes. */
export interface StatementRunner {
  query(sql: string, parameters?: unknown[]): Promise<unknown>;
  writeLater?: (text: string, values: unknown[], options: { isOnce?: boolean }) => Promise<void>;
}

/**
 * Runs SQL whose result is not needed: with the next write if the runner collects its writes, otherwise immediately. The SQL must not read
 * anything that the same write changes. `isOnce`: running the SQL a second time would change nothing.
 */
export async function writeLater(
  runner: StatementRunner,
  text: string,
  values: unknown[],
  options: { isOnce?: boolean } = {},
): Promise<void> {
  if (runner.writeLater) await runner.writeLater(text, values, options);
  else await runner.query(text, values);
}
