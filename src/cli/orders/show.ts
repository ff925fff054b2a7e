import type { App } from '../../app.ts';
import type { Shop } from '../../database/entities/shops.ts';
import { findOrder } from '../../orders/manual-actions/find-order.ts';
import { showOrder, type ShownStorefrontOrder } from '../../orders/manual-actions/show-order.ts';
import { describeHold } from './describe-hold.ts';
import { describeWait } from './describe-wait.ts';
import { writeLine, writeJson } from '../../terminal.ts';
import type { GivenArguments } from '../command.ts';

/** `platen orders show`: shows one order. */
export async function ordersShow(
  { args: [order = ''], options }: Pick<GivenArguments, 'args'> & { options: { json: boolean } },
  app: App,
  shop: Shop,
): Promise<void> {
  const shown = await showOrder(app, await findOrder(app, shop, order));
  if (options.json) return writeJson(shown);
  describeOrder(shown).forEach(writeLine);
}

function describeOrder({
  name,
  orderId,
  state,
  reason,
  actions,
  waits,
  holds,
  printOrders,
  costs,
  timeline,
}: ShownStorefrontOrder): string[] {
  return [
    `${name} (${orderId}): ${state}${reason === null ? '' : `. ${reason.message}`}`,
    ...(actions.includes('approve') ? ['Command: platen orders approve.'] : []),
    ...waits.map(describeWait),
    ...holds.map(describeHold),
    ...printOrders.map(({ reference, state: at, isClosed, service, shipping, lines }) => {
      const items = lines.map(({ sku, quantity }) => `${quantity} × ${sku ?? 'a line without a SKU'}`).join(', ');
      const status = service.status === null ? '' : `, and the print service reports "${service.status}"`;
      const comment = service.comment === null ? '' : ` (${service.comment})`;
      return `${reference}: ${isClosed ? 'closed' : at}${status}${comment}; ${items}; ${shipping.chosen ?? 'no shipping method chosen yet'}`;
    }),
    ...describeCosts(costs),
    '',
    ...timeline.map(({ at, message, by }) => `${at}  ${message}${by === 'platen' ? '' : ` (${by})`}`),
  ];
}

function describeCosts(costs: ShownStorefrontOrder['costs']): string[] {
  if (costs === null) return [];
  const { charged, paid, margin, unknown } = costs;
  const sums = [
    ...(paid === null ? [] : [`the buyer paid ${paid.total} ${paid.currency} excluding taxes`]),
    ...(charged === null ? [] : [`the print service charged ${charged.total} ${charged.currency}`]),
    margin === null
      ? `the margin is unknown: ${unknown?.message ?? ''}`
      : `the margin is ${margin.amount} ${margin.currency}${margin.percent === null ? '' : ` (${margin.percent} %)`}.`,
  ];
  return [`For the printed items: ${sums.join(', ')}`];
}
