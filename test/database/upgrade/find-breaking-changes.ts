/** Changes to the database that break the previous version of the code while it is still running. */
const BREAKING: readonly [what: string, pattern: RegExp][] = [
  ['removes a table, a column or a function', /\bdrop\s+(table|column|function|view|type)\b/i],
  ['renames something', /\brename\b/i],
  [
    'removes a constraint or index that the previous code may use in "on conflict"',
    /\bdrop\s+(constraint\s+\w+_(pkey|key)|index)\b/i,
  ],
  ['changes the type of a column', /\balter\s+column\s+\w+\s+(set\s+data\s+)?type\b/i],
  ['requires a column that was not required', /\balter\s+column\s+\w+\s+set\s+not\s+null\b/i],
  [
    'adds a column that the previous code would have to fill',
    /\badd\s+column\s+\w+\s+(?![^,;]*\bdefault\b)[^,;]*\bnot\s+null\b/i,
  ],
];

/** Returns what in the SQL breaks the previous version. A renamed index breaks nothing, nor does a renamed table whose old name is a view. */
export function findBreakingChanges(sql: string): string[] {
  const kept = sql
    .replaceAll(/\balter index \w+ rename to \w+/g, '')
    .replaceAll(/\balter table (\w+) rename to \w+/g, (rename, table: string) =>
      new RegExp(`\\bcreate view ${table} as\\b`).test(sql) ? '' : rename,
    );
  return BREAKING.filter(([, pattern]) => pattern.test(kept)).map(([what]) => what);
}
