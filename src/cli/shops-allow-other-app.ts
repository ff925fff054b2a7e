import { parseArgs } from 'node:util';
import { allowOtherApp } from '../orders/by-hand/allow-other-app.ts';
import { findShopArgument } from './find-shop-argument.ts';
import { withApp } from './open-app.ts';
import { UsageError } from './usage-error.ts';

/** `platen shops allow-other-app SHOP`: another app prints orders of the same print account, and this shop's orders go on all the same. */
export async function shopsAllowOtherApp(args: string[]): Promise<void> {
  const [domain, ...rest] = parseArgs({ args, allowPositionals: true }).positionals;
  if (domain === undefined || rest.length > 0) throw new UsageError('Which shop? Give its domain.');
  await withApp(async (app) => {
    const shop = await findShopArgument(app, domain);
    const isNews = await allowOtherApp(app, shop);
    console.log(
      isNews ? 'The other app is allowed: held orders go on.' : 'No other app was found that is not allowed yet.',
    );
  });
}
