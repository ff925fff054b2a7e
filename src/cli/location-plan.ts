import { parseArgs } from 'node:util';
import type { App } from '../app.ts';
import type { Shop } from '../database/shops.ts';
import { planLocation, type LocationPlanPage } from '../products/in-store/plan-location.ts';
import { findShopArgument } from './find-shop-argument.ts';
import { withApp } from './open-app.ts';
import { printTable } from './print-table.ts';
import { UsageError } from './usage-error.ts';

/** Variants that are listed; all are counted. */
const MOST_LISTED = 20;

type Plan = Omit<LocationPlanPage, 'next'>;

/** `platen location plan SHOP [--json]`: a dry run of `platen location apply`. */
export async function locationPlan(args: string[]): Promise<void> {
  const options = { json: { type: 'boolean', default: false } } as const;
  const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
  const [domain, ...rest] = positionals;
  if (domain === undefined || rest.length > 0) throw new UsageError('Which shop? Give its domain.');
  await withApp(async (app) => {
    const plan = await planAll(app, await findShopArgument(app, domain));
    if (values.json) console.log(JSON.stringify(plan));
    else show(domain, plan);
  });
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

function show(domain: string, { toStock, toUnstock, withoutRates, unchanged, ...plan }: Plan): void {
  showSome('would be stocked at Platen’s location', toStock);
  showSome('would be stocked there no more', toUnstock);
  showSome('would be left as they are, since checkouts with them would find no shipping', withoutRates);
  console.log(`${countOf(unchanged)} as they should be.`);
  for (const { name } of plan.profilesWithoutRates) {
    const remedy = "add the location, with rates, in the store's settings (Shipping and delivery)";
    console.log(`The delivery profile "${name}" has no rates for Platen's location: ${remedy}.`);
  }
  if (!plan.ratesRead)
    console.log(
      "Of the delivery profiles only those were found that do not know the location: the store has not given the permission read_shipping, which is asked for when stockAtLocation is switched on in Platen's page.",
    );
  if (toStock.length + toUnstock.length > 0)
    console.log(`Nothing was changed. "platen location apply ${domain}" does it.`);
}

function showSome(what: string, variants: (Plan['toStock'][number] & { profile?: string })[]): void {
  if (variants.length === 0) return;
  console.log(`${countOf(variants.length)} ${what}:`);
  printTable(
    ['VARIANT', 'SKU', 'TITLE', 'DELIVERY PROFILE'],
    variants
      .slice(0, MOST_LISTED)
      .map(({ variantId, sku, title, profile }) => [
        variantId.split('/').at(-1) ?? '',
        sku ?? '',
        title,
        profile ?? '',
      ]),
  );
  if (variants.length > MOST_LISTED) console.log(`and ${variants.length - MOST_LISTED} more`);
}

function countOf(variants: number): string {
  return `${variants} ${variants === 1 ? 'variant' : 'variants'}`;
}
