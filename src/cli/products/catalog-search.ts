import type { App } from '../../app.ts';
import type { Shop } from '../../database/entities/shops.ts';
import { listCatalogs } from '../../products/catalog/read-catalogs.ts';
import { parseSearch, searchCatalog, type FoundProducts } from '../../products/catalog/search-catalog.ts';
import { writeLine, writeJson, writeTable } from '../../terminal.ts';
import type { GivenArguments } from '../command.ts';
import { UsageError } from '../usage-error.ts';

/** The maximum number of countries to list for a product. If a product has more, only their number is shown. */
const MAX_COUNTRIES = 6;
const WIDTH = 100;

interface Options {
  filter: string[];
  offset: string | undefined;
  json: boolean;
}

/** `platen catalog search`: lists one catalog's products, or all catalogs if no catalog is given. */
export async function catalogSearch(
  { args: [catalogUid], options }: Pick<GivenArguments, 'args'> & { options: Options },
  app: App,
  shop: Shop,
): Promise<void> {
  const { filter, offset = '0', json } = options;
  const search = await parseSearch({ attributeFilters: toFilters(filter), offset: Number(offset) });
  if (catalogUid === undefined) {
    const catalogs = await listCatalogs(app, shop);
    if (json) return writeJson(catalogs);
    return writeTable(
      ['CATALOG', 'TITLE'],
      catalogs.map((one) => [one.catalogUid, one.title ?? '']),
    );
  }
  const found = await searchCatalog(app, shop, catalogUid, search);
  if (json) return writeJson(found);
  const products = found.products.map((one) => [one.productUid, describeCountries(one.supportedCountries ?? [])]);
  writeTable(['PRODUCT UID', 'DELIVERED TO'], products);
  if (found.next !== null) writeLine(`There are more products. To see them, add --offset ${found.next}.`);
  if (found.facets.length > 0)
    [
      '',
      'Narrow the search with --filter ATTRIBUTE=VALUE (the number of matching products is in parentheses):',
    ].forEach(writeLine);
  for (const facet of found.facets) describeFacet(facet).forEach(writeLine);
}

function describeCountries(countries: readonly string[]): string {
  return countries.length > MAX_COUNTRIES ? `${countries.length} countries` : countries.join(' ');
}

/** Returns the lines for an attribute: one line for its title, and then its values, wrapped between values. */
function describeFacet({ attributeUid, title, values }: FoundProducts['facets'][number]): string[] {
  const lines: string[] = [];
  for (const { valueUid, title: name, count } of values) {
    const value = `${valueUid}${name === null || name === valueUid ? '' : ` "${name}"`} (${count})`;
    const last = lines.at(-1);
    if (last !== undefined && last.length + value.length + 2 <= WIDTH) lines[lines.length - 1] = `${last}, ${value}`;
    else lines.push(`    ${value}`);
  }
  return [`  ${attributeUid}${title === null || title === attributeUid ? '' : ` "${title}"`}`, ...lines];
}

function toFilters(filters: readonly string[]): Record<string, string[]> {
  const byAttribute: Record<string, string[]> = {};
  for (const filter of filters) {
    const [attribute = '', values = ''] = filter.split(/=(.*)/s);
    if (attribute === '' || values === '')
      throw new UsageError(`--filter ${filter} is invalid: use the form ATTRIBUTE=VALUE or ATTRIBUTE=VALUE,VALUE.`);
    byAttribute[attribute] = [...(byAttribute[attribute] ?? []), ...values.split(',')];
  }
  return byAttribute;
}
