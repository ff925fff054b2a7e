import type { EntityManager } from 'typeorm';
import type { App } from '../../../app.ts';
import type { StorefrontOrder } from '../../../database/entities/orders.ts';
import type { Shop } from '../../../database/entities/shops.ts';
import { readSettings } from '../../../shops/settings/settings.ts';
import { toRecipient } from './to-recipient.ts';
import type { PlanInput } from './plan.ts';
import type { OwnRows } from '../../rows/own-rows.ts';
import { readPlanFacts } from '../read-plan-facts.ts';
import type { StoreReading } from '../../facts/store-reading.ts';

/** What the plan must know of our row of an order; it may have none yet. */
export type OrderSaid = PlanInput['said'] & Pick<StorefrontOrder, 'askAgainAt' | 'backfilledAt' | 'lineVariants'>;

const EVER = new Date(0);

/** All that an order is planned from: what the store and the database say of it, and the shop's settings. */
export async function toPlanInput(
  app: App,
  manager: EntityManager,
  { shop, said, reading, rows }: { shop: Shop; said: OrderSaid; reading: StoreReading; rows: OwnRows },
): Promise<PlanInput> {
  const settings = readSettings(shop);
  const { anotherAppPrints, ...facts } = await readPlanFacts(manager, shop, reading, rows, said.lineVariants);
  const { locationId, printAccountId, timeZone } = shop;
  const takesOrdersFrom = isBackfilled(shop, said) ? EVER : shop.takesOrdersFrom;
  return {
    order: reading,
    shop: { locationId, takesOrdersFrom, hasPrintAccount: printAccountId !== null, anotherAppPrints, timeZone },
    said,
    settings,
    ...facts,
    formerFileProperties: readFormerProperties(shop, reading),
    asksAgain: said.askAgainAt !== null,
    recipient: toRecipient(reading, shop, settings),
    now: app.now(),
  };
}

/** A form writes the property that the setting names when the order is placed. */
function readFormerProperties({ formerPrintFileProperties }: Shop, { createdAt }: StoreReading): string[] {
  const placedAt = Date.parse(createdAt);
  return formerPrintFileProperties.filter(({ until }) => Date.parse(until) >= placedAt).map(({ name }) => name);
}

/** Whether a backfill of this install of the shop has named the order: it is printed although it was placed before. */
export function isBackfilled(
  { installedAt }: Pick<Shop, 'installedAt'>,
  { backfilledAt }: Pick<StorefrontOrder, 'backfilledAt'>,
): boolean {
  return backfilledAt !== null && backfilledAt >= installedAt;
}
