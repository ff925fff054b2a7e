import { parseArgs } from 'node:util';
import { allStoreProducts, storeProductFilters } from '../products/store-products/list-store-products.ts';
import type { ListedStoreProduct } from '../products/store-products/list-store-products.ts';
import { findShopArgument } from './find-shop-argument.ts';
import { withApp } from './open-app.ts';
import { printJsonList } from './print-json-list.ts';
import { printTable } from './print-table.ts';
import { UsageError } from './usage-error.ts';

/** `platen products list SHOP [--status STATUS] [--json]` */
export async function productsList(args: string[]): Promise<void> {
  const options = { status: { type: 'string' }, json: { type: 'boolean' } } as const;
  const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
  const [domain, ...rest] = positionals;
  if (domain === undefined || rest.length > 0) throw new UsageError('Which shop? Give its domain.');
  const filter = storeProductFilters.find((one) => one === values.status) ?? null;
  if (values.status !== undefined && filter === null)
    throw new UsageError(`--status must be one of ${storeProductFilters.join(', ')}.`);
  await withApp(async (app) => {
    const products = allStoreProducts(app, await findShopArgument(app, domain), filter);
    if (values.json) return printJsonList(products);
    const rows: string[][] = [];
    for await (const product of products) rows.push(toRow(product));
    printTable(['PRODUCT', 'TITLE', 'STATUS', 'CONNECTED', 'PROBLEM'], rows);
  });
}

function toRow({ productId, storeProductId, title, status, counts, problem }: ListedStoreProduct): string[] {
  const { connected, notConnected, ignored } = counts;
  return [
    productId ?? storeProductId,
    title ?? '',
    status,
    `${connected} of ${connected + notConnected + ignored}`,
    problem === null ? '' : `${problem.message} ${problem.remedy}`,
  ];
}
