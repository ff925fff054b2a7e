import { z } from 'zod';
import { parseOrRefuse, Refusal } from '../../refusal.ts';
import { fullNamespace, findMetafield } from '../metafields/metafields.ts';
import { toGid } from '../graphql/gid.ts';
import type { Shop } from '../state.ts';
import type { Store } from '../store.ts';
import type { Extension } from './read-extension.ts';

const querySchema = z.object({
  /** The digits of the order's ID. */
  order: z.string().regex(/^\d+$/).optional(),
  /** Whether the page is shown in the editor, which uses a sample order without metafields. */
  editor: z.enum(['checkout']).optional(),
  /** Whether the buyer is signed in. If not, the buyer opened the page with the link in an email. */
  authentication: z.enum(['fully_authenticated', 'pre_authenticated']).default('fully_authenticated'),
});

/**
 * Returns the data that the order's page passes to an extension in a customer account target. Throws a `Refusal` for another shop's order.
 */
export function readOrderStatus(store: Store, shop: Shop, { metafields }: Extension, query: unknown) {
  const { order: number, editor, authentication } = parseOrRefuse(querySchema, query);
  const order = editor === undefined ? store.order(toGid('Order', Number(number))) : undefined;
  if (editor === undefined && order?.shop !== shop.domain)
    throw new Refusal(404, 'not_found', 'There is no such order.');
  const { id, name, cancelledAt = null, processedAt } = order ?? { id: toGid('Order', 1), name: '#9999' };
  return {
    editor: editor ?? null,
    authentication,
    order: { id, name, ...(cancelledAt !== null && { cancelledAt }), ...(processedAt && { processedAt }) },
    country: order?.shippingAddress?.countryCode ?? null,
    shop: { id: shop.id, name: shop.name, myshopifyDomain: shop.domain, storefrontUrl: `https://${shop.domain}` },
    appMetafields: order ? metafields.flatMap((one) => readMetafield(store, order.id, one)) : [],
  };
}

/** Returns a metafield in the app's own namespace if its definition lets buyers read it. */
function readMetafield(store: Store, orderId: string, { namespace, key }: { namespace: string; key: string }) {
  const isReadable = store.options.app.metafields.some(
    (one) => one.ownerType === 'ORDER' && one.key === key && one.isForBuyers,
  );
  const found = findMetafield(store, orderId, namespace, key);
  if (!isReadable || !found || found.namespace !== fullNamespace('$app')) return [];
  const { type, value } = found;
  const metafield = { namespace, key, value, valueType: type.startsWith('list.') ? 'json_string' : 'string', type };
  return [{ target: { type: 'order', id: orderId }, metafield }];
}
