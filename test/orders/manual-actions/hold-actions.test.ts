import { expect, test } from 'vitest';
import { findOfferedActions, listWithheldActions } from '../../../src/orders/manual-actions/hold-actions.ts';
import type { Hold } from '../../../src/database/entities/orders.ts';
import type { Shop } from '../../../src/database/entities/shops.ts';
import { holdCodes, remedyOf } from '../../../src/orders/facts/hold-codes.ts';

test.each(holdCodes)('the remedy for %s names no command or setting', (code) => {
  expect(remedyOf(code)).not.toMatch(/platen |[a-z][A-Z]|setting "/);
});

test('a hold whose approval waits for an unknown print order is shown with that as its first step', () => {
  const holds = ['needs_approval', 'unknown_print_order'].map((code) => ({ code, printOrderId: null }) as Hold);
  const [approval, unknown] = holds;
  const context = { shop: {} as Shop, holds, printOrder: null, lines: [] };
  expect(approval && findOfferedActions(approval, context)).toEqual(['cancel']);
  expect(approval && listWithheldActions(approval, holds)).toEqual(['approve']);
  expect(unknown && listWithheldActions(unknown, holds)).toEqual([]);
  expect(approval && listWithheldActions(approval, [approval])).toEqual([]);
});
