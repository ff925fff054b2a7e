import { parseArgs } from 'node:util';
import { findOrder } from '../orders/by-hand/find-order.ts';
import { showOrder, type ShownStorefrontOrder } from '../orders/by-hand/show-order.ts';
import { describeWait } from './describe-wait.ts';
import { findShopArgument } from './find-shop-argument.ts';
import { withApp } from './open-app.ts';
import { UsageError } from './usage-error.ts';

/** `platen orders show SHOP ORDER [--json]` */
export async function ordersShow(args: string[]): Promise<void> {
  const { values, positionals } = parseArgs({ args, options: { json: { type: 'boolean' } }, allowPositionals: true });
  const [domain, order, ...rest] = positionals;
  if (domain === undefined || order === undefined || rest.length > 0)
    throw new UsageError('Which order? Give the shop, and a name such as #1001 or an id.');
  await withApp(async (app) => {
    const shop = await findShopArgument(app, domain);
    const shown = await showOrder(app, await findOrder(app, shop, order));
    if (values.json) return console.log(JSON.stringify(shown));
    for (const line of describe(shown)) console.log(line);
  });
}

function describe({
  name,
  orderId,
  state,
  reason,
  waits,
  holds,
  printOrders,
  costs,
  timeline,
}: ShownStorefrontOrder): string[] {
  return [
    `${name} (${orderId}): ${state}${reason === null ? '' : `. ${reason.message}`}`,
    ...waits.map(describeWait),
    ...holds.map(({ code, message, remedy, adminUrl, actions, reference }) => {
      const about = reference === null ? code : `${code} of ${reference}`;
      const place = adminUrl === null ? '' : ` In your store: ${adminUrl}`;
      return `Held, ${about}: ${message} ${remedy}${place} Actions: ${actions.join(', ')}.`;
    }),
    ...printOrders.map(({ reference, state: at, isClosed, service, shipping, lines }) => {
      const items = lines.map(({ sku, quantity }) => `${quantity} × ${sku ?? 'without SKU'}`).join(', ');
      const said = service.status === null ? '' : `, the print service says "${service.status}"`;
      const comment = service.comment === null ? '' : ` (${service.comment})`;
      return `${reference}: ${isClosed ? 'closed' : at}${said}${comment}; ${items}; ${shipping.chosen ?? 'no shipping chosen yet'}`;
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
    ...(paid === null ? [] : [`the buyer paid ${paid.total} ${paid.currency} without taxes`]),
    ...(charged === null ? [] : [`the print service charged ${charged.total} ${charged.currency}`]),
    margin === null
      ? `the margin is not known: ${unknown?.message ?? ''}`
      : `the margin is ${margin.amount} ${margin.currency}${margin.percent === null ? '' : ` (${margin.percent} %)`}.`,
  ];
  return [`Of what is printed: ${sums.join(', ')}`];
}
