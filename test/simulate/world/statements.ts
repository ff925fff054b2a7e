import type pg from 'pg';

/** Limits of the server use the machine's time, so they do not reach it. */
export const LIMITS =
  /^set (local )?(statement_timeout|lock_timeout|idle_in_transaction_session_timeout|tcp_keepalives_idle)\b/;
/** Statements that affect nothing but their own session. */
export const OWN = /^\s*(begin|start transaction|set|listen|savepoint)\b/i;
/** Statements that may send a notice. Claiming jobs sends none. */
export const NOTIFIES = /^(?!\s*with tasks as)[^]*(graphile_worker|pg_notify)/;
/** What Platen asks each connection for the process ID that the server named when it accepted the connection. */
export const WHOSE = 'select pg_backend_pid() as session';
const PLANNED = /^\s*(with|select|insert|update|delete)\b/i;
/** Whom a connection waits for, directly and indirectly. */
export const WAITS = `
  with recursive chain (pid) as (
    select unnest(pg_blocking_pids($1)) union select unnest(pg_blocking_pids(pid)) from chain)
  select coalesce(bool_or(pid = $1), false) as circles,
    coalesce(bool_or(a.state = 'active' and pg_blocking_pids(pid) = '{}'), false) as moves
  from chain left join pg_stat_activity a using (pid) having count(*) > 0`;

const names = new Map<string, string>();

/** Most of a statement's time is its planning, so each session plans each statement only once. */
export function toPrepared(given: unknown, values: unknown): object {
  const config = (typeof given === 'string' ? { text: given, values } : given) as { text: string; name?: string };
  if (config.name !== undefined || config.text.includes(';') || !PLANNED.test(config.text)) return config;
  const name = names.get(config.text) ?? `simulated_${names.size}`;
  names.set(config.text, name);
  return { ...config, name };
}

/**
 * Returns the values of a statement that do not depend on the server. A version of an order is the ID of a transaction, whose sequence other
 * databases share. The mark of a database names its server.
 */
export function toTraced(text: string, values: readonly unknown[]): readonly unknown[] {
  if (/^\s*with guard as/.test(text)) return [values[0], ...values.slice(5)];
  return /^\s*(with begun as \(\s*)?update installation set database_mark/.test(text) ? values.slice(1) : values;
}

export function countRows(result: unknown): string {
  const all = Array.isArray(result) ? result : [result];
  return all.map((one) => (one as pg.QueryResult | undefined)?.rowCount ?? 0).join(',');
}
