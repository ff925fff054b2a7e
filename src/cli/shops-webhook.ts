import { parseArgs } from 'node:util';
import { makePrintWebhookAddress } from '../shops/print-webhook-address.ts';
import { findShopArgument } from './find-shop-argument.ts';
import { withApp } from './open-app.ts';
import { registerPrintAddress } from '../register-print-address.ts';
import { UsageError } from './usage-error.ts';

/** `platen shops webhook SHOP`: writes the URL and nothing else. */
export async function shopsWebhook(args: string[]): Promise<void> {
  const [domain, ...rest] = parseArgs({ args, allowPositionals: true }).positionals;
  if (domain === undefined || rest.length > 0) throw new UsageError('Which shop? Give its domain.');
  await withApp(async (app) => {
    const shop = await findShopArgument(app, domain);
    const url = await makePrintWebhookAddress(app, shop);
    console.log(url);
    await registerPrintAddress(app, shop, url).catch(() => {
      console.error('The address is valid, but the print stand-in could not be told: run this again when it is up.');
    });
  });
}
