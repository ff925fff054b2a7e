import { parseArgs } from 'node:util';
import { summarizeShop } from '../shops/list-shops.ts';
import { settingNames } from '../shops/settings-schema.ts';
import { showSettings } from '../shops/settings.ts';
import { findShopArgument } from './find-shop-argument.ts';
import { withApp } from './open-app.ts';
import { showSetting } from './show-setting.ts';
import { UsageError } from './usage-error.ts';

/** `platen shops show SHOP [--json]` */
export async function shopsShow(args: string[]): Promise<void> {
  const { values, positionals } = parseArgs({ args, options: { json: { type: 'boolean' } }, allowPositionals: true });
  const [domain, ...rest] = positionals;
  if (domain === undefined || rest.length > 0) throw new UsageError('Which shop? Give its domain.');
  await withApp(async (app) => {
    const shop = await findShopArgument(app, domain);
    const summary = await summarizeShop(app, shop);
    const settings = await showSettings(app, shop);
    if (values.json) return console.log(JSON.stringify({ ...summary, settings }));
    const { takesOrdersFrom: _, ...facts } = summary;
    for (const [name, value] of Object.entries(facts)) console.log(`${name}: ${value ?? 'none'}`);
    console.log('');
    for (const name of settingNames) console.log(showSetting(settings, name));
  });
}
