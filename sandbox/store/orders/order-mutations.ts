import { toNewAddress, type MailingAddressInput } from './address.ts';
import { runMutation, UserError } from '../graphql/run-mutation.ts';
import { cancelOrder, payOrder } from './change-order.ts';
import { productView } from '../products/product-view.ts';
import { saveOrder } from './save-order.ts';
import type { Attribute, Order } from '../state.ts';
import { tagProduct } from '../products/tag-product.ts';
import { withoutTags, withTags } from './tags.ts';
import { notModeledError, type View } from '../graphql/view.ts';
import type { Views } from '../graphql/views.ts';

interface CancelArguments {
  orderId: string;
  reason: string;
  refund?: boolean | null;
  refundMethod?: { originalPaymentMethodsRefund?: boolean | null } | null;
}

interface UpdateArguments {
  input: {
    id: string;
    note?: string | null;
    tags?: string[] | null;
    customAttributes?: Attribute[] | null;
    email?: string | null;
    phone?: string | null;
    shippingAddress?: MailingAddressInput | null;
    metafields?: unknown;
  };
}

const EMAIL = /^[^\s@]+@[^\s@.]+(?:\.[^\s@.]+)+$/;

/** Returns the mutations for orders, and for tags, which products also have. */
export function orderMutations(views: Views): View {
  const { store, shop } = views;
  return {
    orderCancel: ({ orderId, reason, refund, refundMethod }: CancelArguments) => {
      const answer = runMutation(['job'], () => {
        const refunds = refund ?? refundMethod?.originalPaymentMethodsRefund ?? false;
        cancelOrder(store, shop, findOrder(views, orderId, ['orderId']), { reason, refund: refunds });
        return { job: { __typename: 'Job', id: `gid://shopify/Job/${crypto.randomUUID()}`, done: true } };
      });
      return { ...answer, orderCancelUserErrors: answer['userErrors'] };
    },
    orderMarkAsPaid: ({ input }: { input: { id: string } }) =>
      runMutation(['order'], () => ({ order: views.order(payOrder(store, findOrder(views, input.id, ['id']))) })),
    orderUpdate: ({ input }: UpdateArguments) => runMutation(['order'], () => updateOrder(views, input)),
    tagsAdd: ({ id, tags }: { id: string; tags: string[] }) =>
      runMutation(['node'], () => changeTags(views, id, (known, of) => withTags(known, tags, of))),
    tagsRemove: ({ id, tags }: { id: string; tags: string[] }) =>
      runMutation(['node'], () => changeTags(views, id, (known) => withoutTags(known, tags))),
  };
}

/** Finds an order of the request's shop. Throws a user error if the shop does not have the order. */
function findOrder({ store, shop }: Views, id: string, field: readonly string[]): Order {
  const order = store.order(id);
  if (order?.shop === shop.domain) return order;
  throw new UserError(field, 'Order does not exist', 'NOT_FOUND');
}

function updateOrder(views: Views, input: UpdateArguments['input']): View {
  const { id, note, tags, customAttributes, email, phone, shippingAddress, ...rest } = input;
  const [unknown] = Object.keys(rest);
  if (unknown !== undefined) throw notModeledError(`OrderInput.${unknown}`);
  const order = findOrder(views, id, ['id']);
  if (email && !EMAIL.test(email)) throw new UserError(['email'], 'Email is invalid');
  const draft: Order = {
    ...order,
    note: note === undefined ? order.note : note,
    email: email === undefined ? order.email : email,
    phone: phone === undefined ? order.phone : phone,
    tags: tags ?? order.tags,
    // The new address replaces the earlier one completely.
    shippingAddress: shippingAddress ? toNewAddress(shippingAddress) : order.shippingAddress,
    customAttributes: customAttributes?.map(({ key, value }) => ({ key, value })) ?? order.customAttributes,
  };
  return { order: views.order(saveOrder(views.store, draft, [])) };
}

function changeTags(
  views: Views,
  id: string,
  change: (tags: readonly string[], of: 'order' | 'product') => string[],
): View {
  const { store, shop } = views;
  const product = store.product(id);
  if (product?.shop === shop.domain) {
    const changed = tagProduct(store, product, change(product.tags, 'product'));
    return { node: productView(store, shop, changed) };
  }
  const order = findOrder(views, id, ['id']);
  return { node: views.order(saveOrder(store, { ...order, tags: change(order.tags, 'order') }, [])) };
}
