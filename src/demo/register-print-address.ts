import type { App } from '../app.ts';
import type { Shop } from '../database/entities/shops.ts';
import { readPrintKey } from '../shops/print-account/print-account.ts';
import { readPrintWebhookHeader } from '../shops/settings/settings.ts';

/**
 * Registers an address for events if the print service is Platen's own stand-in. For other services, the merchant enters the address.
 * Rejects if the stand-in cannot be reached.
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
