import type { App } from '../../app.ts';
import type { Shop } from '../../database/entities/shops.ts';
import { NotPossibleError } from '../../errors.ts';
import { VARIANTS_PER_CALL } from '../../shopify/calls/stocking.ts';
import { openAdmin } from '../../shops/tokens/tokens.ts';
import { decideLocation } from './decide-location.ts';
import { findRates, type Rates } from './find-rates.ts';
import { readVariants, titleOf, type Candidate, type VariantReading } from '../variant-sync/read-variants.ts';

/** A variant in the location plan. */
interface PlannedVariant {
  variantId: string;
  sku: string | null;
  title: string;
}

/** A page of the location plan: the changes that applying the plan would make. */
export interface LocationPlanPage {
  /** Variants to stock at Platen's location. */
  toStock: PlannedVariant[];
  /** Variants to remove from Platen's location, because Platen has stocked them there and they are no longer printed. */
  toUnstock: PlannedVariant[];
  /** Variants that stay unstocked, because their delivery profile has no rates for the location. */
  withoutRates: (PlannedVariant & { profile: string })[];
  /** The number of variants without a change. */
  unchanged: number;
  /** All delivery profiles that have no rates for the location. */
  profilesWithoutRates: { id: string; name: string }[];
  /**
   * False if the store has not granted the permission to read rates. In that case, only profiles to which the location is not assigned are
   * found.
   */
  ratesRead: boolean;
  /** The next page's `after`. Null on the last page. */
  next: string | null;
}

/**
 * Plans the stocking at Platen's location for a page of the shop's variants that are connected or that Platen has stocked, sorted by ID.
 * Changes nothing. `rates` are the rates that were read for the previous page, so that they need not be read again. Throws NotPossibleError
 * `no_location`, ShopifyError, and the errors of `openAdmin`.
 */
export async function planLocation(
  app: App,
  shop: Shop,
  { after = '', rates }: { after?: string; rates?: Rates | undefined } = {},
): Promise<LocationPlanPage> {
  requireLocation(shop);
  const admin = await openAdmin(app, shop);
  const { without, areRead } = rates ?? (await findRates(app, admin, shop));
  const rows: Candidate[] = await app.db.query(CANDIDATES, [shop.id, after, VARIANTS_PER_CALL]);
  const { readings } = await readVariants(app, admin, shop, rows);
  const names = new Map(without.map(({ id, name }) => [id, name]));
  const profileOf = ({ variant }: VariantReading) => names.get(variant.deliveryProfile?.id ?? '');
  const steps = readings.map((reading) => ({
    reading,
    step: decideLocation({
      ...reading,
      isWanted: reading.isPrinted,
      // The plan assumes that a person applies it, so an earlier removal and a missing permission do not matter.
      wasRemovedByOthers: false,
      mayStock: true,
      hasRates: profileOf(reading) === undefined,
    }),
  }));
  const of = (wanted: string) => steps.filter(({ step }) => step === wanted).map(({ reading }) => reading);
  const [toStock, toUnstock, left] = [of('stock'), of('unstock'), of('no_rates')];
  return {
    toStock: toStock.map(toPlanned),
    toUnstock: toUnstock.map(toPlanned),
    withoutRates: left.map((reading) => ({ ...toPlanned(reading), profile: profileOf(reading) ?? '' })),
    unchanged: readings.length - toStock.length - toUnstock.length - left.length,
    profilesWithoutRates: without,
    ratesRead: areRead,
    next: rows.length < VARIANTS_PER_CALL ? null : (rows.at(-1)?.shopifyVariantId ?? null),
  };
}

/** Throws NotPossibleError `no_location` if the shop is not installed or Platen has no location in its store. */
export function requireLocation({ state, locationId }: Shop): void {
  if (state === 'installed' && locationId !== null) return;
  const message =
    "Platen currently has no location in this store. To sign in and create the location, open Platen once in the store's admin.";
  throw new NotPossibleError('no_location', message);
}

function toPlanned({ variant }: VariantReading): PlannedVariant {
  return { variantId: variant.id, sku: variant.sku, title: titleOf(variant) };
}

const CANDIDATES = `
  select v.id as "shopifyVariantId", r.stocked_at as "stockedAt", r.location_id as "locationId",
    coalesce(c.status = 'connected' and c.deleted_in_store_at is null, false) as "isConnected"
  from (
    select shopify_variant_id as id from variant_connections
    where shop_id = $1 and shopify_variant_id > $2 and status = 'connected' and deleted_in_store_at is null
    union select shopify_variant_id from variants_in_store where shop_id = $1 and shopify_variant_id > $2 and stocked_at is not null
    order by 1 limit $3) v
  left join variant_connections c on c.shop_id = $1 and c.shopify_variant_id = v.id
  left join variants_in_store r on r.shop_id = $1 and r.shopify_variant_id = v.id
  order by 1`;
