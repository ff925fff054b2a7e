import type { App } from '../../app.ts';
import type { Shop } from '../../database/entities/shops.ts';
import { NotPossibleError } from '../../errors.ts';
import { PrintServiceError } from '../../print/errors.ts';
import type { PortQuote, PortQuoteRequest } from '../../print/port.ts';
import { toReadableError } from '../../products/print-service/to-readable-error.ts';
import { openPrintPort } from '../../shops/print-account/print-account.ts';
import type { Settings } from '../../shops/settings/settings.ts';

/**
 * Requests a quote whose prices and methods are only shown to someone. A quote is free and creates nothing. Throws NotPossibleError without
 * a print account, and the errors of `toReadableError`.
 */
export async function requestSampleQuote(
  app: App,
  shop: Shop,
  settings: Settings,
  request: PortQuoteRequest,
): Promise<PortQuote[]> {
  if (shop.printAccountId === null)
    throw new NotPossibleError('no_print_account', 'Enter the key of your print account first.');
  try {
    const { port } = await openPrintPort(app, shop.printAccountId, { ...settings, shopId: shop.id });
    return await port.quote(request);
  } catch (error) {
    if (!(error instanceof PrintServiceError)) throw error;
    throw toReadableError(error, 'a quote for this order');
  }
}
