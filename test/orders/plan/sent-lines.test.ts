import { describe, expect, test } from 'vitest';
import { type ConnectionStatus } from '../../../src/database/entities/products.ts';
import { planOrder } from '../../../src/orders/plan/decide/plan-order.ts';
import type { PlanInput } from '../../../src/orders/plan/decide/plan.ts';
import { lineItem, planInput, sentUnits } from './plan-input.ts';

const sent = (id: string, quantity = 2) => sentUnits(id, quantity);

describe('a line that was sent to print', () => {
  const input = (change: Partial<PlanInput> = {}) =>
    planInput({}, { links: new Map(), prints: [sent('a')], ...change });
  const decide = (change: Partial<PlanInput> = {}) => {
    const { holds, lines, wanted } = planOrder(input(change));
    return { codes: holds.map(({ code }) => code), decisions: lines.map(({ decision }) => decision), wanted };
  };
  const OURS = { codes: [], decisions: ['ours'], wanted: [] };

  test('a sent line is not held if its print link was deleted', () => {
    expect(decide()).toEqual(OURS);
  });

  test.each<ConnectionStatus>(['connected', 'not_connected', 'ignored'])(
    'a sent line does not change when its variant becomes %s',
    (status) => {
      expect(decide({ connections: new Map([['variant-a', status]]) })).toEqual(OURS);
    },
  );

  test('a sent line is held if units are added to it, or while another print order may still replace its print order', () => {
    expect(decide({ prints: [sent('a', 1)] }).codes).toEqual(['no_print_link']);
    expect(decide({ prints: [{ ...sent('a'), isReplaceable: true }] }).codes).toEqual(['no_print_link']);
  });

  test('a line in an edited draft does not count as sent, so the current state of its variant decides', () => {
    const decideEdited = (status: ConnectionStatus) =>
      decide({ prints: [{ ...sent('a'), isEditedDraft: true }], connections: new Map([['variant-a', status]]) });
    expect(decideEdited('not_connected').codes).toEqual(['not_connected']);
    expect(decideEdited('ignored').decisions).toEqual(['not_ours']);
  });

  test('a line that is added to a sent order is printed if it has a print link, and held if not', () => {
    const lineItems = [lineItem('a'), lineItem('b')];
    const linked = planInput({ lineItems }, { prints: [sent('a')] });
    const withLinkOf = (...ids: string[]) =>
      planOrder({ ...linked, links: new Map([...linked.links].filter(([id]) => ids.includes(id))) });
    const printed = withLinkOf('variant-b');
    expect([printed.holds, printed.wanted]).toMatchObject([[], [{ items: [{ shopifyLineItemId: 'b' }] }]]);
    const held = withLinkOf();
    expect(held.wanted).toEqual([]);
    expect(held.holds).toMatchObject([{ code: 'no_print_link', shopifyLineItemId: 'b' }]);
    expect(held.holds).toHaveLength(1);
  });
});
