import { IsNull } from 'typeorm';
import { expect, onTestFinished, test } from 'vitest';
import { Holds, StorefrontOrders } from '../../../src/database/entities/orders.ts';
import { PrintOrderLines, type PrintOrder } from '../../../src/database/entities/print-orders.ts';
import { computeReference } from '../../../src/orders/facts/compute-reference.ts';
import { decryptBody } from '../../../src/orders/facts/recipient-column.ts';
import { readInstallation } from '../../../src/shops/install/installation.ts';
import { startPlaten, type Platen, type PlacedOrder } from '../../helpers/platen.ts';
import { act } from '../changes/manual-actions.ts';
import { advance, runScheduledJobs } from '../changes/order-stages.ts';
import {
  atService,
  attemptsOf,
  runSubmitJobsNow,
  injectFaults,
  placeDuplicate,
  requestReplan,
  printOrdersOf,
  untilPrintOrder,
  untilNoDueJobs,
} from '../submit/submit-helpers.ts';
import { eventually } from '../../helpers/eventually.ts';

const QUICK = { PRINT_TIMEOUT_SECONDS: '1', SUBMIT_DEADLINE_SECONDS: '0.5', SUBMIT_QUIET_SECONDS: '3' };
/**
 * The service queues orders of v1 and v2, so the status request shows an order only after about a second
 * (docs/rules/print-interface.md#limits).
 */
const QUEUE_MS = 1_100;

let platen: Platen;

async function start(settings: Record<string, unknown>): Promise<void> {
  platen = await startPlaten({ advanceSeconds: null, environment: QUICK, settings });
  onTestFinished(() => platen.stop());
}

const holdsOf = async ({ id }: PlacedOrder) => (await platen.listed(id)).holds.map(({ code }) => code);

/** Places an order with one line for each SKU. SKUs may repeat. */
async function placeLines(skus: string[]): Promise<PlacedOrder> {
  const variants = (await platen.control('store', 'GET', '/variants')) as { sku: string; variantId: string }[];
  const toVariant = (sku: string) => variants.find((one) => one.sku === sku)?.variantId;
  return platen.placeOrder({ lines: skus.map((sku) => ({ variantId: toVariant(sku), quantity: 1 })) });
}

async function stockAtOwnLocation(sku: string): Promise<void> {
  const variants = (await platen.control('store', 'GET', '/variants')) as { sku: string; variantId: string }[];
  const id = variants.find((one) => one.sku === sku)?.variantId ?? '';
  await platen.control('store', 'POST', `/variants/${encodeURIComponent(id)}/stock`, { location: 'own' });
}

/** Returns the number and the reference of the order's next part. */
async function nextPartOf({ id }: PlacedOrder): Promise<{ part: number; reference: string }> {
  const { code, referenceKey } = await readInstallation(platen.app);
  const { name, nextPart } = await platen.app.db.manager.findOneByOrFail(StorefrontOrders, { shopifyOrderId: id });
  const about = { shop: platen.shop.domain, shopifyOrderId: id, orderName: name };
  const reference = computeReference({ installation: code, key: referenceKey, ...about }, nextPart, 'v1');
  return { part: nextPart, reference };
}

/** Sends a request to the print service with the account's key, bypassing Platen. */
async function sendToService(path: string, body: object): Promise<unknown> {
  const headers = { 'content-type': 'application/json', 'x-api-key': 'sandbox-key' };
  const answer = await fetch(platen.printUrl + path, { method: 'POST', headers, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`${path} responded with ${answer.status}: ${await answer.text()}`);
  return answer.json();
}

/** Creates an order for one mug through v1 under this reference. */
async function createThroughV1(reference: string): Promise<void> {
  const quote = await sendToService('/v1/quote', {
    order: { orderReferenceId: Number(reference), customerReferenceId: 1, currencyIsoCode: 'USD' },
    recipient: {
      countryIsoCode: 'US',
      firstName: 'Ada',
      lastName: 'Miller',
      addressLine1: '233 South Wacker Drive',
      city: 'Chicago',
      postcode: '60606',
      stateCode: 'IL',
      email: 'ada.miller@example.com',
    },
    product: {
      itemReferenceId: 7,
      productUid: 'mug_product_msz_11-oz_mmat_ceramic-white_cl_4-0',
      pdfUrl: 'https://files.example/a.pdf',
      quantity: 1,
    },
  });
  const { shipments } = (quote as { production: { shipments: { promiseUid: string }[] } }).production;
  await sendToService('/v1/order/create', { promiseUid: shipments[0]?.promiseUid });
}

const isQuoted = ({ state }: PrintOrder) => state === 'quoted';
const statesOf = async (order: PlacedOrder) => (await printOrdersOf(platen, order)).map(({ state }) => state);

test('even if nobody has noticed a restore, no part of a v1 order is sent if the service already has an order for the next part number', async () => {
  await start({ printInterface: 'v1' });
  await injectFaults(platen, [{ path: '/v1/order/status', rate: 1, kind: 'status', status: 500 }]);
  const skus = ['POSTER-13X18', 'POSTER-30X40', 'MUG-11OZ', 'MUG-15OZ', 'TSHIRT-S', 'TSHIRT-M', 'TSHIRT-L', 'CARDS'];
  const order = await placeLines([...skus, 'BOOK-28', 'MUG-11OZ', 'CARDS', 'TSHIRT-S']);
  const quoted = Array.from({ length: 12 }, () => 'quoted');
  await eventually(() => statesOf(order)).toEqual(quoted);
  const { part, reference } = await nextPartOf(order);
  expect(part).toBe(13);
  await createThroughV1(reference);
  const createdMs = Date.now();
  await eventually(() => Date.now() - createdMs).toBeGreaterThan(QUEUE_MS);
  await injectFaults(platen, []);
  await runSubmitJobsNow(platen, order);
  const codes = Array.from({ length: 12 }, () => 'unknown_print_order');
  await eventually(() => holdsOf(order)).toEqual(codes);
  await untilNoDueJobs(platen, order);
  expect(await statesOf(order)).toEqual(quoted.map(() => 'held'));
  expect(await attemptsOf(platen, order)).toEqual([]);
  expect((await platen.printed()).map(({ orderReferenceId }) => orderReferenceId)).toEqual([reference]);
});

test('lines that were printed together are not reprinted if the restored order is split into two parts', async () => {
  await start({});
  await injectFaults(platen, [{ method: 'POST', path: '/v4/orders:search', rate: 1, kind: 'status', status: 500 }]);
  const order = await platen.placeSkus({ 'BOOK-28': 1, 'MUG-11OZ': 1 });
  await eventually(() => statesOf(order)).toEqual(['quoted', 'quoted']);
  const first = await untilPrintOrder(platen, order, (one) => isQuoted(one) && one.part === 1);
  const second = await untilPrintOrder(platen, order, (one) => isQuoted(one) && one.part === 2);
  const items = [first, second].flatMap((printOrder) => decryptBody(platen.app, printOrder).items);
  await placeDuplicate(platen, first, { items });
  const idsAtService = async () => (await atService(platen, order)).map(({ id }) => id);
  const printed = await idsAtService();
  await injectFaults(platen, []);
  // The second part, whose reference has no order, is submitted first. The part must wait until the first part has adopted the order.
  const job = { queue: `order:${second.storefrontOrderId}`, key: `submit:${second.id}` };
  await platen.app.jobs.enqueue(platen.app.db, 'submit_print_order', { printOrderId: second.id }, job);
  await untilNoDueJobs(platen, order);
  expect(await attemptsOf(platen, order)).toEqual([]);
  await runSubmitJobsNow(platen, order);
  const codes = async () => (await holdsOf(order)).toSorted();
  await eventually(codes).toEqual(['items_differ', 'unknown_print_order']);
  await runSubmitJobsNow(platen, order);
  await untilNoDueJobs(platen, order);
  const holds = await platen.app.db.manager.findBy(Holds, { resolvedAt: IsNull() });
  const heldParts = Object.fromEntries(holds.map(({ printOrderId, code }) => [code, printOrderId]));
  expect(heldParts).toEqual({ items_differ: first.id, unknown_print_order: second.id });
  const [adopted, held] = await printOrdersOf(platen, order);
  expect(printed).toContain(adopted?.serviceOrderId);
  expect(held).toMatchObject({ state: 'held', serviceOrderId: null, confirmedAt: null });
  expect(await attemptsOf(platen, order)).toEqual([]);
  expect(await idsAtService()).toEqual(printed);
});

/** Aborts the transaction of the next action "continue" at its end, once, as PostgreSQL does in a deadlock. */
async function abortNextContinue(): Promise<void> {
  const { db } = platen.app;
  // The value of a sequence stays when the transaction is rolled back.
  await db.query('create sequence continues');
  await db.query(`
    create function abort_first() returns trigger language plpgsql as $$ begin
      if nextval('continues') = 1 then raise exception 'aborted once' using errcode = 'deadlock_detected'; end if;
      return new;
    end $$`);
  await db.query(
    `create trigger abort_first before insert on timeline_entries for each row when (new.kind = 'continued' and new.by <> 'platen')
     execute function abort_first()`,
  );
}

async function countContinues(): Promise<number> {
  const [row]: { last: number }[] = await platen.app.db.query('select last_value::int as last from continues');
  return row?.last ?? 0;
}

test.each([
  { when: '', isAborted: false },
  { when: ', even if the database aborts the action in a deadlock', isAborted: true },
])(
  'if someone accepts an order that also contains the lines of another part, that part is closed$when',
  async ({ isAborted }) => {
    await start({});
    await stockAtOwnLocation('CARDS');
    await injectFaults(platen, [{ method: 'POST', path: '/v4/orders:search', rate: 1, kind: 'status', status: 503 }]);
    const order = await platen.placeSkus({ CARDS: 1, 'MUG-11OZ': 1 });
    await eventually(() => statesOf(order)).toEqual(['quoted', 'quoted']);
    const first = await untilPrintOrder(platen, order, (one) => isQuoted(one) && one.part === 1);
    const second = await untilPrintOrder(platen, order, (one) => isQuoted(one) && one.part === 2);
    const items = [first, second].flatMap((printOrder) => decryptBody(platen.app, printOrder).items);
    const placed = await placeDuplicate(platen, first, { items });
    await injectFaults(platen, []);
    await runScheduledJobs(platen, 3);
    expect((await holdsOf(order)).toSorted()).toEqual(['items_differ', 'unknown_print_order']);
    // "Continue" is refused for the second part until the hold for the first part's items is resolved.
    await expect(act(platen, order, 'continue', second.reference)).rejects.toMatchObject({ code: 'items_differ' });
    if (isAborted) await abortNextContinue();
    await act(platen, order, 'continue');
    if (isAborted) expect(await countContinues()).toBeGreaterThan(1);
    await runScheduledJobs(platen, 3);
    await requestReplan(platen, order);
    await runScheduledJobs(platen, 2);
    expect((await atService(platen, order)).map(({ id }) => id)).toEqual([placed.id]);
    expect(await holdsOf(order)).toEqual([]);
    const [kept, closed, ...others] = await printOrdersOf(platen, order);
    expect(others).toEqual([]);
    expect(kept).toMatchObject({ id: first.id, fencedAt: null, serviceOrderId: placed.id });
    expect(closed).toMatchObject({ closedReason: 'printed_in_another', fencedAt: expect.any(Date) });
    const lines = await platen.app.db.manager.findBy(PrintOrderLines, { printOrderId: first.id });
    expect(lines.map(({ quantity }) => quantity)).toEqual([1, 1]);
    await advance(platen, order, 'shipped');
    await platen.untilState(order.id, 'fulfilled');
  },
  180_000,
);
