import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const SRC = join(import.meta.dirname, '../../../src');
/** A change of a print order through an entity, or in SQL up to its condition. Inserts begin with the state `planned`. */
const WRITES = /(?:\.(?:update|upsert|save)\(\s*PrintOrders\b[^;]*;|\bupdate\s+print_orders\b.*?(?:\bwhere\b|`))/gis;

const findWriters = (text: string) => (text.match(WRITES) ?? []).filter((write) => /\bstate(?::|\s*=)/.test(write));

test('only changeState writes the state of an existing print order', () => {
  const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));
  const writers = files.filter((name) => findWriters(readFileSync(join(SRC, name), 'utf8')).length > 0);
  expect(writers).toEqual(['orders/record/change-state.ts']);
});

test.each([
  `manager.update(PrintOrders, { id }, { closedAt, ...(isHeld ? { state: 'shipped' } : {}) });`,
  'db.query(`update print_orders p set closed_at = now(), state = $1 where p.id = $2`);',
])('the check detects a write: %s', (text) => {
  expect(findWriters(text)).toHaveLength(1);
});
