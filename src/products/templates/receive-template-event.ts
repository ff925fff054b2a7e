import type { App } from '../../app.ts';
import type { Shop } from '../../database/entities/shops.ts';
import type { PrintEvent } from '../../print/events.ts';
import { parseTimestamp } from '../../print/parse-timestamp.ts';
import { keepToldTemplate, noteDeletedTemplate, TEMPLATE_ID, toTemplate } from './keep-template.ts';

/** Shops of one print account for which an event is kept; any other knows a template by its id. */
const MOST_SHOPS = 50;

/**
 * Takes in an event of a template, for the shop it came to and those that share its print account, whose templates are the same: no call
 * lists templates, so this is how the app learns which there are. What it tells is shown and offered, and decides nothing by
 * itself: a link or a product is made of it on a person's word alone, after the template was read from the service where that is
 * possible. Safe to call twice and in any order. Returns what the delivery's result is.
 */
export async function receiveTemplateEvent(app: App, shop: Shop, event: PrintEvent, receivedAt: Date): Promise<string> {
  if (!('storeProductTemplateId' in event) || !TEMPLATE_ID.test(event.storeProductTemplateId)) return 'not_understood';
  if (shop.printAccountId === null) return 'no_print_account';
  const { storeProductTemplateId: templateId } = event;
  const sharing: { id: number }[] = await app.db.query(SHARING, [shop.id, shop.printAccountId, MOST_SHOPS]);
  const owners = { shopIds: sharing.map(({ id }) => id), printAccountId: shop.printAccountId };
  if (event.kind === 'store_product_template_deleted') {
    await noteDeletedTemplate(app, { ...owners, knownAt: receivedAt }, templateId);
    return 'handled';
  }
  // By the service's own time of the change, so that an older event which comes late changes nothing; never by one that is yet to come.
  const changedAt = event.updatedAt === null ? null : parseTimestamp(event.updatedAt);
  const knownAt = changedAt !== null && changedAt < receivedAt ? changedAt : receivedAt;
  await keepToldTemplate(app, { ...owners, knownAt }, toTemplate(templateId, event));
  return 'handled';
}

const SHARING = `
  select id from shops where id = $1 or (state = 'installed' and print_account_id = $2) order by id <> $1, id limit $3`;
