import type { Change } from '../../books.ts';
import { eventId, planEvents, type ServiceEvent } from '../production/plan-events.ts';
import type { StandIn } from '../stand-in.ts';
import { toProductBody } from './product-body.ts';
import { signPreviewUrl } from './sign-preview-url.ts';
import { findStore, type StoreProduct, type StoreProductRecord, type TemplateRecord } from './store-records.ts';

const PREFIXES = {
  store_product_created: 'spc',
  store_product_updated: 'spu',
  store_product_deleted: 'spd',
  store_product_template_created: 'sptc',
  store_product_template_updated: 'sptu',
  store_product_template_deleted: 'sptd',
} as const;

/** Writes a new or changed product and the deliveries of its event to the books in one write, and then sends the event. */
export function saveStoreProduct(standIn: StandIn, record: StoreProductRecord, what: 'created' | 'updated'): void {
  const { id, variants, ...fields } = toProductBody(standIn, record.product);
  writeWithEvent(
    standIn,
    accountOf(standIn, record.product),
    [['put', 'storeProducts', id, record]],
    `store_product_${what}`,
    {
      storeProductId: id,
      ...fields,
      variants: variants.map(({ id: variantId, title, externalId, connectionStatus }) => ({
        id: variantId,
        title,
        externalId,
        connectionStatus,
      })),
    },
  );
}

/** Removes a product from the books and sends the event. */
export function removeStoreProduct(standIn: StandIn, { product }: StoreProductRecord): void {
  const changes: Change[] = [['delete', 'storeProducts', product.id]];
  writeWithEvent(standIn, accountOf(standIn, product), changes, 'store_product_deleted', {
    storeProductId: product.id,
  });
}

/** Writes a new or changed template and the deliveries of its event to the books in one write, and then sends the event. */
export function saveTemplate(standIn: StandIn, record: TemplateRecord, what: 'created' | 'updated'): void {
  const { id, ...fields } = record.template;
  writeWithEvent(standIn, record.account, [['put', 'templates', id, record]], `store_product_template_${what}`, {
    storeProductTemplateId: id,
    ...fields,
    previewUrl: signPreviewUrl(standIn.clock, id),
  });
}

/** Removes a template from the books and sends the event. */
export function removeTemplate(standIn: StandIn, { account, template }: TemplateRecord): void {
  const changes: Change[] = [['delete', 'templates', template.id]];
  writeWithEvent(standIn, account, changes, 'store_product_template_deleted', { storeProductTemplateId: template.id });
}

function accountOf(standIn: StandIn, { storeId }: StoreProduct): string {
  return findStore(standIn, null, storeId).account;
}

function writeWithEvent(
  standIn: StandIn,
  account: string,
  changes: readonly Change[],
  kind: keyof typeof PREFIXES,
  fields: ServiceEvent['fields'],
): void {
  const event = { id: eventId(PREFIXES[kind], standIn.ids), kind, fields };
  standIn.books.write([...changes, ...planEvents(standIn, account, [event])]);
  standIn.deliveries.wake();
}
