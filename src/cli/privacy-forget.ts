import { parseArgs } from 'node:util';
import { PlatenError } from '../errors.ts';
import { receiveShopRedact } from '../orders/privacy/receive-shop-redact.ts';
import { uninstallShop } from '../shops/uninstall.ts';
import { findShopArgument } from './find-shop-argument.ts';
import { withApp } from './open-app.ts';
import { UsageError } from './usage-error.ts';

/** `platen privacy forget SHOP`: deletes a shop that has removed Platen as `shop/redact` does, such as after a restore. */
export async function privacyForget(args: string[]): Promise<void> {
  const { positionals } = parseArgs({ args, allowPositionals: true });
  const [domain, ...rest] = positionals;
  if (domain === undefined || rest.length > 0) throw new UsageError('Which shop? Give its domain.');
  await withApp(async (app) => {
    const shop = await findShopArgument(app, domain);
    if (shop.state === 'installed' || shop.state === 'leaving')
      throw new PlatenError('shop_installed', `${shop.domain} has Platen installed: it is not erased.`);
    // A restored database may not know of the uninstall: then the store refuses the token it has.
    await uninstallShop(app, shop);
    await receiveShopRedact(app, shop);
  });
}
