import { parseArgs } from 'node:util';
import { allInStore, countInStore } from '../products/in-store/list-in-store.ts';
import { startKeepingLocation } from '../products/in-store/start-keeping.ts';
import { findShopArgument } from './find-shop-argument.ts';
import { withApp } from './open-app.ts';
import { printInStore } from './print-in-store.ts';
import { untilNoneIsDue } from './until-none-is-due.ts';
import { UsageError } from './usage-error.ts';

/** `platen location apply SHOP [--no-wait]`: does what `platen location plan` shows. Progress goes to standard error. */
export async function locationApply(args: string[]): Promise<void> {
  const options = { 'no-wait': { type: 'boolean', default: false } } as const;
  const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
  const [domain, ...rest] = positionals;
  if (domain === undefined || rest.length > 0) throw new UsageError('Which shop? Give its domain.');
  await withApp(async (app) => {
    const shop = await findShopArgument(app, domain);
    await startKeepingLocation(app, shop);
    if (!values['no-wait']) await untilNoneIsDue(app, shop);
    const { due, stocked, problems } = await countInStore(app, shop);
    if (due > 0)
      console.log(`It is under way, ${due} to go: "platen location list ${domain}" tells how far it has come.`);
    else console.log(`Platen stocks ${stocked} at its location.`);
    if (due > 0 || problems === 0) return;
    await printInStore(allInStore(app, shop, true));
  });
}
