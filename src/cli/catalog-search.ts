import { parseArgs } from 'node:util';
import { listCatalogs } from '../products/catalog/read-catalogs.ts';
import { parseSearch, searchCatalog } from '../products/catalog/search-catalog.ts';
import { findShopArgument } from './find-shop-argument.ts';
import { withApp } from './open-app.ts';
import { printTable } from './print-table.ts';
import { UsageError } from './usage-error.ts';

const OPTIONS = {
  shop: { type: 'string' },
  filter: { type: 'string', multiple: true, default: [] as string[] },
  offset: { type: 'string', default: '0' },
  json: { type: 'boolean', default: false },
} as const;

/** `platen catalog search [CATALOG] --shop SHOP [--filter ATTRIBUTE=VALUE[,VALUE]…] [--offset N] [--json]`; without a catalog: which there are. */
export async function catalogSearch(args: string[]): Promise<void> {
  const { values, positionals } = parseArgs({ args, options: OPTIONS, allowPositionals: true });
  const { shop: domain, filter, offset, json } = values;
  const [catalogUid, ...rest] = positionals;
  if (rest.length > 0) throw new UsageError('Which catalog? Give its uid once.');
  if (domain === undefined) throw new UsageError('Which shop? Give --shop and its domain.');
  const attributeFilters = toFilters(filter);
  await withApp(async (app) => {
    const shop = await findShopArgument(app, domain);
    if (catalogUid === undefined) {
      const catalogs = await listCatalogs(app, shop);
      if (json) return console.log(JSON.stringify(catalogs));
      const rows = catalogs.map((one) => [one.catalogUid, one.title ?? '']);
      return printTable(['CATALOG', 'TITLE'], rows);
    }
    const search = parseSearch({ attributeFilters, offset: Number(offset) });
    const found = await searchCatalog(app, shop, catalogUid, search);
    if (json) return console.log(JSON.stringify(found));
    const products = found.products.map((one) => [one.productUid, one.supportedCountries?.join(' ') ?? '']);
    printTable(['PRODUCT UID', 'SENT TO'], products);
    const facets = found.facets.map(({ attributeUid, values: counted }) => [
      attributeUid,
      counted.map(({ valueUid, count }) => `${valueUid} (${count})`).join(', '),
    ]);
    printTable(['FILTER', 'VALUES'], facets);
    if (found.next !== null) console.log(`There is more: --offset ${found.next}.`);
  });
}

function toFilters(filters: readonly string[]): Record<string, string[]> {
  const byAttribute: Record<string, string[]> = {};
  for (const filter of filters) {
    const [attribute = '', values = ''] = filter.split(/=(.*)/s);
    if (attribute === '' || values === '')
      throw new UsageError(`--filter ${filter} is not understood: write ATTRIBUTE=VALUE, or ATTRIBUTE=VALUE,VALUE.`);
    byAttribute[attribute] = [...(byAttribute[attribute] ?? []), ...values.split(',')];
  }
  return byAttribute;
}
