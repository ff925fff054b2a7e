import { parseArgs } from 'node:util';
import { allInStore } from '../products/in-store/list-in-store.ts';
import { findShopArgument } from './find-shop-argument.ts';
import { withApp } from './open-app.ts';
import { printInStore } from './print-in-store.ts';
import { printJsonList } from './print-json-list.ts';
import { UsageError } from './usage-error.ts';

/** `platen location list SHOP [--problems] [--json]`: what Platen has set of the shop's variants in the store. */
export async function locationList(args: string[]): Promise<void> {
  const flag = { type: 'boolean', default: false } as const;
  const { values, positionals } = parseArgs({ args, options: { json: flag, problems: flag }, allowPositionals: true });
  const [domain, ...rest] = positionals;
  if (domain === undefined || rest.length > 0) throw new UsageError('Which shop? Give its domain.');
  await withApp(async (app) => {
    const variants = allInStore(app, await findShopArgument(app, domain), values.problems);
    if (values.json) await printJsonList(variants);
    else await printInStore(variants);
  });
}
