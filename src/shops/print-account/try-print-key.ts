import type { App } from '../../app.ts';
import type { Shop } from '../../database/entities/shops.ts';
import { InvalidInputError, PlatenError } from '../../errors.ts';
import { PrintServiceError } from '../../print/errors.ts';
import { getTraits } from '../../print/get-traits.ts';
import { findShop } from '../find-shop.ts';
import { openPortWithKey, readPrintKey } from './print-account.ts';
import { fillSettings, parseSettingsChange } from '../settings/settings-schema.ts';

const COPY_AGAIN = 'Copy the key again from your print service account.';

/** The key could not be tested, so it is unknown whether it is valid. Nothing was changed. */
export class PrintServiceUnavailableError extends PlatenError {
  constructor(what: string, options: ErrorOptions) {
    const message = `The key could not be tested: ${what}. Nothing was changed. Try again in a few minutes.`;
    super('print_service_unavailable', message, options);
  }
}

/**
 * Tests the print key in a change of a shop's settings, if the change contains a key. The test searches for an order that cannot exist,
 * through the print interface that the shop will use after the change. The search is free, creates no order and is not stored. Throws
 * InvalidInputError if the service rejects the key or the change is invalid, and PrintServiceUnavailableError if the service does not
 * respond properly.
 */
export async function tryPrintKey(app: App, shop: Pick<Shop, 'id'>, change: unknown): Promise<void> {
  const { printKey: key, ...settings } = parseSettingsChange(change);
  if (!key) return;
  const kept = await findShop(app, shop.id);
  await tryKey(app, key, fillSettings({ ...kept.settings, ...settings }), `${COPY_AGAIN} Nothing was changed.`);
}

/** Tests a shop's saved print key as `tryPrintKey` does. Throws the same errors, and InvalidInputError if no key is saved. */
export async function trySavedKey(app: App, shop: Shop): Promise<void> {
  const key = await readPrintKey(app, shop);
  if (key === null) throw new InvalidInputError('printKey', 'No key is saved yet. Enter the key first.');
  await tryKey(app, key, fillSettings(shop.settings), COPY_AGAIN);
}

async function tryKey(app: App, key: string, choice: ReturnType<typeof fillSettings>, remedy: string): Promise<void> {
  try {
    const orders = openPortWithKey(app, key, choice).find({
      orderReferenceIds: [getTraits(choice.printInterface).unusedReference],
    });
    await orders[Symbol.asyncIterator]().next();
  } catch (error) {
    if (!(error instanceof PrintServiceError)) throw error;
    if (error.outcome === 'account_refused') throw new InvalidInputError('printKey', toRefusal(error, key, remedy));
    // The service knows the account, although the account has no credit.
    if (error.problem === 'payment_required') return;
    throw new PrintServiceUnavailableError(describeStatus(error), { cause: error });
  }
}

function toRefusal({ serviceMessage }: PrintServiceError, key: string, remedy: string): string {
  // The service's message may repeat the key, which must not be shown.
  const words = serviceMessage?.replaceAll(key, '…').trim() ?? '';
  const says = words === '' ? '' : ` It says: ${words}${/[.!?]$/.test(words) ? '' : '.'}`;
  return `The print service does not accept this key.${says} ${remedy}`;
}

function describeStatus({ status }: PrintServiceError): string {
  if (status === null) return 'the print service does not respond';
  if (status === 429) return 'the print service received too many requests';
  return `the print service responds with error ${status}`;
}
