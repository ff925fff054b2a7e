import { parseArgs } from 'node:util';
import { disconnectPrintAccount } from '../shops/disconnect-print-account.ts';
import { findShopArgument } from './find-shop-argument.ts';
import { withApp } from './open-app.ts';
import { UsageError } from './usage-error.ts';

/** `platen shops disconnect SHOP`: removes the shop's print key. */
export async function shopsDisconnect(args: string[]): Promise<void> {
  const [domain, ...rest] = parseArgs({ args, allowPositionals: true }).positionals;
  if (domain === undefined || rest.length > 0) throw new UsageError('Which shop? Give its domain.');
  await withApp(async (app) => {
    const isDone = await disconnectPrintAccount(app, await findShopArgument(app, domain));
    console.log(
      isDone
        ? 'The print account is disconnected. New orders are held until you set a printKey; orders that were sent are still followed.'
        : 'This shop has no print account.',
    );
  });
}
