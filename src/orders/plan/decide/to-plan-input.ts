import type { EntityManager } from 'typeorm';
import type { App } from '../../../app.ts';
import type { StorefrontOrder } from '../../../database/entities/orders.ts';
import type { Shop } from '../../../database/entities/shops.ts';
import { readSettings } from '../../../shops/settings/settings.ts';
import { toRecipient } from './to-recipient.ts';
import type { PlanInput } from './plan.ts';
import type { OwnRows } from '../../rows/own-rows.ts';
import { readPlanFacts } from '../read/read-plan-facts.ts';
import type { StoreReading } from '../../facts/store-reading.ts';

/** The columns of an order's row that the plan needs. The row may not exist yet. */
export type OrderPlanColumns = PlanInput['decisions'] &
  Pick<StorefrontOrder, 'askAgainAt' | 'backfilledAt' | 'lineVariants'>;

const EPOCH = new Date(0);

/** Collects everything that determines an order's plan: facts from the store and the database, and the shop's settings. */
export async function toPlanInput(
  app: App,
  manager: EntityManager,
  {
    shop,
    columns,
    reading,
    rows,
  }: {
    shop: Shop;
    columns: OrderPlanColumns;
    reading: StoreReading;
    rows: OwnRows;
  },
): Promise<PlanInput> {
  const settings = readSettings(shop);
  const { anotherAppPrints, ...facts } = await readPlanFacts(manager, shop, reading, rows, columns.lineVariants);
  const { locationId, formerLocationIds, printAccountId, timeZone } = shop;
  const takesOrdersFrom = isBackfilled(shop, columns) ? EPOCH : shop.takesOrdersFrom;
  return {
    order: reading,
    shop: {
      locationId,
      formerLocationIds,
      takesOrdersFrom,
      hasPrintAccount: printAccountId !== null,
      anotherAppPrints,
      timeZone,
    },
    decisions: columns,
    settings,
    ...facts,
    formerFileProperties: readFormerProperties(shop, reading),
    canRequestAgain: columns.askAgainAt !== null,
    recipient: toRecipient(reading, shop, settings),
    now: app.clock.now(),
  };
}

/**
 * Returns the former print file properties that were in effect when the order was placed or later, because the store may have written any
 * of them to the order.
 */
function readFormerProperties({ formerPrintFileProperties }: Shop, { createdAt }: StoreReading): string[] {
  const placedAt = Date.parse(createdAt);
  return formerPrintFileProperties.filter(({ until }) => Date.parse(until) >= placedAt).map(({ name }) => name);
}

/**
 * Returns whether a backfill imported the order during the current installation. Platen prints such an order even though it is older than
 * the installation.
 */
export function isBackfilled(
  { installedAt }: Pick<Shop, 'installedAt'>,
  { backfilledAt }: Pick<StorefrontOrder, 'backfilledAt'>,
): boolean {
  return backfilledAt !== null && backfilledAt >= installedAt;
}
