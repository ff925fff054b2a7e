/** What runs SQL, or collects it for the statement that it writes everything with. */
export interface StatementRunner {
  query(sql: string, parameters?: unknown[]): Promise<unknown>;
  writeLater?: (text: string, values: unknown[], options: { isOnce?: boolean }) => Promise<void>;
}

/**
 * Runs SQL whose result nobody needs: with the next write where the runner collects its writes, else at once. The SQL must read nothing
 * that the same write changes. `isOnce`: running it a second time would change nothing.
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
