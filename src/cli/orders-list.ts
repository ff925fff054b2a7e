import { parseArgs } from 'node:util';
import { listOrders } from '../orders/list-orders.ts';
import type { ListedOrder } from '../orders/list-orders.ts';
import { describeWait } from './describe-wait.ts';
import { findShopArgument } from './find-shop-argument.ts';
import { withApp } from './open-app.ts';
import { printJsonList } from './print-json-list.ts';
import { printTable } from './print-table.ts';
import { UsageError } from './usage-error.ts';

/** `platen orders list --shop SHOP [--json]` */
export async function ordersList(args: string[]): Promise<void> {
  const { values } = parseArgs({ args, options: { shop: { type: 'string' }, json: { type: 'boolean' } } });
  const { shop: domain } = values;
  if (domain === undefined) throw new UsageError('Which shop? Give --shop and its domain.');
  await withApp(async (app) => {
    const orders = listOrders(app, await findShopArgument(app, domain));
    if (values.json) return printJsonList(orders);
    const rows: string[][] = [];
    for await (const order of orders) rows.push([order.name, order.state, describe(order)]);
    printTable(['ORDER', 'STATE', 'PRINT ORDERS, HOLDS AND WHAT COMES NEXT'], rows);
  });
}

function describe({ printOrders, holds, waits }: ListedOrder): string {
  return [
    ...printOrders.map(({ reference, state }) => `${reference} ${state}`),
    ...holds.map(
      ({ code, field, message, remedy }) => `${field === null ? code : `${code} (${field})`}: ${message} ${remedy}`,
    ),
    ...waits.map(describeWait),
  ].join('; ');
}
