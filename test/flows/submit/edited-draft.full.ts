import { afterEach, expect, test } from 'vitest';
import type { PlacedOrder, PrintedOrder } from '../../helpers/platen.ts';
import { platen, testPlaten } from '../../helpers/test-platen.ts';
import { act, codesOf, entriesOf } from '../changes/manual-actions.ts';
import {
  atService,
  changeLink,
  injectFaults,
  inStore,
  requestReplan,
  printOrdersOf,
  untilPrintOrder,
  untilNoDueJobs,
} from './submit-helpers.ts';
import { eventually } from '../../helpers/eventually.ts';

testPlaten({ advanceSeconds: null });
afterEach(() => injectFaults(platen, []));

/** A product that the service prints at another facility, as a connected order. */
const OTHER_FACILITY = 'phonecase_apple_iphone-13promax_flexi_transparent_satin';
const GET_FAILS = { method: 'GET', path: '/v4/orders', rate: 1, kind: 'status', status: 500 };

/**
 * Places an order whose draft is chosen but not confirmed. Normally, the job that creates a draft also confirms it without reading it. A
 * database trigger therefore ends the job before the confirmation. Until the faults are cleared, reads of the draft fail.
 */
async function placeWithChosenDraft(
  skus: Record<string, number>,
): Promise<{ order: PlacedOrder; draft: PrintedOrder }> {
  const { db } = platen.app;
  await injectFaults(platen, [GET_FAILS]);
  await db.query(
    `create function end_worker() returns trigger language plpgsql as $$ begin raise exception 'the worker ends here'; end $$;
     create trigger end_worker before update of confirm_started_at on print_orders for each row
       when (old.confirm_started_at is null and new.confirm_started_at is not null) execute function end_worker()`,
  );
  const order = await platen.placeSkus(skus);
  const chosen = await untilPrintOrder(platen, order, ({ serviceOrderId }) => serviceOrderId !== null);
  await untilNoDueJobs(platen, order);
  await db.query('drop trigger end_worker on print_orders; drop function end_worker');
  const draft = (await atService(platen, order)).find(({ id }) => id === chosen.serviceOrderId);
  if (!draft) throw new Error('the service does not have the chosen draft');
  return { order, draft };
}

const control = (draft: PrintedOrder, what: 'edit' | 'advance', body: object) =>
  platen.control('print', 'POST', `/orders/${draft.id}/${what}`, body);
const itemOf = (draft: PrintedOrder, index: number): string => draft.items[index]?.itemReferenceId ?? '';

/** Waits until the order has a hold with this code, and returns the hold's message. */
async function untilHeld(order: PlacedOrder, code: string): Promise<string> {
  const find = async () => (await platen.listed(order.id)).holds.find((hold) => hold.code === code)?.message;
  await eventually(find).toBeDefined();
  return (await find()) ?? '';
}

test('a draft with fewer units than were sent is held until "continue", and an approval prints the missing units', async () => {
  const { order, draft } = await placeWithChosenDraft({ 'MUG-11OZ': 3 });
  await control(draft, 'edit', { items: [{ itemReferenceId: itemOf(draft, 0), quantity: 2 }] });
  await injectFaults(platen, []);
  expect(await untilHeld(order, 'draft_edited')).toBe(
    'The draft was changed at the print service after it was created. SKU MUG-11OZ: 3 were sent, but the draft has 2.',
  );
  await requestReplan(platen, order);
  await untilNoDueJobs(platen, order);
  expect(await platen.printedFor(order.name)).toEqual([]);
  expect(await printOrdersOf(platen, order)).toMatchObject([{ state: 'held', confirmStartedAt: null, closedAt: null }]);
  await act(platen, order, 'continue');
  await untilPrintOrder(platen, order, ({ confirmedAt }) => confirmedAt !== null);
  await eventually(() => codesOf(platen, order)).toEqual(['held_by_hand']);
  await untilNoDueJobs(platen, order);
  const unitsOf = async () =>
    (await platen.printedFor(order.name)).map(({ items }) => items.map(({ quantity }) => quantity));
  expect(await unitsOf()).toEqual([[2]]);
  expect((await entriesOf(platen, order, 'quantities_taken')).map(({ message }) => message)).toEqual([
    expect.stringMatching(/MUG-11OZ: 2.*printed only if someone approves it/),
  ]);
  await act(platen, order, 'approve');
  await eventually(unitsOf).toEqual([[2], [1]]);
  await eventually(() => codesOf(platen, order)).toEqual([]);
});

test('a changed address causes a hold without the address, and "print-again" replaces the draft', async () => {
  const { order, draft } = await placeWithChosenDraft({ 'POSTER-30X40': 1 });
  await control(draft, 'edit', { shippingAddress: { addressLine1: 'Elsewhere 99', lastName: 'Stranger' } });
  await injectFaults(platen, []);
  const message = await untilHeld(order, 'draft_edited');
  expect(message).toMatch(/The draft's shipping address differs in these fields: last name, address line 1\./);
  expect(message).not.toMatch(/Elsewhere|Stranger/);
  await act(platen, order, 'print-again');
  await eventually(() => platen.printedFor(order.name)).toHaveLength(1);
  const [printed] = await platen.printedFor(order.name);
  expect(printed?.shippingAddress['addressLine1']).not.toBe('Elsewhere 99');
  expect(printed?.id).not.toBe(draft.id);
  expect((await atService(platen, order)).find(({ id }) => id === draft.id)).toMatchObject({ deleted: true });
  await eventually(() => codesOf(platen, order)).toEqual([]);
});

test('"continue" does not confirm an edited draft of a refunded order, and "cancel" deletes the draft', async () => {
  const { order, draft } = await placeWithChosenDraft({ 'MUG-11OZ': 3 });
  await control(draft, 'edit', { items: [{ itemReferenceId: itemOf(draft, 0), quantity: 2 }] });
  await injectFaults(platen, []);
  await untilHeld(order, 'draft_edited');
  await inStore(platen, order, 'refund');
  await untilNoDueJobs(platen, order);
  await act(platen, order, 'continue');
  expect(await untilHeld(order, 'draft_edited')).toMatch(
    /The draft has 2 of SKU MUG-11OZ, but the order now needs 0\./,
  );
  await act(platen, order, 'cancel');
  await untilPrintOrder(platen, order, ({ fencedAt }) => fencedAt !== null);
  expect(await atService(platen, order)).toMatchObject([{ id: draft.id, deleted: true }]);
  expect(await codesOf(platen, order)).toEqual([]);
});

/** Places an order and has the service split its draft into two parts. */
async function placeWithSplitDraft(): Promise<{ order: PlacedOrder; chosen: PrintedOrder; part: PrintedOrder }> {
  await changeLink(platen, 'CARDS', { productUid: OTHER_FACILITY });
  const { order, draft } = await placeWithChosenDraft({ 'POSTER-30X40': 1, CARDS: 1 });
  const part = (await atService(platen, order)).find(({ id }) => id !== draft.id);
  expect(part && draft.connectedOrderIds).toContain(part?.id);
  if (!part) throw new Error('the draft has only one part');
  return { order, chosen: draft, part };
}

test('if the second part of a draft was deleted in the dashboard, the order is held, and both parts are created again on request', async () => {
  const { order, chosen, part } = await placeWithSplitDraft();
  await fetch(`${platen.printUrl}/_control/orders/${part.id}`, { method: 'DELETE' });
  await injectFaults(platen, []);
  expect(await untilHeld(order, 'draft_edited')).toMatch(/(was|were) sent, but the draft has none\./);
  expect(await platen.printedFor(order.name)).toEqual([]);
  await act(platen, order, 'print-again');
  await eventually(() => platen.printedFor(order.name)).toHaveLength(2);
  expect((await atService(platen, order)).find(({ id }) => id === chosen.id)).toMatchObject({ deleted: true });
});
