import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { IsNull } from 'typeorm';
import { PrintLinks } from '../../../src/database/entities/products.ts';
import { Deliveries } from '../../../src/database/entities/deliveries.ts';
import { enqueue } from '../../../src/jobs/enqueue.ts';
import { readCheckReference } from '../../../src/orders/draft-check/delete-check-drafts.ts';
import { withCheckLock } from '../../../src/orders/draft-check/with-check-lock.ts';
import { runDraftCheck, type DraftCheck } from '../../../src/orders/draft-check/run-draft-check.ts';
import { auditPrintAccount } from '../../../src/orders/follow/audit-print-account.ts';
import { endQuietTime } from '../../../src/shops/print-account/end-quiet-time.ts';
import { findShop } from '../../../src/shops/find-shop.ts';
import { beginQuietTimeAfterRestore } from '../../../src/shops/install/installation.ts';
import { changeSettings } from '../../../src/shops/settings/settings.ts';
import { eventually } from '../../helpers/eventually.ts';
import { startPlaten, type Platen, type PrintedOrder } from '../../helpers/platen.ts';

let platen: Platen;
let reference: string;

beforeAll(async () => {
  platen = await startPlaten({ advanceSeconds: null });
  reference = await readCheckReference(platen.app, platen.shop);
});
afterAll(() => platen.stop());
beforeEach(async () => {
  await platen.control('print', 'POST', '/reset');
  await injectFaults();
});
afterEach(async () => {
  // No check may leave an order that would be printed, or a row in Platen's tables.
  const orders = (await atService()).filter(({ orderType }) => orderType !== 'draft');
  const rows: unknown[] = await platen.app.db.query('select 1 from print_orders union all select 1 from holds');
  if (orders.length > 0 || rows.length > 0)
    throw new Error(`${orders.length} orders and ${rows.length} rows are left.`);
});

async function run(choice: { sku?: string; country?: string } = {}): Promise<DraftCheck> {
  const shop = await findShop(platen.app, platen.shop.id);
  return platen.during(runDraftCheck(platen.app, shop, choice));
}

async function atService(): Promise<PrintedOrder[]> {
  return (await platen.printed()).filter(({ deleted }) => deleted !== true);
}

/** Replaces the faults of the print stand-in. Without faults, waits until Platen sends requests again. */
async function injectFaults(...faults: Record<string, unknown>[]): Promise<void> {
  await platen.control('print', 'POST', '/faults', faults);
  if (faults.length === 0) await platen.pass(60_000);
}

const resultsOf = ({ steps }: DraftCheck): string => steps.map(({ name, result }) => `${name} ${result}`).join(', ');
const ALL_PASSED = 'leftovers passed, quote passed, create passed, read passed, delete passed';
const CREATE = { method: 'POST', path: '/v3/orders' };
const DELETE = { method: 'DELETE', path: '/v4/orders' };
const SEARCH = { method: 'POST', path: '/v4/orders:search' };

describe('a check', () => {
  test('creates one draft with the shop’s product, reads it and deletes it', async () => {
    const done = await run();
    expect(resultsOf(done)).toBe(ALL_PASSED);
    expect(done).toMatchObject({ left: 'deleted', remedy: null, reference });
    for (const { milliseconds } of done.steps) expect(milliseconds).toBeGreaterThanOrEqual(0);
    const [draft, ...more] = await platen.printed();
    expect(more).toEqual([]);
    expect(draft).toMatchObject({
      orderReferenceId: reference,
      orderType: 'draft',
      deleted: true,
      items: [{ productUid: done.productUid, quantity: 1 }],
      shippingAddress: { firstName: 'Platen', lastName: 'Check', country: 'US' },
    });
    // The draft's events belong to no order of the store.
    const waiting = { source: 'print', handledAt: IsNull() } as const;
    await eventually(() => platen.app.db.manager.countBy(Deliveries, waiting)).toBe(0);
  });

  test('uses the named SKU and country', async () => {
    const link = await platen.app.db.manager.findOneByOrFail(PrintLinks, { sku: 'MUG-11OZ' });
    const done = await run({ sku: 'MUG-11OZ', country: 'de' });
    expect(resultsOf(done)).toBe(ALL_PASSED);
    expect(done.productUid).toBe(link.productUid);
    expect(await platen.printed()).toMatchObject([{ shippingAddress: { country: 'DE' } }]);
    await expect(run({ sku: 'NO-SUCH-SKU' })).rejects.toMatchObject({ code: 'invalid_input', field: 'sku' });
    await expect(run({ country: 'XX' })).rejects.toMatchObject({ code: 'invalid_input', field: 'country' });
  });

  test('does not start if someone has confirmed the draft of an earlier check', async () => {
    const [draft] = await leaveDraft();
    await platen.control('print', 'POST', `/orders/${draft?.id}/advance`, { to: 'created' });
    const done = await run();
    expect(resultsOf(done)).toBe('leftovers failed, quote skipped, create skipped, read skipped, delete skipped');
    expect(done.steps[0]?.message).toContain(`Cancel the order in the print service's dashboard.`);
    // The audit also reports the order.
    const { strayOrders } = await auditPrintAccount(platen.app, { accountId: await accountId() });
    expect(strayOrders).toEqual([reference]);
    await platen.control('print', 'POST', `/orders/${draft?.id}/advance`, { to: 'canceled' });
    expect(resultsOf(await run())).toBe(ALL_PASSED);
    await platen.control('print', 'POST', '/reset');
  });
});

describe('a failing step', () => {
  test('a refused key ends the check before anything is created', async () => {
    await injectFaults({ kind: 'status', status: 401, ...SEARCH });
    const done = await run();
    expect(resultsOf(done)).toMatch(/^leftovers failed, quote skipped/);
    expect(done.left).toBe('none');
    expect(done.steps[0]?.message).toBe("The print service does not accept the shop's key.");
    expect(await platen.printed()).toEqual([]);
  });

  test('a draft that the search does not show yet may remain, and the next check deletes it', async () => {
    await injectFaults({ kind: 'reset', effect: 'done', ...CREATE }, { searchLagMs: 60_000 });
    const done = await run();
    expect(resultsOf(done)).toBe('leftovers passed, quote passed, create failed, read skipped, delete failed');
    expect(done.left).toBe('unknown');
    expect(done.remedy).toContain(`A draft ${reference} may still exist at the print service.`);
    expect(await atService()).toHaveLength(1);
    await injectFaults({ searchLagMs: 0 });
    expect(resultsOf(await run())).toBe(ALL_PASSED);
    expect(await atService()).toEqual([]);
  });
});

describe('a check that could cost money or disturb another check does not begin', () => {
  test.each([
    [{ printInterface: 'v2' }, 'no_drafts'],
    [{ extendedCalls: false }, 'no_drafts'],
  ])('%o', async (settings, code) => {
    const before = (await findShop(platen.app, platen.shop.id)).settings;
    await saveSettings({ ...before, ...settings });
    await expect(run()).rejects.toMatchObject({ code });
    await saveSettings(before);
    expect(await platen.printed()).toEqual([]);
  });

  test('in the quiet time after a restore', async () => {
    await beginQuietTimeAfterRestore(platen.app);
    await expect(run()).rejects.toMatchObject({ code: 'quiet_time' });
    await endQuietTime(platen.app);
    expect(await platen.printed()).toEqual([]);
  });

  test('while another check of the shop runs', async () => {
    await withCheckLock(platen.app, platen.shop, async () => {
      await expect(run()).rejects.toMatchObject({ code: 'check_running' });
    });
    expect(resultsOf(await run())).toBe(ALL_PASSED);
  });
});

describe('the daily pass', () => {
  test('deletes the draft of an interrupted check, but never a draft of an order', async () => {
    await leaveDraft();
    await changeSettings(platen.app, platen.shop, { leavesDrafts: true });
    const [first] = await atService();
    await platen.control('print', 'POST', '/orders', {
      order: { ...toOrder(first as PrintedOrder), orderReferenceId: 'pl0000-1001-1-aaaaaaaaaaaa' },
    });
    await auditPrintAccount(platen.app, { accountId: await accountId() });
    expect(await atService()).toHaveLength(2);
    await enqueue(platen.app.db, 'audit_print_accounts', {});
    await eventually(atService).toMatchObject([{ orderReferenceId: 'pl0000-1001-1-aaaaaaaaaaaa' }]);
    await changeSettings(platen.app, platen.shop, { leavesDrafts: false });
    await platen.control('print', 'POST', '/reset');
  });
});

/** Simulates a check that dies between creating and deleting its draft. */
async function leaveDraft(): Promise<PrintedOrder[]> {
  await injectFaults({ kind: 'status', status: 500, ...DELETE });
  expect(await run()).toMatchObject({ left: 'unknown' });
  await injectFaults();
  const left = await atService();
  expect(left).toMatchObject([{ orderReferenceId: reference, orderType: 'draft' }]);
  return left;
}

function toOrder({ items, shippingAddress }: PrintedOrder): Record<string, unknown> {
  return {
    orderType: 'draft',
    currency: 'EUR',
    customerReferenceId: 'demo-guest',
    items: items.map(({ itemReferenceId, productUid, quantity }) => ({
      itemReferenceId,
      productUid,
      quantity,
      fileUrl: 'https://files.example/poster.pdf',
    })),
    shippingAddress: Object.fromEntries(Object.entries(shippingAddress).filter(([, value]) => value !== null)),
  };
}

async function accountId(): Promise<number> {
  return (await findShop(platen.app, platen.shop.id)).printAccountId ?? 0;
}

async function saveSettings(settings: Record<string, unknown>): Promise<void> {
  await platen.app.db.query('update shops set settings = $2 where id = $1', [platen.shop.id, settings]);
}
