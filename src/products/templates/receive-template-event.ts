import type { App } from '../../app.ts';
import type { Shop } from '../../database/entities/shops.ts';
import type { PrintEvent } from '../../print/events.ts';
import { parseTimestamp } from '../../print/parse-timestamp.ts';
import { saveReportedTemplate, recordDeletedTemplate, TEMPLATE_ID, toTemplate } from './save-template.ts';

/** Maximum number of a print account's shops for which an event is saved. The account's other shops can still use a template by its ID. */
const MAX_SHOPS = 50;

/**
 * Handles a template event for the print account's shops, which share their templates. The service has no call that lists templates, so
 * Platen knows only the templates that events have named. Platen only displays the event's data. When a person creates a link or a product
 * from a template, the template is first read from the service if possible. Safe to call twice and in any order. Returns the delivery's
 * result.
 */
export async function receiveTemplateEvent(app: App, shop: Shop, event: PrintEvent, receivedAt: Date): Promise<string> {
  if (!('storeProductTemplateId' in event) || !TEMPLATE_ID.test(event.storeProductTemplateId)) return 'not_understood';
  if (shop.printAccountId === null) return 'no_print_account';
  const { storeProductTemplateId: templateId } = event;
  const sharing: { id: number }[] = await app.db.query(SHARING, [shop.id, shop.printAccountId, MAX_SHOPS]);
  const owners = { shopIds: sharing.map(({ id }) => id), printAccountId: shop.printAccountId };
  if (event.kind === 'store_product_template_deleted') {
    await recordDeletedTemplate(app, { ...owners, knownAt: receivedAt }, templateId);
    return 'handled';
  }
  // Uses the service's own time of the change, so that an event that arrives late does not replace newer data. A time in the future is
  // ignored.
  const changedAt = event.updatedAt === null ? null : parseTimestamp(event.updatedAt);
  const knownAt = changedAt !== null && changedAt < receivedAt ? changedAt : receivedAt;
  await saveReportedTemplate(app, { ...owners, knownAt }, toTemplate(templateId, event));
  return 'handled';
}

const SHARING = `
  select id from shops where id = $1 or (state = 'installed' and print_account_id = $2) order by id <> $1, id limit $3`;
