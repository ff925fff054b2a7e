import { findingsOf, type Finding } from '../finding.ts';

const { ok, warning, error } = findingsOf('keys');

export interface KeyFacts {
  /** The sentence of `findKeyProblem` about the secrets that Platen needs to start, or null. */
  problem: string | null;
  columns: readonly ColumnFacts[];
  oldKeys: number;
}

export interface ColumnFacts {
  /** The table and the column, such as `print_orders.body_encrypted`. */
  name: string;
  checked: number;
  unreadable: number;
  /** Whether all values were checked. */
  isComplete: boolean;
}

/** Finds encrypted values that the configured keys cannot decrypt. */
export function findKeyProblems({ problem, columns, oldKeys }: KeyFacts): Finding[] {
  const found: Finding[] = [];
  if (problem !== null)
    found.push(
      error({ subject: 'ENCRYPTION_KEY', message: problem, remedy: 'Set the keys, and restart all processes.' }),
    );
  for (const { name, checked, unreadable } of columns)
    if (unreadable > 0)
      found.push(
        error({
          subject: name,
          message: `${unreadable} of ${checked} encrypted values cannot be read with the configured keys.`,
          remedy: 'Add the key that encrypted them to ENCRYPTION_KEYS_OLD, or restore the values from a backup.',
        }),
      );
  const partial = columns.filter(({ isComplete }) => !isComplete);
  for (const { name, checked } of partial)
    found.push(
      warning({
        subject: name,
        message: `Only the newest ${checked} values were checked, because checking all of them would take too long.`,
        remedy: oldKeys > 0 ? 'Keep ENCRYPTION_KEYS_OLD.' : 'If ENCRYPTION_KEY has never changed, do nothing.',
      }),
    );
  if (found.length > 0) return found;
  const total = columns.reduce((sum, { checked }) => sum + checked, 0);
  return [ok({ subject: 'ENCRYPTION_KEY', message: `The configured keys can read all encrypted values (${total}).` })];
}
