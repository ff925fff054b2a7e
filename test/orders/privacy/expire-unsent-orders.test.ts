import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { StorefrontOrders, TimelineEntries } from '../../../src/database/entities/orders.ts';
import { PrintOrders, SubmitAttempts, type PrintOrder } from '../../../src/database/entities/print-orders.ts';
import { type Shop } from '../../../src/database/entities/shops.ts';
import { redactOrder } from '../../../src/orders/privacy/redact-order.ts';
import { removeOldData } from '../../../src/orders/remove-old-data.ts';
import { addShop, readJobPayloads, openTestApp, type TestApp } from '../../http/test-app.ts';
import { addCustomerOrder, type OrderOf } from './add-customer-order.ts';

const DAY_MS = 86_400_000;
let app: TestApp;
let shop: Shop;
let number = 1000;

beforeAll(async () => void (app = await openTestApp()));
afterAll(() => app.close());
beforeEach(async () => {
  app.clock = { ...app.clock, now: () => new Date() };
  await app.db.query('delete from shops');
  await app.db.query('delete from graphile_worker._private_jobs');
  shop = await addShop(app.db);
});

/** Runs the pass as if this many days had passed, then runs the jobs that it enqueued. */
async function passAt(days: number): Promise<void> {
  const now = new Date(Date.now() + days * DAY_MS);
  app.clock = { ...app.clock, now: () => now };
  await removeOldData(app);
  for (const payload of await readJobPayloads(app.db, 'redact_order'))
    await redactOrder(app, payload as { storefrontOrderId: string });
}

function add(changes: Partial<PrintOrder> = {}): Promise<OrderOf> {
  number += 1;
  return addCustomerOrder(app, shop, 'Canary', number, changes);
}

const printOrderOf = ({ printOrder: { id } }: OrderOf) => app.db.manager.findOneByOrFail(PrintOrders, { id });
const orderOf = ({ order: { id } }: OrderOf) => app.db.manager.findOneByOrFail(StorefrontOrders, { id });

test.each(['planned', 'quoted', 'held', 'uncertain'] as const)(
  'a print order that is %s for 90 days is closed and erased, and the timeline states what to do',
  async (state) => {
    const waiting = await add({ state });
    await passAt(89);
    expect(await printOrderOf(waiting)).toMatchObject({ closedAt: null, bodyEncrypted: expect.any(String) });
    await passAt(91);
    expect(await printOrderOf(waiting)).toMatchObject({
      closedAt: app.clock.now(),
      closedReason: 'data_expired',
      recipientEncrypted: null,
      bodyEncrypted: null,
    });
    expect(await orderOf(waiting)).toMatchObject({ outcome: 'nothing_to_do', outcomeReason: 'data_expired' });
    const entries = await app.db.manager.findBy(TimelineEntries, { storefrontOrderId: waiting.order.id });
    const expired = entries.find(({ kind }) => kind === 'data_expired');
    expect(expired?.message).toMatch(/not sent to print within 90 days.*Fulfill the rest by hand, or refund/);
    // The submit job proves that no part of the order exists at the print service.
    expect(await readJobPayloads(app.db, 'submit_print_order')).toContainEqual({ printOrderId: waiting.printOrder.id });
  },
);

test('the data of a print order with an unknown outcome is erased after 90 days, but the print order is not closed', async () => {
  const open = await add({ state: 'uncertain', submitWay: 'direct', confirmStartedAt: new Date() });
  const attempt = { printOrderId: open.printOrder.id, attempt: 1, orderType: 'order', bodySha256: 'body' } as const;
  await app.db.manager.insert(SubmitAttempts, attempt);
  await passAt(91);
  expect(await printOrderOf(open)).toMatchObject({ closedAt: null, recipientEncrypted: null, bodyEncrypted: null });
});

test('an order does not expire if all its print orders were sent or replaced in time', async () => {
  const at = new Date();
  const sent = await add({ state: 'submitted', confirmStartedAt: at, confirmedAt: at });
  const replaced = await add({ state: 'canceled', closedAt: at, fencedAt: at });
  await passAt(91);
  for (const one of [sent, replaced]) {
    expect(await orderOf(one)).toMatchObject({ redactedAt: null, outcome: 'planned' });
    expect((await printOrderOf(one)).bodyEncrypted).toBeNull();
  }
});
