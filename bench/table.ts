import type { StatementCount } from './group-statements.ts';

const STATEMENTS_SHOWN = 60;

/** Returns the results as text, with each figure on its own line under the path of its key in the JSON document. */
export function toTable(results: Record<string, object>, { statements }: { statements: boolean }): string {
  const rows = Object.entries(results).flatMap(([part, measured]) => toRows(part, measured));
  const width = Math.max(...rows.map(([name]) => name.length));
  const lines = rows.map(([name, value]) => `${name.padEnd(width)}  ${value}`);
  const way: { statements?: StatementCount[] } | undefined = results['way'];
  if (statements && way?.statements) lines.push('', ...toStatementLines(way.statements));
  return `${lines.join('\n')}\n`;
}

function toRows(name: string, value: unknown): [name: string, value: string][] {
  if (typeof value === 'number') return [[name, toFigure(value)]];
  if (typeof value === 'string') return [[name, value]];
  if (typeof value !== 'object' || value === null) return [[name, 'not measured']];
  // Lists are long and are printed separately.
  if (Array.isArray(value)) return [];
  return Object.entries(value).flatMap(([key, inner]) => toRows(`${name}.${key}`, inner));
}

function toFigure(value: number): string {
  if (Number.isInteger(value)) return value.toLocaleString('en-US');
  return value.toLocaleString('en-US', { maximumFractionDigits: Math.abs(value) < 10 ? 2 : 1 });
}

function toStatementLines(statements: readonly StatementCount[]): string[] {
  const shown = statements.slice(0, STATEMENTS_SHOWN);
  return ['statements per order', ...shown.map(({ perOrder, text }) => `${perOrder.toFixed(2).padStart(8)}  ${text}`)];
}
