import type { App } from '../../app.ts';
import type { Shop } from '../../database/entities/shops.ts';
import { planLocation, type LocationPlanPage } from '../../products/location/plan-location.ts';
import { writeLine, writeJson, writeTable } from '../../terminal.ts';
import { describeCount } from '../describe-count.ts';

/** The maximum number of variants to list. The counts include all variants. */
const MAX_LISTED = 20;

type Plan = Omit<LocationPlanPage, 'next'>;

/** `platen location plan`: a dry run of `platen location apply`. */
export async function locationPlan({ json }: { json: boolean }, app: App, shop: Shop): Promise<void> {
  const plan = await planAll(app, shop);
  if (json) writeJson(plan);
  else reportPlan(shop.domain, plan);
}

async function planAll(app: App, shop: Shop): Promise<Plan> {
  const { next: second, ...whole } = await planLocation(app, shop);
  const rates = { without: whole.profilesWithoutRates, areRead: whole.ratesRead };
  for (let after = second; after !== null;) {
    const { next, ...page } = await planLocation(app, shop, { after, rates });
    whole.toStock.push(...page.toStock);
    whole.toUnstock.push(...page.toUnstock);
    whole.withoutRates.push(...page.withoutRates);
    whole.unchanged += page.unchanged;
    after = next;
  }
  return whole;
}

function reportPlan(domain: string, { toStock, toUnstock, withoutRates, unchanged, ...plan }: Plan): void {
  reportSomeVariants("would be stocked at Platen's location", toStock);
  reportSomeVariants('would no longer be stocked there', toUnstock);
  reportSomeVariants(
    'would stay unchanged, because checkouts with these variants would offer no shipping',
    withoutRates,
  );
  writeLine(`${describeCount(unchanged, 'variant')} already correct.`);
  for (const { name } of plan.profilesWithoutRates) {
    const remedy = "Add the location with shipping rates in the store's settings, under Shipping and delivery";
    writeLine(`The delivery profile "${name}" has no rates for Platen's location. ${remedy}.`);
  }
  if (!plan.ratesRead)
    writeLine(
      "Platen could not check whether delivery profiles that include the location have rates for it, because the store has not granted the permission read_shipping. Platen requests the permission when you turn on stockAtLocation on Platen's settings page.",
    );
  if (toStock.length + toUnstock.length > 0)
    writeLine(`Nothing was changed. To make these changes, run "platen location apply --shop ${domain}".`);
}

function reportSomeVariants(what: string, variants: (Plan['toStock'][number] & { profile?: string })[]): void {
  if (variants.length === 0) return;
  writeLine(`${describeCount(variants.length, 'variant')} ${what}:`);
  writeTable(
    ['VARIANT', 'SKU', 'TITLE', 'DELIVERY PROFILE'],
    variants
      .slice(0, MAX_LISTED)
      .map(({ variantId, sku, title, profile }) => [
        variantId.split('/').at(-1) ?? '',
        sku ?? '',
        title,
        profile ?? '',
      ]),
  );
  if (variants.length > MAX_LISTED) writeLine(`and ${variants.length - MAX_LISTED} more`);
}
