import { parseArgs } from 'node:util';
import { listLinks } from '../products/links/list-links.ts';
import { findShopArgument } from './find-shop-argument.ts';
import { withApp } from './open-app.ts';
import { printJsonList } from './print-json-list.ts';
import { printTable } from './print-table.ts';
import { UsageError } from './usage-error.ts';

/** `platen links list --shop SHOP [--json]` */
export async function linksList(args: string[]): Promise<void> {
  const { values } = parseArgs({ args, options: { shop: { type: 'string' }, json: { type: 'boolean' } } });
  const { shop: domain } = values;
  if (domain === undefined) throw new UsageError('Which shop? Give --shop and its domain.');
  await withApp(async (app) => {
    const links = listLinks(app, await findShopArgument(app, domain));
    if (values.json) return printJsonList(links);
    const rows: string[][] = [];
    for await (const { variantId, sku, productUid, fileUrl, pageCount, problems } of links) {
      const variant = variantId?.split('/').at(-1) ?? 'every one of the SKU';
      rows.push([
        variant,
        sku ?? '',
        productUid,
        String(pageCount ?? ''),
        fileUrl ?? '',
        problems.map(({ code }) => code).join(', '),
      ]);
    }
    printTable(['VARIANT', 'SKU', 'PRODUCT', 'PAGES', 'FILE', 'PROBLEMS'], rows);
  });
}
