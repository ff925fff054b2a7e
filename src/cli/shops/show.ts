import type { App } from '../../app.ts';
import type { Shop } from '../../database/entities/shops.ts';
import { describeRatesProblem, NO_FALLBACK_RATES } from '../../rates/rates-problems.ts';
import { summarizeShop } from '../../shops/list-shops.ts';
import { readSilentSources } from '../../shops/record-polled-changes.ts';
import { describeQuietTime } from '../../shops/print-account/read-quiet-until.ts';
import { settingsWithoutScope } from '../../shops/tokens/scopes.ts';
import { advancedSettings, basicSettings } from '../../shops/settings/settings-schema.ts';
import { showSettings } from '../../shops/settings/settings.ts';
import { writeLine, writeJson } from '../../terminal.ts';
import { showSetting } from './show-setting.ts';

const STORE_REMEDY =
  "Check the app's webhook subscriptions, which are deployed with shopify.app.toml, and the app's public address.";
const PRINT_REMEDY =
  'Create an address with "platen shops webhook" and enter it in the dashboard of the print service for all order events.';

/** Returns the warning for a source whose deliveries do not arrive although polls find changes. */
function describeSilence(since: Date, what: string, remedy: string): string {
  return `No ${what} has arrived since ${since.toISOString()}, although polls found changes. ${remedy}`;
}

/** `platen shops show`: shows a shop and its settings. */
export async function shopsShow({ json }: { json: boolean }, app: App, shop: Shop): Promise<void> {
  const summary = await summarizeShop(app, shop);
  const settings = await showSettings(app, shop);
  const withoutScope = await settingsWithoutScope(app, shop);
  const { ratesProblem } = shop;
  const silentSince = await readSilentSources(app, shop);
  const found = { settings, settingsWithoutScope: withoutScope, ratesProblem, silentSince };
  if (json) return writeJson({ ...summary, ...found });
  const { takesOrdersFrom: _, ...facts } = summary;
  for (const [name, value] of Object.entries(facts)) writeLine(`${name}: ${value ?? 'none'}`);
  if (summary.quietUntil) ['', describeQuietTime(new Date(summary.quietUntil))].forEach(writeLine);
  writeLine('');
  for (const name of basicSettings) writeLine(showSetting(settings, name));
  ['', 'Advanced:'].forEach(writeLine);
  for (const name of advancedSettings) writeLine(showSetting(settings, name));
  if (withoutScope.length > 0) writeLine('');
  for (const { setting, scope } of withoutScope)
    writeLine(`${setting} has no effect: the store has revoked the permission ${scope}.`);
  const problem = describeRatesProblem(ratesProblem);
  const notes = [
    silentSince.shopify && describeSilence(silentSince.shopify, 'webhook from the store', STORE_REMEDY),
    silentSince.print && describeSilence(silentSince.print, 'event from the print service', PRINT_REMEDY),
    problem && `liveRates: ${problem.message} ${problem.steps}`,
    settings.liveRates && settings.fallbackRates.length === 0 && NO_FALLBACK_RATES,
  ];
  for (const note of notes) if (note) ['', note].forEach(writeLine);
}
