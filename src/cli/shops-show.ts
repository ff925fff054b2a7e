import { parseArgs } from 'node:util';
import { describeRatesProblem, NO_FALLBACK_RATES } from '../rates/rates-problems.ts';
import { summarizeShop } from '../shops/list-shops.ts';
import { readSilentSources } from '../shops/poll-news.ts';
import { describeQuiet } from '../shops/read-quiet-until.ts';
import { settingsWithoutScope } from '../shops/scopes.ts';
import { settingNames } from '../shops/settings-schema.ts';
import { showSettings } from '../shops/settings.ts';
import { findShopArgument } from './find-shop-argument.ts';
import { withApp } from './open-app.ts';
import { showSetting } from './show-setting.ts';
import { UsageError } from './usage-error.ts';

const STORE_REMEDY =
  'Look at the webhook subscriptions of the app, deployed with shopify.app.toml, and at its public address.';
const PRINT_REMEDY = 'Enter the address of "platen shops webhook" at the print service, for all order events.';

/** What does not arrive, and what to do about it. */
function toSilence(since: Date, what: string, remedy: string): string {
  return `No ${what} has arrived since ${since.toISOString()}, though polls found something. ${remedy}`;
}

/** `platen shops show SHOP [--json]` */
export async function shopsShow(args: string[]): Promise<void> {
  const { values, positionals } = parseArgs({ args, options: { json: { type: 'boolean' } }, allowPositionals: true });
  const [domain, ...rest] = positionals;
  if (domain === undefined || rest.length > 0) throw new UsageError('Which shop? Give its domain.');
  await withApp(async (app) => {
    const shop = await findShopArgument(app, domain);
    const summary = await summarizeShop(app, shop);
    const settings = await showSettings(app, shop);
    const withoutScope = await settingsWithoutScope(app, shop);
    const { ratesProblem } = shop;
    const silentSince = await readSilentSources(app, shop);
    const found = { settings, settingsWithoutScope: withoutScope, ratesProblem, silentSince };
    if (values.json) return console.log(JSON.stringify({ ...summary, ...found }));
    const { takesOrdersFrom: _, ...facts } = summary;
    for (const [name, value] of Object.entries(facts)) console.log(`${name}: ${value ?? 'none'}`);
    if (summary.quietUntil) console.log(`\n${describeQuiet(new Date(summary.quietUntil))}`);
    console.log('');
    for (const name of settingNames) console.log(showSetting(settings, name));
    if (withoutScope.length > 0) console.log('');
    for (const { setting, scope } of withoutScope)
      console.log(`${setting} has no effect: the store has taken back the permission ${scope}.`);
    if (silentSince.shopify) console.log(`\n${toSilence(silentSince.shopify, 'webhook of the store', STORE_REMEDY)}`);
    if (silentSince.print) console.log(`\n${toSilence(silentSince.print, 'event of the print service', PRINT_REMEDY)}`);
    const problem = describeRatesProblem(ratesProblem);
    if (problem) console.log(`\nliveRates: ${problem.message} ${problem.steps}`);
    if (settings.liveRates && settings.fallbackRates.length === 0) console.log(`\n${NO_FALLBACK_RATES}`);
  });
}
