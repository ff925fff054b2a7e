import type { App } from '../app.ts';
import type { Shop } from '../database/entities/shops.ts';
import { readPrintKey } from '../shops/print-account/print-account.ts';
import { readPrintWebhookHeader } from '../shops/settings/settings.ts';

/**
 * If the print service is our own stand-in, registers an address for its events; elsewhere the merchant enters it. Rejects if the stand-in
 * cannot be reached.
 */
export async function registerPrintAddress(app: App, shop: Shop, url: string): Promise<void> {
  if (!app.config.sandbox.runsPrint) return;
  const key = await readPrintKey(app, shop);
  if (key === null) return;
  const header = readPrintWebhookHeader(app, shop);
  const headers = header ? { [header.name]: header.value } : {};
  const { registerAddress } = await import('../../sandbox/print/register-address.ts');
  await registerAddress(app.config.print.urls.order, { key, url, headers });
}
