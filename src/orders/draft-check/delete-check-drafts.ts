import { In, MoreThan } from 'typeorm';
import type { App } from '../../app.ts';
import { Shops, type Shop } from '../../database/entities/shops.ts';
import { NotPossibleError } from '../../errors.ts';
import { PrintServiceError } from '../../print/errors.ts';
import { parseTimestamp } from '../../print/parse-timestamp.ts';
import type { FoundOrder, PrintPort } from '../../print/port.ts';
import { readInstallation } from '../../shops/install/installation.ts';
import { openPrintPort } from '../../shops/print-account/print-account.ts';
import { isDraft, isLive } from '../facts/found-orders.ts';
import { computeCheckReference } from '../facts/compute-reference.ts';
import { withCheckLock } from './with-check-lock.ts';

const PAGE = 100;
const CURRENT = { printInterface: 'current', legacyHost: 'live', extendedCalls: false } as const;
/** An order older than this number of days can no longer be canceled, so it does not prevent further checks. */
const ORDER_DAYS = 30;

/** The print service's drafts and live orders with the reference of a shop's check. */
export interface OrdersUnderReference {
  drafts: FoundOrder[];
  orders: FoundOrder[];
}

/** Searches the print service for a check's reference. Throws PrintServiceError. */
export async function findUnderReference(port: PrintPort, reference: string): Promise<OrdersUnderReference> {
  const found: OrdersUnderReference = { drafts: [], orders: [] };
  for await (const record of port.find({ orderReferenceIds: [reference] })) {
    if (record.orderReferenceId !== reference) continue;
    if (isDraft(record)) found.drafts.push(record);
    else if (isLive([record])) found.orders.push(record);
  }
  return found;
}

/**
 * Deletes the drafts that an interrupted check has left under its reference, and returns their number. Throws PrintServiceError, and
 * NotPossibleError if someone has confirmed such a draft, which makes it an order.
 */
export async function deleteLeftoverDrafts(
  { clock }: Pick<App, 'clock'>,
  port: PrintPort,
  reference: string,
): Promise<number> {
  if (port.deleteDraft === 'unsupported') return 0;
  const { drafts, orders } = await findUnderReference(port, reference);
  for (const draft of drafts) {
    try {
      await port.deleteDraft(draft.id);
    } catch (error) {
      // A search may still show a draft that is gone. The service refuses to delete an order.
      if (!(error instanceof PrintServiceError)) throw error;
      if (error.outcome === 'refused') orders.push(draft);
      else if (error.outcome !== 'not_found') throw error;
    }
  }
  const since = clock.now().getTime() - ORDER_DAYS * 86_400_000;
  const recent = orders.filter(({ createdAt }) => (parseTimestamp(createdAt ?? '')?.getTime() ?? since) >= since);
  if (recent.length > 0) {
    const ids = recent.map(({ id }) => id).join(', ');
    const message = `The print service has an order under the check's reference ${reference}: ${ids}. Someone has confirmed the draft of an earlier check. Cancel the order in the print service's dashboard.`;
    throw new NotPossibleError('check_draft_confirmed', message);
  }
  return drafts.length;
}

/** Returns the reference of a shop's check, which is the same for every run. Throws PlatenError. */
export async function readCheckReference(app: App, { domain }: Pick<Shop, 'domain'>): Promise<string> {
  const { code, referenceKey } = await readInstallation(app);
  return computeCheckReference({ installation: code, key: referenceKey, shop: domain });
}

/**
 * Deletes the drafts that interrupted checks have left in a print account. A shop that is being checked is skipped. Runs daily, after the
 * audit. Throws PrintServiceError.
 */
export async function deleteCheckDrafts(app: App, { accountId }: { accountId: number }): Promise<void> {
  const { port } = await openPrintPort(app, accountId, CURRENT);
  let shops: Shop[] = [];
  do {
    const where = {
      printAccountId: accountId,
      state: In(['installed', 'needs_sign_in']),
      id: MoreThan(shops.at(-1)?.id ?? 0),
    };
    shops = await app.db.manager.find(Shops, { where, order: { id: 'ASC' }, take: PAGE });
    const references = new Map<string, Shop>();
    for (const shop of shops) references.set(await readCheckReference(app, shop), shop);
    const drafts: FoundOrder[] = [];
    if (references.size > 0)
      for await (const record of port.find({ orderReferenceIds: [...references.keys()] }))
        if (isDraft(record)) drafts.push(record);
    for (const { orderReferenceId: reference } of drafts) {
      const shop = references.get(reference);
      if (shop) await withCheckLock(app, shop, () => deleteAndLog(app, port, { shop, reference }));
    }
  } while (shops.length === PAGE);
}

async function deleteAndLog(
  app: App,
  port: PrintPort,
  { shop, reference }: { shop: Shop; reference: string },
): Promise<void> {
  try {
    const deleted = await deleteLeftoverDrafts(app, port, reference);
    if (deleted > 0) app.log.info({ shopId: shop.id, reference, deleted }, 'deleted the draft of an interrupted check');
  } catch (error) {
    // The audit reports an order under the reference. The deletion is retried tomorrow.
    if (!(error instanceof NotPossibleError || error instanceof PrintServiceError)) throw error;
    app.log.warn({ shopId: shop.id, reference, error }, 'the draft of an interrupted check was not deleted');
  }
}
