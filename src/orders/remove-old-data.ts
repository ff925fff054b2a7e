import { MoreThan, type EntityManager } from 'typeorm';
import type { App } from '../app.ts';
import { Shops, type Shop } from '../database/entities/shops.ts';
import { readSettings } from '../shops/settings/settings.ts';
import { eraseQuotedMessages } from './privacy/erase-quoted-messages.ts';
import { expireUnsentOrders } from './privacy/expire-unsent-orders.ts';
import { stateInSql } from './facts/order-state.ts';

/** Deliveries are stored for this long, so that Platen can recognize late duplicates. Counts of callbacks are kept for the same time. */
const DELIVERY_DAYS = 30;
/** The app shows polls for as many days as deliveries. */
const POLL_DAYS = 30;
/** The app shows the outcome of a product request for this long. */
const NEW_PRODUCT_DAYS = 90;
/** Maximum rows per statement, which keeps locks and transactions short. */
const ROWS = 5_000;
const PRINT_ORDERS = 200;
/** The number of shops read at a time. */
const SHOPS = 500;
/** The longest time for which Platen stores an address, even if the print order never ends or is never sent. */
const MAX_DAYS = 90;

/**
 * Removes old deliveries, counts of callbacks, logged polls and finished product requests, and removes personal data after the shop's
 * retention time. The retention time starts when the print order ends or, in an uninstalled shop, with the uninstall. A print order's data
 * is removed 90 days after its creation at the latest. Platen then gives up on an order that was never sent. A shop whose tokens were
 * refused is treated as uninstalled, because the webhook about the uninstall may have been lost.
 */
export async function removeOldData(app: App): Promise<void> {
  const now = app.clock.now();
  await removeBefore(app, DELIVERIES, daysBefore(now, DELIVERY_DAYS));
  await removeBefore(app, POLLS, daysBefore(now, POLL_DAYS));
  await removeBefore(app, CALLBACK_HOURS, daysBefore(now, DELIVERY_DAYS));
  await removeBefore(app, NEW_PRODUCTS, daysBefore(now, NEW_PRODUCT_DAYS));
  for (let after = 0; ;) {
    const shops = await app.db.manager.find(Shops, {
      where: { id: MoreThan(after) },
      order: { id: 'ASC' },
      take: SHOPS,
    });
    for (const shop of shops) await removeShopData(app, shop, now);
    const last = shops.at(-1);
    if (!last || shops.length < SHOPS) return;
    after = last.id;
  }
}

function daysBefore(now: Date, days: number): Date {
  return new Date(now.getTime() - days * 86_400_000);
}

const DELIVERIES =
  'delete from deliveries where id in (select id from deliveries where received_at < $1 order by received_at limit $2)';

const POLLS = 'delete from poll_log where id in (select id from poll_log where hour < $1 order by hour limit $2)';
const CALLBACK_HOURS = `delete from callback_hours where (shop_id, kind, hour) in
  (select shop_id, kind, hour from callback_hours where hour < $1 order by hour limit $2)`;

/** Unfinished requests have no finish time, so they are not deleted. */
const NEW_PRODUCTS =
  'delete from new_products where id in (select id from new_products where finished_at < $1 order by id limit $2)';

async function removeBefore(app: App, statement: string, before: Date): Promise<void> {
  for (;;) {
    const [, removed]: [unknown, number] = await app.db.query(statement, [before, ROWS]);
    if (removed < ROWS) return;
  }
}

async function removeShopData(app: App, shop: Shop, now: Date): Promise<void> {
  const { retentionDays } = readSettings(shop);
  const since = daysBefore(now, retentionDays);
  const longest = daysBefore(now, MAX_DAYS);
  const goneAt = { installed: null, leaving: null, needs_sign_in: shop.signedOutAt, uninstalled: shop.uninstalledAt }[
    shop.state
  ];
  const isGone = goneAt !== null && goneAt < since;
  const due = { id: shop.id, since, longest, isGone, now };
  while ((await app.db.transaction((manager) => removeBatch(manager, due))) === PRINT_ORDERS);
  await app.db.transaction((manager) => expireUnsentOrders(app, manager, shop, longest));
}

/**
 * Removes personal data in batches. If the shop has removed Platen, also closes unsent print orders, because they cannot be sent without
 * their bodies.
 */
async function removeBatch(
  manager: EntityManager,
  { id, since, longest, isGone, now }: { id: number; since: Date; longest: Date; isGone: boolean; now: Date },
): Promise<number> {
  const [removed]: [{ storefront_order_id: string }[], number] = await manager.query(
    `update print_orders p set recipient_encrypted = null, body_encrypted = null,
       closed_at = case when $4 and p.confirm_started_at is null then coalesce(p.closed_at, $5) else p.closed_at end,
       closed_reason = case when $4 and p.confirm_started_at is null then coalesce(p.closed_reason, 'uninstalled') else p.closed_reason end
     where p.id in (
       select p.id from print_orders p
       where p.shop_id = $1 and (p.recipient_encrypted is not null or p.body_encrypted is not null)
         and ($4
           or (p.created_at < $3 and (p.confirmed_at is not null or p.closed_at is not null or ${stateInSql('ended')}))
           or (p.updated_at < $2 and (${stateInSql('ended')} or p.fenced_at is not null
             or exists (select from storefront_orders o where o.id = p.storefront_order_id and o.canceled_at is not null))))
       order by p.id limit $6 for no key update)
     returning p.storefront_order_id`,
    [id, since, longest, isGone, now, PRINT_ORDERS],
  );
  await eraseQuotedMessages(
    manager,
    removed.map(({ storefront_order_id: storefrontOrderId }) => storefrontOrderId),
  );
  return removed.length;
}
