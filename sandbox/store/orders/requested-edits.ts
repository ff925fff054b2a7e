import { z } from 'zod';
import { connection, type PageArguments } from '../graphql/connection.ts';
import { toNumericId } from '../graphql/gid.ts';
import { runMutation, UserError } from '../graphql/run-mutation.ts';
import { dateTime, dateTimeOrNull, type View } from '../graphql/view.ts';
import type { Views } from '../graphql/views.ts';
import type { Order, RequestedEdit } from '../state.ts';
import type { Store } from '../store.ts';
import { lineItemView } from './line-item-view.ts';
import { unfulfilledQuantity } from './order-status.ts';
import { saveOrder } from './save-order.ts';

/** The most line items that one request can name, and the longest note to the buyer. */
const MOST_LINES = 50;
const NOTE_LENGTH = 500;

export const requestEditSchema = z.strictObject({
  lines: z.array(z.strictObject({ id: z.string(), quantity: z.int() })),
});
/** Without an ID, the oldest open request is meant. */
export const resolveEditSchema = z.strictObject({ requestId: z.string().optional() });
export const declineEditSchema = resolveEditSchema.extend({ note: z.string().optional() });

interface Removal {
  lineItemId: string;
  quantity: number;
}

/** Records a buyer's request to remove unfulfilled units. Throws a user error if a line has fewer unfulfilled units. */
export function requestEdit(store: Store, order: Order, removals: readonly Removal[]): RequestedEdit {
  const field = ['input', 'lineItems', 'removals'];
  if (removals.length === 0) throw new UserError(field, "Removals can't be blank", 'BLANK');
  if (removals.length > MOST_LINES) throw new UserError(field, `At most ${MOST_LINES} line items can be removed.`);
  if (order.cancelledAt !== null) throw new UserError(['input', 'orderId'], 'The order has been cancelled.', 'INVALID');
  const now = store.clock.now().toISOString();
  const lines = removals.map(({ lineItemId, quantity }) => {
    const line = order.lineItems.find(({ id }) => id === lineItemId);
    if (!line) throw new UserError([...field, 'lineItemId'], 'Line item does not exist', 'NOT_FOUND');
    if (quantity < 1 || quantity > unfulfilledQuantity(order, line))
      throw new UserError([...field, 'quantity'], 'Quantity exceeds the unfulfilled quantity', 'INVALID');
    return { id: store.newGid('RequestedOrderEditLineItem'), lineItemId, quantity };
  });
  const made: RequestedEdit = {
    id: store.newGid('RequestedOrderEdit'),
    status: 'REQUESTED',
    requestedAt: now,
    updatedAt: now,
    endedAt: null,
    lines,
  };
  return saveEdit(store, order, made, 'created');
}

/** Marks a request as resolved or declined. This changes no line of the order. Throws a user error unless the request is open. */
export function endEdit(
  store: Store,
  order: Order,
  { id, as, note = null }: { id: string | undefined; as: 'RESOLVED' | 'DECLINED'; note?: string | null | undefined },
): RequestedEdit {
  if ((note ?? '').length > NOTE_LENGTH)
    throw new UserError(['input', 'declineNote'], `Decline note is too long (maximum is ${NOTE_LENGTH} characters)`);
  const open = (order.requestedEdits ?? []).find(
    (one) => one.status === 'REQUESTED' && (id === undefined || one.id === id),
  );
  if (!open) throw new UserError(['input', 'id'], 'The order has no such open request.', 'INVALID');
  const now = store.clock.now().toISOString();
  const ended: RequestedEdit = { ...open, status: as, updatedAt: now, endedAt: now };
  return saveEdit(store, order, ended, as === 'RESOLVED' ? 'resolved' : 'declined');
}

function saveEdit(
  store: Store,
  order: Order,
  edit: RequestedEdit,
  event: 'created' | 'resolved' | 'declined',
): RequestedEdit {
  const others = (order.requestedEdits ?? []).filter(({ id }) => id !== edit.id);
  const body = {
    id: BigInt(toNumericId(edit.id)),
    admin_graphql_api_id: edit.id,
    status: edit.status.toLowerCase(),
    order: { id: BigInt(toNumericId(order.id)), admin_graphql_api_id: order.id },
    line_items: { removals: edit.lines.map(({ lineItemId, quantity }) => ({ line_item_id: lineItemId, quantity })) },
  };
  saveOrder(store, { ...order, requestedEdits: [...others, edit] }, [[`requested_order_edit/${event}`, body]]);
  return edit;
}

/** Returns an order's status over all its requests: an open request counts before the one that was ended last. */
export function requestedEditStatus({ requestedEdits = [] }: Order): RequestedEdit['status'] | 'NONE' {
  if (requestedEdits.some(({ status }) => status === 'REQUESTED')) return 'REQUESTED';
  return requestedEdits.at(-1)?.status ?? 'NONE';
}

/** Returns the fields of the GraphQL type Order about its requests. */
export function requestedEditFields(views: Views, order: Order): View {
  return {
    displayRequestedEditStatus: requestedEditStatus(order),
    requestedOrderEdits: (page: PageArguments) =>
      connection(order.requestedEdits ?? [], page, (edit) => editView(views, order, edit)),
  };
}

function editView(views: Views, order: Order, edit: RequestedEdit): View {
  const { status } = edit;
  return {
    __typename: 'RequestedOrderEdit',
    id: edit.id,
    status,
    order: () => views.order(views.store.order(order.id) ?? order),
    requestedAt: dateTime(edit.requestedAt),
    createdAt: dateTime(edit.requestedAt),
    updatedAt: dateTime(edit.updatedAt),
    requestResolvedAt: dateTimeOrNull(status === 'RESOLVED' ? edit.endedAt : null),
    requestDeclinedAt: dateTimeOrNull(status === 'DECLINED' ? edit.endedAt : null),
    lineItems: {
      removals: (page: PageArguments) =>
        connection(edit.lines, page, ({ id, lineItemId, quantity }) => ({
          __typename: 'RequestedOrderEditLineItem',
          id,
          quantity,
          resolvedQuantity: status === 'RESOLVED' ? quantity : 0,
          lineItem: () => {
            const line = order.lineItems.find((one) => one.id === lineItemId);
            return line ? lineItemView(views, order, line) : null;
          },
        })),
    },
  };
}

interface EndArguments {
  input: { id: string; declineNote?: string | null };
}

/** Returns the mutations for buyers' requests to remove items. */
export function requestedEditMutations(views: Views): View {
  const { store, shop } = views;
  const own = () => store.orders().filter((order) => order.shop === shop.domain);
  const end = ({ input: { id, declineNote } }: EndArguments, as: 'RESOLVED' | 'DECLINED') =>
    runMutation(['requestedOrderEdit'], () => {
      const order = own().find(({ requestedEdits = [] }) => requestedEdits.some((edit) => edit.id === id));
      if (!order) throw new UserError(['input', 'id'], 'Requested order edit does not exist', 'NOT_FOUND');
      const ended = endEdit(store, order, { id, as, note: declineNote });
      return { requestedOrderEdit: editView(views, store.order(order.id) ?? order, ended) };
    });
  return {
    requestedOrderEditCreate: ({ input }: { input: { orderId: string; lineItems: { removals: Removal[] } } }) =>
      runMutation(['requestedOrderEdit'], () => {
        const order = own().find(({ id }) => id === input.orderId);
        if (!order) throw new UserError(['input', 'orderId'], 'Order does not exist', 'NOT_FOUND');
        const made = requestEdit(store, order, input.lineItems.removals);
        return { requestedOrderEdit: editView(views, store.order(order.id) ?? order, made) };
      }),
    requestedOrderEditResolve: (input: EndArguments) => end(input, 'RESOLVED'),
    requestedOrderEditDecline: (input: EndArguments) => end(input, 'DECLINED'),
  };
}
