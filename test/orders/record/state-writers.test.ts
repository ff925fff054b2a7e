import { expect, test } from 'vitest';
import { findIn, findStateWriters } from './find-state-writers.ts';

test('only changeState writes the state of an existing print order', () => {
  expect(findStateWriters()).toEqual([]);
});

const WRITES = [
  `manager.update(PrintOrders, { id }, { state: 'held' });`,
  `manager.update(PrintOrders, { id }, { closedAt, ...(isHeld ? { state: 'shipped' } : {}) });`,
  `const end = { state: 'failed' }; manager.update(PrintOrders, { id }, end);`,
  `manager.update(PrintOrders, { id }, given);`,
  `manager.getRepository(PrintOrders).update({ id }, { state: 'held' });`,
  `manager.save(PrintOrders, { id, closedAt });`,
  `manager.insert(PrintOrders, { state: 'submitted' });`,
  `manager.createQueryBuilder().update(PrintOrders).set({ state: 'held' });`,
  'db.query(`update print_orders p set closed_at = now(), state = $1 where p.id = $2`);',
  `db.query('update print_orders set state = 1');`,
  'db.query(`with x as (update print_orders p set state = case when a then b else c end where c) select 1`);',
  `db.query("insert into print_orders (id, state) values (1, 'held')");`,
];

test.each(WRITES)('the check detects a write: %s', (text) => {
  expect(findIn('one.ts', text).length).toBeGreaterThan(0);
});
