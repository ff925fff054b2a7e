import { Like } from 'typeorm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { lastWeek, nextDigestAt } from '../../src/alerts/read-week.ts';
import type { App } from '../../src/app.ts';
import { Holds, StorefrontOrders } from '../../src/database/entities/orders.ts';
import { Shops, type Shop } from '../../src/database/entities/shops.ts';
import { findOrCreatePrintAccount } from '../../src/shops/print-account/print-account.ts';
import { changeSettings } from '../../src/shops/settings/settings.ts';
import { addShop, readJobPayloads, openTestApp, type TestApp } from '../http/test-app.ts';
import { addCosts } from '../orders/costs/add-costs.ts';
import { startMailServer, type MailServer } from './mail-server.ts';
import { atTime } from '../helpers/at-time.ts';
import { toTasks } from '../../src/tasks.ts';

/** The merchant saves the recipient on Wednesday, November 18. The week of the digest is November 16 to 22. */
const WEDNESDAY = new Date('2026-11-18T12:00:00Z');
const MONDAY = new Date('2026-11-23T07:05:00Z');
let base: TestApp;
let shop: Shop;
let mail: MailServer;
let now: Date;

beforeAll(async () => void (base = await openTestApp()));
afterAll(() => base.close());
beforeEach(async () => {
  const { db } = base;
  await db.query('delete from shops; delete from print_accounts; delete from graphile_worker._private_jobs');
  const account = await findOrCreatePrintAccount(base, 'print-key');
  const { id } = await addShop(db, 'lamps.myshopify.com');
  await db.manager.update(Shops, { id }, { printAccountId: account.id, timeZone: 'Europe/Berlin', name: 'Lamps' });
  shop = await db.manager.findOneByOrFail(Shops, { id });
  mail = await startMailServer();
  now = WEDNESDAY;
  await changeSettings(app(), shop, { alertEmails: ['owner@lamps.example'] });
  await pass();
});

function app(): App {
  const config = { ...base.config, mail: { url: mail.url, from: 'platen@platen.example' } };
  return atTime({ ...base, config }, () => now);
}

async function pass(): Promise<void> {
  await toTasks(app()).check_alerts({});
  const jobs = await readJobPayloads(base.db, 'send_alerts');
  await base.db.query('delete from graphile_worker._private_jobs');
  for (const { shopId } of jobs) await toTasks(app()).send_alerts({ shopId: Number(shopId) });
}

/** Adds an order that was paid and confirmed at noon UTC on a day of November, and shipped some hours later. */
async function order(
  number: number,
  day: number,
  { total = 12, hours = 0, held = '' }: { total?: number | null; hours?: number; held?: string } = {},
) {
  await addCosts(app(), shop, number, total, day);
  const at = new Date(Date.UTC(2026, 10, day, 12));
  const shippedAt = hours === 0 ? null : new Date(at.getTime() + hours * 3_600_000);
  const orders = base.db.getRepository(StorefrontOrders);
  const { id } = await orders.findOneByOrFail({ shopId: shop.id, shopifyOrderId: Like(`%/${number}`) });
  await orders.update({ id }, { placedAt: at, paidAt: at });
  await base.db.query('update print_orders set shipped_at = $2 where storefront_order_id = $1', [id, shippedAt]);
  await base.db.query('delete from holds where storefront_order_id = $1', [id]);
  if (held === '') return;
  await base.db.manager.insert(Holds, {
    shopId: shop.id,
    storefrontOrderId: id,
    code: held,
    message: 'x',
    createdAt: at,
    resolvedAt: at,
  });
}

async function fillWeeks(): Promise<void> {
  await Promise.all([
    order(1, 10, { total: 11, hours: 72 }),
    order(2, 16, { hours: 24, held: 'quote_refused' }),
    order(3, 17, { hours: 48, held: 'quote_refused' }),
    order(4, 18, { hours: 60, held: 'no_tracking' }),
    order(5, 19, { total: null }),
    order(6, 23),
  ]);
}

test('the digest is sent once, on Monday after 8:00 in the shop’s time zone, and compares the week with the previous one', async () => {
  await fillWeeks();
  now = new Date('2026-11-23T06:55:00Z');
  await pass();
  expect(mail.mails).toEqual([]);
  now = MONDAY;
  await pass();
  await pass();
  expect(mail.mails).toHaveLength(1);
  const { subject, content } = mail.mails[0]!;
  const text = content.slice(0, content.indexOf('<!doctype'));
  expect(subject).toBe('Lamps: your week with Platen');
  expect(text).toContain('Nov 16, 2026 – Nov 22, 2026');
  expect(text).toContain('Orders placed: 4 (previous week: 1)');
  expect(text).toContain(
    'Time from payment to shipment: 2 days (median of 3 orders shipped that week · previous week: 3 days)',
  );
  expect(text).toContain('Charged by the print service: $36.00 (previous week: $11.00)');
  expect(text).toContain('Paid by buyers: $75.00 (previous week: $25.00)');
  expect(text).toContain('Margin: $39.00 (excluding 1 print order whose margin is unknown · previous week: $14.00)');
  expect(text).toContain('In total: 3 (previous week: none)');
  expect(text).toContain('Quote refused: 2');
  expect(text).toContain('No tracking code: 1');
  expect(content).not.toContain('Ada');
});

test('no digest is sent after a week without activity, or if the merchant has turned the digest off', async () => {
  now = MONDAY;
  await pass();
  await fillWeeks();
  await changeSettings(app(), shop, { weeklyDigest: false });
  now = new Date('2026-11-30T07:05:00Z');
  await pass();
  await changeSettings(app(), shop, { weeklyDigest: true });
  await pass();
  expect(mail.mails).toEqual([]);
  now = new Date('2026-12-07T07:05:00Z');
  await base.db.manager.save(StorefrontOrders, {
    shopId: shop.id,
    shopifyOrderId: 'gid://shopify/Order/77',
    name: '#77',
    placedAt: new Date('2026-12-02T12:00:00Z'),
  });
  await pass();
  expect(mail.mails[0]?.content).toContain('Orders placed: 1 (previous week: 1)');
});

describe('the week of a digest', () => {
  test('runs from Monday to Sunday in the shop’s time zone, even if the clocks change during the week', () => {
    // The clocks in Berlin went back on Sunday, October 25, 2026.
    expect(lastWeek(new Date('2026-10-26T09:00:00Z'), 'Europe/Berlin')).toEqual({
      since: new Date('2026-10-18T22:00:00Z'),
      until: new Date('2026-10-25T23:00:00Z'),
      days: ['2026-10-19', '2026-10-25'],
    });
    expect(lastWeek(MONDAY, null, 1).days).toEqual(['2026-11-09', '2026-11-15']);
    // It is still Sunday in Los Angeles.
    expect(lastWeek(new Date('2026-11-23T07:59:00Z'), 'America/Los_Angeles').days).toEqual([
      '2026-11-09',
      '2026-11-15',
    ]);
  });

  test('is followed by the digest at 8:00 on Monday in the shop’s time zone, or in UTC if the time zone is invalid', () => {
    const next = (moment: string, zone: string | null) => nextDigestAt(new Date(moment), zone).toISOString();
    expect(next('2026-11-18T12:00:00Z', 'Europe/Berlin')).toBe('2026-11-23T07:00:00.000Z');
    expect(next('2026-11-23T06:59:00Z', 'Europe/Berlin')).toBe('2026-11-23T07:00:00.000Z');
    expect(next('2026-11-23T07:00:00Z', 'Europe/Berlin')).toBe('2026-11-30T07:00:00.000Z');
    expect(next('2026-10-20T00:00:00Z', 'Europe/Berlin')).toBe('2026-10-26T07:00:00.000Z');
    expect(next('2026-11-22T20:00:00Z', 'Pacific/Auckland')).toBe('2026-11-29T19:00:00.000Z');
    expect(next('2026-11-18T12:00:00Z', 'Not/AZone')).toBe('2026-11-23T08:00:00.000Z');
  });
});
