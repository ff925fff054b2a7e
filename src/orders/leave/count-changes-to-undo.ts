import type { App } from '../../app.ts';
import type { Shop } from '../../database/entities/shops.ts';
import { ConnectionMetafields } from '../../database/entities/store-products.ts';
import { hasJobSql } from '../../jobs/has-job.ts';
import { countVariantsInStore } from '../../products/variant-sync/list-variants-in-store.ts';
import type { OptionalScope } from '../../shopify/auth/access-scopes.ts';
import { CAN_BE_STOPPED } from '../../shops/install/close-unsent-orders.ts';
import { readGrantedScopes, settingScopes } from '../../shops/tokens/scopes.ts';
import { ORDER_HAS_HOLDS, ORDER_HAS_METAFIELDS, ORDER_HAS_TAGS } from './written-to-store.ts';
import { stateInSql } from '../facts/order-state.ts';

/** The changes that leaving a shop undoes, by kind. */
export interface UndoableChanges {
  /** The number of orders with fulfillment orders that Platen holds. */
  held: number;
  /** The number of orders with Platen's tags. */
  tagged: number;
  /** The number of orders with Platen's metafields. */
  orderMetafields: number;
  /** The number of Platen's carrier services, which provide shipping rates at checkout: 0 or 1. */
  carrierServices: number;
  /** The number of variants that Platen has stocked at its location. */
  stocked: number;
  /** The number of variants that Platen has made unavailable for sale. */
  hidden: number;
  /** The number of products and variants with Platen's metafield. */
  metafields: number;
  /**
   * The number of unsent print orders, which Platen closes and whose drafts it deletes, and of print orders with a pending cancellation.
   */
  unsent: number;
}

/** The changes that leaving a shop undoes, and the print orders and missing permissions that it cannot change. */
export interface ChangesToUndo extends UndoableChanges {
  /** The number of unsent print orders that have a pending job. */
  underWay: number;
  /**
   * The number of print orders that the service is printing or has shipped. The service completes these print orders, but Platen no longer
   * adds their parcels to the store.
   */
  live: number;
  /** Missing permissions, without which Platen cannot undo some of these changes. */
  missingScopes: OptionalScope[];
}

/** The optional permission that is required to undo each kind of change. */
export const scopeToUndo: Partial<Record<keyof UndoableChanges, OptionalScope>> = {
  tagged: settingScopes.tagsOrders,
  orderMetafields: settingScopes.writesOrderMetafields,
  carrierServices: settingScopes.liveRates,
  hidden: settingScopes.hideOutOfStock,
  metafields: settingScopes.writesConnectionStatus,
};

/** Counts the changes that leaving would undo. Changes nothing. */
export async function countChangesToUndo(app: App, { id }: Pick<Shop, 'id'>): Promise<ChangesToUndo> {
  const { stocked, hidden } = await countVariantsInStore(app, { id });
  const metafields = await app.db.manager.countBy(ConnectionMetafields, { shopId: id });
  const orders = await countOrders(app, id);
  const undoable = { ...orders, stocked, hidden, metafields, ...(await countPrintOrders(app, id)) };
  const granted = await readGrantedScopes(app, { id });
  const needed = Object.entries(scopeToUndo).flatMap(([what, scope]) =>
    undoable[what as keyof UndoableChanges] > 0 && !granted.has(scope) ? [scope] : [],
  );
  return { ...undoable, missingScopes: [...new Set(needed)] };
}

type OfOrders = Pick<UndoableChanges, 'held' | 'tagged' | 'orderMetafields' | 'carrierServices'>;

async function countOrders(app: App, shopId: number): Promise<OfOrders> {
  const [row]: OfOrders[] = await app.db.query(
    `select count(*) filter (where ${ORDER_HAS_HOLDS})::int as held, count(*) filter (where ${ORDER_HAS_TAGS})::int as tagged,
       count(*) filter (where ${ORDER_HAS_METAFIELDS})::int as "orderMetafields",
       (select count(*)::int from shops where id = $1 and (carrier_service_id is not null or rates_token_hash is not null)) as "carrierServices"
     from storefront_orders o where o.shop_id = $1 and o.told <> '{}'`,
    [shopId],
  );
  return row ?? { held: 0, tagged: 0, orderMetafields: 0, carrierServices: 0 };
}

type OfPrintOrders = Pick<ChangesToUndo, 'unsent' | 'underWay' | 'live'>;

async function countPrintOrders(app: App, shopId: number): Promise<OfPrintOrders> {
  const [row]: OfPrintOrders[] = await app.db.query(
    `select count(*) filter (where "willEnd")::int as unsent, count(*) filter (where "isOrdered" and not "willEnd")::int as live,
       count(*) filter (where "willEnd" and ${hasJobSql(`'submit:' || one.id`)})::int as "underWay"
     from (select p.id, ${PRINT_ORDER_NEEDS_FENCE} or (${CAN_BE_STOPPED}) as "willEnd",
         p.confirmed_at is not null and not ${stateInSql('ended')} and p.fenced_at is null as "isOrdered"
       from print_orders p where p.shop_id = $1) one`,
    [shopId],
  );
  return row ?? { unsent: 0, underWay: 0, live: 0 };
}

/** Returns whether a job that undoes Platen's changes for a leaving shop is running or waiting. */
export async function isUndoInProgress(app: App, { id }: Pick<Shop, 'id'>): Promise<boolean> {
  const keys = ['leave_store', 'clear_store', 'keep_variants', 'keep_carrier_service', 'write_connections'];
  const [row]: { isUnderWay: boolean }[] = await app.db.query(
    `select ${hasJobSql(keys.map((task) => `'${task}:' || s.id`).join(', '))} as "isUnderWay" from shops s where s.id = $1`,
    [id],
  );
  return row?.isUnderWay === true;
}

/**
 * SQL: print order `p` was closed before it was sent, or is being canceled, and Platen has not yet proven that nothing remains of it at the
 * service.
 */
export const PRINT_ORDER_NEEDS_FENCE = `(p.fenced_at is null and ((p.closed_at is not null and p.confirmed_at is null)
  or (p.cancel_requested_at is not null and not ${stateInSql('ended')}
    and not exists (select from deviations d where d.print_order_id = p.id and d.cancel_refused_at is not null))))`;
