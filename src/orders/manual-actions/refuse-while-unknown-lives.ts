import { In } from 'typeorm';
import type { Hold } from '../../database/entities/orders.ts';
import { PrintOrders } from '../../database/entities/print-orders.ts';
import { NotPossibleError } from '../../errors.ts';
import { PrintServiceError } from '../../print/errors.ts';
import { findEach } from '../../print/find-each.ts';
import { openPrintPort } from '../../shops/print-account/print-account.ts';
import { readInstallation } from '../../shops/install/installation.ts';
import { readSettings } from '../../shops/settings/settings.ts';
import { isDraft, isLive, nextReferences } from '../facts/found-orders.ts';
import { describeUnknownOrder } from '../record/hold-unknown-order.ts';
import type { ManualActionScope } from './manual-action-scope.ts';

/**
 * Throws NotPossibleError while the print service prints an order that Platen does not know, and that one of these holds is about: Platen
 * would print its units again.
 */
export async function refuseWhileUnknownLives(
  { app, shop, storefrontOrder }: ManualActionScope,
  holds: readonly Hold[],
): Promise<void> {
  if (holds.length === 0 || shop.printAccountId === null) return;
  const settings = readSettings(shop);
  const installation = await readInstallation(app);
  const sold = { shop, storefrontOrder, installation };
  const places = nextReferences(sold, settings.printInterface, { fromFirst: true });
  const all = places.map(({ reference }) => reference);
  const rows = await app.db.manager.findBy(PrintOrders, { reference: In(all) });
  const known = new Set(rows.map(({ reference }) => reference));
  const named = all.filter(
    (one) => !known.has(one) && holds.some(({ message }) => message === describeUnknownOrder(one)),
  );
  if (named.length === 0) return;
  const { port } = await openPrintPort(app, shop.printAccountId, { ...settings, shopId: shop.id });
  try {
    for await (const record of findEach(app.clock, port, named)) {
      if (isDraft(record) || !isLive([record])) continue;
      throw new NotPossibleError(
        'unknown_print_order',
        `The print service still prints ${record.orderReferenceId}, so Platen would print its items again. Cancel it in the print service's dashboard, then choose "Continue". If it can no longer be canceled, choose "Cancel printing", and fulfill its items in your store.`,
      );
    }
  } catch (error) {
    if (!(error instanceof PrintServiceError)) throw error;
    throw new NotPossibleError(
      'print_service_unavailable',
      'The print service is not responding. Try again in a few minutes.',
      { cause: error },
    );
  }
}
