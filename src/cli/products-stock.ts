import { parseArgs } from 'node:util';
import { allStock, type ListedStock } from '../products/stock/list-stock.ts';
import { findShopArgument } from './find-shop-argument.ts';
import { withApp } from './open-app.ts';
import { printJsonList } from './print-json-list.ts';
import { printTable } from './print-table.ts';
import { UsageError } from './usage-error.ts';

/** `platen products stock SHOP [--out] [--json]` */
export async function productsStock(args: string[]): Promise<void> {
  const options = { out: { type: 'boolean' }, json: { type: 'boolean' } } as const;
  const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
  const [domain, ...rest] = positionals;
  if (domain === undefined || rest.length > 0) throw new UsageError('Which shop? Give its domain.');
  await withApp(async (app) => {
    const stock = allStock(app, await findShopArgument(app, domain), values.out === true);
    if (values.json) return printJsonList(stock);
    const rows: string[][] = [];
    for await (const product of stock) rows.push(toRow(product));
    printTable(['PRODUCT UID', 'PRINT LINKS', 'STOCK', 'READ'], rows);
  });
}

function toRow({ productUid, printLinks, regions, readAt }: ListedStock): string[] {
  return [productUid, String(printLinks), describe(regions), readAt ?? 'not yet'];
}

/** Each status with its regions, such as `in-stock: EU, US-CA; out-of-stock: UK (2026-12-01)`. */
function describe(regions: ListedStock['regions']): string {
  const byStatus = Map.groupBy(regions, ({ status }) => status);
  return [...byStatus]
    .map(([status, those]) => `${status}: ${those.map(nameRegion).join(', ')}`)
    .toSorted()
    .join('; ');
}

function nameRegion({ stockRegionUid, replenishmentDate }: ListedStock['regions'][number]): string {
  return replenishmentDate === null ? stockRegionUid : `${stockRegionUid} (${replenishmentDate})`;
}
