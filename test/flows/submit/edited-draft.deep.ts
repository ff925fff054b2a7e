import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { VariantConnections } from '../../../src/database/entities/products.ts';
import { receiveCustomerRedact } from '../../../src/orders/privacy/receive-customer-redact.ts';
import { startPlaten, type PlacedOrder, type Platen, type PrintedOrder } from '../../helpers/platen.ts';
import { act, codesOf, entriesOf } from '../changes/manual-actions.ts';
import {
  atService,
  changeLink,
  runSubmitJobsNow,
  injectFaults,
  requestReplan,
  deviationsOf,
  printOrdersOf,
  untilPrintOrder,
  untilNoDueJobs,
} from './submit-helpers.ts';
import { eventually } from '../../helpers/eventually.ts';

let platen: Platen;

beforeAll(async () => {
  const environment = { PRINT_TIMEOUT_SECONDS: '1', SUBMIT_DEADLINE_SECONDS: '0.5', SUBMIT_QUIET_SECONDS: '2' };
  platen = await startPlaten({ advanceSeconds: null, environment });
}, 60_000);
afterAll(() => platen.stop());
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

/** Clears the faults and runs the order's waiting jobs. */
async function resume(order: PlacedOrder): Promise<void> {
  await injectFaults(platen, []);
  await runSubmitJobsNow(platen, order);
}

async function untilHeld(order: PlacedOrder, code: string): Promise<string> {
  const find = async () => {
    await runSubmitJobsNow(platen, order);
    return (await platen.listed(order.id)).holds.find((hold) => hold.code === code)?.message;
  };
  await eventually(find).toBeDefined();
  return (await find()) ?? '';
}

test('a draft with fewer units than were sent is held until "continue", and an approval prints the missing units', async () => {
  const { order, draft } = await placeWithChosenDraft({ 'MUG-11OZ': 3 });
  await control(draft, 'edit', { items: [{ itemReferenceId: itemOf(draft, 0), quantity: 2 }] });
  await resume(order);
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
}, 180_000);

test('"continue" does not confirm an edited draft whose variant is no longer connected', async () => {
  const { order, draft } = await placeWithChosenDraft({ 'TSHIRT-M': 3 });
  await control(draft, 'edit', { items: [{ itemReferenceId: itemOf(draft, 0), quantity: 2 }] });
  await resume(order);
  await untilHeld(order, 'draft_edited');
  const variants = (await platen.control('store', 'GET', '/variants')) as { sku: string; variantId: string }[];
  const shopifyVariantId = variants.find(({ sku }) => sku === 'TSHIRT-M')?.variantId ?? '';
  const row = { shopId: platen.shop.id, shopifyVariantId, status: 'not_connected' as const };
  await platen.app.db.manager.upsert(VariantConnections, row, ['shopId', 'shopifyVariantId']);
  await act(platen, order, 'continue');
  await eventually(() => codesOf(platen, order)).toEqual(['not_connected']);
  await untilNoDueJobs(platen, order);
  expect(await platen.printedFor(order.name)).toEqual([]);
});

test('a changed address causes a hold without the address, and "print-again" replaces the draft', async () => {
  const { order, draft } = await placeWithChosenDraft({ 'POSTER-30X40': 1 });
  await control(draft, 'edit', { shippingAddress: { addressLine1: 'Elsewhere 99', lastName: 'Stranger' } });
  await resume(order);
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
}, 120_000);

test('canceling an order with an edited draft deletes the draft and prints nothing', async () => {
  const { order, draft } = await placeWithChosenDraft({ 'MUG-11OZ': 2 });
  await control(draft, 'edit', { items: [{ itemReferenceId: itemOf(draft, 0), quantity: 1 }] });
  await resume(order);
  await untilHeld(order, 'draft_edited');
  await act(platen, order, 'cancel');
  await untilPrintOrder(platen, order, ({ fencedAt }) => fencedAt !== null);
  await untilNoDueJobs(platen, order);
  expect(await atService(platen, order)).toMatchObject([{ id: draft.id, deleted: true }]);
  await eventually(() => codesOf(platen, order)).toEqual([]);
  expect(await entriesOf(platen, order, 'canceled_by_hand')).toMatchObject([{ by: 'merchant' }]);
}, 120_000);

test('a draft that is edited again after "continue" is held again', async () => {
  const { order, draft } = await placeWithChosenDraft({ 'MUG-11OZ': 3 });
  const edit = (quantity: number) =>
    control(draft, 'edit', { items: [{ itemReferenceId: itemOf(draft, 0), quantity }] });
  await edit(2);
  await resume(order);
  await untilHeld(order, 'draft_edited');
  await injectFaults(platen, [GET_FAILS]);
  await act(platen, order, 'continue');
  await edit(1);
  await resume(order);
  expect(await untilHeld(order, 'draft_edited')).toMatch(/the draft has 1\./);
  expect(await platen.printedFor(order.name)).toEqual([]);
}, 120_000);

test('Platen follows an edited draft that someone releases in the dashboard, and a hold on the order states the difference', async () => {
  const { order, draft } = await placeWithChosenDraft({ 'MUG-11OZ': 2, 'POSTER-30X40': 1 });
  await injectFaults(platen, [
    GET_FAILS,
    { method: 'POST', path: '/v4/orders:search', rate: 1, kind: 'status', status: 500 },
  ]);
  const mug = draft.items.find(({ quantity }) => quantity === 2)?.itemReferenceId;
  await control(draft, 'edit', { items: [{ itemReferenceId: mug, quantity: 1 }] });
  await control(draft, 'advance', { to: 'created' });
  await resume(order);
  expect(await untilHeld(order, 'items_differ')).toMatch(/SKU MUG-11OZ: 2 sent, 1 found\./);
  await act(platen, order, 'continue');
  await eventually(() => codesOf(platen, order)).toEqual(['held_by_hand']);
  expect(await platen.printedFor(order.name)).toHaveLength(1);
  await act(platen, order, 'approve');
  await eventually(() => platen.printedFor(order.name)).toHaveLength(2);
  const units = (await platen.printedFor(order.name)).flatMap(({ items }) => items.map(({ quantity }) => quantity));
  expect(units).toEqual([1, 1, 1]);
}, 180_000);

test('Platen follows a held draft as soon as someone releases it in the dashboard', async () => {
  const { order, draft } = await placeWithChosenDraft({ 'MUG-11OZ': 2 });
  await control(draft, 'edit', { shippingAddress: { addressLine1: 'Elsewhere 99' } });
  await resume(order);
  await untilHeld(order, 'draft_edited');
  await control(draft, 'advance', { to: 'created' });
  await untilPrintOrder(platen, order, ({ confirmedAt }) => confirmedAt !== null);
  await untilNoDueJobs(platen, order);
  expect((await platen.printedFor(order.name)).map(({ id }) => id)).toEqual([draft.id]);
  expect(await codesOf(platen, order)).not.toContain('draft_edited');
}, 120_000);

test('an order held or canceled by hand while its draft waits for confirmation is not confirmed', async () => {
  const held = await placeWithChosenDraft({ 'POSTER-30X40': 1 });
  const canceled = await placeWithChosenDraft({ 'POSTER-30X40': 1 });
  await act(platen, held.order, 'hold');
  await act(platen, canceled.order, 'cancel');
  await resume(held.order);
  await resume(canceled.order);
  await eventually(() => codesOf(platen, held.order)).toEqual(['held_by_hand']);
  await untilPrintOrder(platen, canceled.order, ({ fencedAt }) => fencedAt !== null);
  await runSubmitJobsNow(platen, held.order);
  await untilNoDueJobs(platen, held.order);
  expect(await platen.printedFor(held.order.name)).toEqual([]);
  expect(await platen.printedFor(canceled.order.name)).toEqual([]);
  await act(platen, held.order, 'approve');
  await eventually(() => platen.printedFor(held.order.name)).toHaveLength(1);
}, 120_000);

test('a draft with a line that is no longer needed is held, and "print-again" prints the needed lines', async () => {
  const { order, draft } = await placeWithChosenDraft({ 'POSTER-30X40': 1, 'MUG-11OZ': 2 });
  const mug = draft.items.find(({ quantity }) => quantity === 2)?.itemReferenceId ?? '';
  await control(draft, 'edit', { items: [{ itemReferenceId: mug, quantity: 1 }] });
  await resume(order);
  await untilHeld(order, 'draft_edited');
  const poster = order.lines.find(({ sku }) => sku === 'POSTER-30X40');
  const lines = [{ id: poster?.id, quantity: 1 }];
  await platen.control('store', 'POST', `/orders/${encodeURIComponent(order.id)}/refund`, { lines });
  await untilNoDueJobs(platen, order);
  for (let times = 0; times < 2; times += 1) {
    await act(platen, order, 'continue');
    expect(await untilHeld(order, 'draft_edited')).toMatch(
      /The draft has 1 of SKU POSTER-30X40, but the order now needs 0\..*SKU MUG-11OZ: 2 were sent, but the draft has 1\./,
    );
  }
  expect(await platen.printedFor(order.name)).toEqual([]);
  // Someone removes the line that is no longer needed, so the only remaining difference is one missing mug.
  const itemReferenceId = draft.items.find(({ quantity }) => quantity === 1)?.itemReferenceId ?? '';
  await control(draft, 'edit', { items: [{ itemReferenceId, quantity: 0 }] });
  await act(platen, order, 'print-again');
  await eventually(() => platen.printedFor(order.name)).toHaveLength(1);
  const [printed] = await platen.printedFor(order.name);
  expect(printed?.items.map(({ quantity }) => quantity)).toEqual([2]);
  await eventually(() => codesOf(platen, order)).toEqual([]);
}, 180_000);

test('"continue" does not confirm an edited draft of a refunded order, and "cancel" deletes the draft', async () => {
  const { order, draft } = await placeWithChosenDraft({ 'MUG-11OZ': 3 });
  await control(draft, 'edit', { items: [{ itemReferenceId: itemOf(draft, 0), quantity: 2 }] });
  await resume(order);
  await untilHeld(order, 'draft_edited');
  await platen.control('store', 'POST', `/orders/${encodeURIComponent(order.id)}/refund`, {});
  await untilNoDueJobs(platen, order);
  await act(platen, order, 'continue');
  expect(await untilHeld(order, 'draft_edited')).toMatch(
    /The draft has 2 of SKU MUG-11OZ, but the order now needs 0\./,
  );
  await act(platen, order, 'cancel');
  await untilPrintOrder(platen, order, ({ fencedAt }) => fencedAt !== null);
  expect(await atService(platen, order)).toMatchObject([{ id: draft.id, deleted: true }]);
  expect(await codesOf(platen, order)).toEqual([]);
}, 120_000);

test('an edited draft of an erased customer is deleted together with all data about the edit', async () => {
  const { order, draft } = await placeWithChosenDraft({ 'POSTER-30X40': 1 });
  await control(draft, 'edit', { shippingAddress: { addressLine1: 'Elsewhere 99' } });
  await resume(order);
  await untilHeld(order, 'draft_edited');
  const delivery = { resourceIds: { orders: order.id }, receivedAt: new Date() };
  await receiveCustomerRedact(platen.app, platen.shop, delivery);
  await untilPrintOrder(platen, order, ({ fencedAt }) => fencedAt !== null);
  await untilNoDueJobs(platen, order);
  expect(await atService(platen, order)).toMatchObject([{ id: draft.id, deleted: true }]);
  expect(await printOrdersOf(platen, order)).toMatchObject([{ recipientEncrypted: null }]);
  expect(await deviationsOf(platen, order)).toMatchObject([{ draftEdit: null }]);
  expect(await codesOf(platen, order)).toEqual([]);
  await expect(act(platen, order, 'continue')).rejects.toMatchObject({ code: 'order_erased' });
}, 120_000);

test('an order whose customer was erased can still be canceled at the service', async () => {
  const order = await platen.placeSkus({ 'POSTER-30X40': 1 });
  const { serviceOrderId } = await untilPrintOrder(platen, order, ({ confirmedAt }) => confirmedAt !== null);
  await untilNoDueJobs(platen, order);
  await platen.control('print', 'POST', `/orders/${serviceOrderId}/advance`, { to: 'on_hold' });
  await eventually(() => codesOf(platen, order)).toEqual(['service_on_hold']);
  const delivery = { resourceIds: { orders: order.id }, receivedAt: new Date() };
  await receiveCustomerRedact(platen.app, platen.shop, delivery);
  await untilNoDueJobs(platen, order);
  await act(platen, order, 'cancel');
  await untilPrintOrder(platen, order, ({ fencedAt }) => fencedAt !== null);
  expect(await atService(platen, order)).toMatchObject([{ fulfillmentStatus: 'canceled' }]);
  expect(await codesOf(platen, order)).toEqual([]);
}, 120_000);

/** Places an order and has the service split its draft into two parts. */
async function placeWithSplitDraft(): Promise<{ order: PlacedOrder; chosen: PrintedOrder; part: PrintedOrder }> {
  await changeLink(platen, 'CARDS', { productUid: OTHER_FACILITY });
  const { order, draft } = await placeWithChosenDraft({ 'POSTER-30X40': 1, CARDS: 1 });
  const part = (await atService(platen, order)).find(({ id }) => id !== draft.id);
  expect(part && draft.connectedOrderIds).toContain(part?.id);
  if (!part) throw new Error('the draft has only one part');
  return { order, chosen: draft, part };
}

const remove = ({ id }: PrintedOrder) => fetch(`${platen.printUrl}/_control/orders/${id}`, { method: 'DELETE' });

test('a draft with a part deleted in the dashboard is held, and the hold lists the missing items', async () => {
  const { order, part } = await placeWithSplitDraft();
  await remove(part);
  await resume(order);
  expect(await untilHeld(order, 'draft_edited')).toMatch(/(was|were) sent, but the draft has none\./);
  expect(await platen.printedFor(order.name)).toEqual([]);
  await act(platen, order, 'print-again');
  await eventually(() => platen.printedFor(order.name)).toHaveLength(2);
}, 180_000);

test('a draft whose first part was deleted in the dashboard is held, and then both parts are recreated', async () => {
  const { order, chosen, part } = await placeWithSplitDraft();
  await remove(chosen);
  await resume(order);
  await untilHeld(order, 'draft_gone');
  await act(platen, order, 'print-again');
  await eventually(() => platen.printedFor(order.name)).toHaveLength(2);
  expect((await atService(platen, order)).find(({ id }) => id === part.id)).toMatchObject({ deleted: true });
}, 180_000);

test('if one part of a draft is deleted and the other released, Platen follows the released part and holds the order', async () => {
  const { order, chosen, part } = await placeWithSplitDraft();
  await injectFaults(platen, [
    GET_FAILS,
    { method: 'POST', path: '/v4/orders:search', rate: 1, kind: 'status', status: 500 },
  ]);
  await remove(part);
  await control(chosen, 'advance', { to: 'created' });
  await resume(order);
  expect(await untilHeld(order, 'items_differ')).toMatch(/sent, 0 found\./);
  expect((await platen.printedFor(order.name)).map(({ id }) => id)).toEqual([chosen.id]);
}, 180_000);
