import type { App } from '../../app.ts';
import type { Shop } from '../../database/entities/shops.ts';
import { NotPossibleError } from '../../errors.ts';
import type { ExtendedCalls, PrintService } from '../../print/client.ts';
import { openPrintAccount } from '../../shops/print-account/print-account.ts';
import { readSettings } from '../../shops/settings/settings.ts';

/** The print service, opened with a shop's own key. Used for requests where a person is waiting for the response. */
export interface ShopService {
  accountId: number;
  service: PrintService;
}

/** Opens the print service for a shop. Throws NotPossibleError `no_print_account`, and PlatenError `cannot_decrypt`. */
export async function openService(app: App, shop: Shop): Promise<ShopService> {
  if (shop.printAccountId === null)
    throw new NotPossibleError(
      'no_print_account',
      'The shop has no API key for the print service yet. Enter it in the settings.',
      { change: 'printKey=KEY' },
    );
  const { extendedCalls } = readSettings(shop);
  const { account, service } = await openPrintAccount(app, shop.printAccountId, { extendedCalls, shopId: shop.id });
  return { accountId: account.id, service };
}

/** Returns the extended calls. Throws NotPossibleError `extended_calls_off` for a shop that does not use them. */
export function requireExtendedCalls({ extended }: PrintService, what: string): ExtendedCalls {
  if (extended !== 'unsupported') return extended;
  throw new NotPossibleError(
    'extended_calls_off',
    `${what} requires print service calls that this shop does not use. If your account has these calls, switch on “My account can read, confirm and cancel orders” in the settings.`,
    { change: 'extendedCalls=on' },
  );
}
