import type { App } from '../../app.ts';
import type { Shop } from '../../database/entities/shops.ts';
import { listAllStock, type ListedStock } from '../../products/stock/list-stock.ts';
import {
  listAllStoreProducts,
  storeProductFilters,
  type ListedStoreProduct,
} from '../../products/store-products/list-store-products.ts';
import { listTemplates } from '../../products/templates/list-templates.ts';
import { writeLine, writeJsonList, writeTable } from '../../terminal.ts';
import { readPages } from '../read-pages.ts';
import { UsageError } from '../usage-error.ts';

/** `platen products list`: lists a shop's products at the print service, or only those with a given status. */
export async function productsList(
  { status, json }: { status: string | undefined; json: boolean },
  app: App,
  shop: Shop,
): Promise<void> {
  const filter = storeProductFilters.find((one) => one === status) ?? null;
  if (status !== undefined && filter === null)
    throw new UsageError(`--status must be one of ${storeProductFilters.join(', ')}.`);
  const products = listAllStoreProducts(app, shop, filter);
  if (json) return writeJsonList(products);
  const rows: string[][] = [];
  for await (const product of products) rows.push(toRow(product));
  writeTable(['PRODUCT', 'TITLE', 'STATUS', 'CONNECTED', 'PROBLEM'], rows);
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

/** `platen products stock`: lists the stock of a shop's products by region, or only products that are out of stock. */
export async function productsStock(
  { out, json }: { out: boolean; json: boolean },
  app: App,
  shop: Shop,
): Promise<void> {
  const stock = listAllStock(app, shop, out);
  if (json) return writeJsonList(stock);
  const rows: string[][] = [];
  for await (const { productUid, printLinks, regions, readAt } of stock)
    rows.push([productUid, String(printLinks), describeStock(regions), readAt ?? 'not yet']);
  writeTable(['PRODUCT UID', 'PRINT LINKS', 'STOCK', 'READ'], rows);
}

/** Returns each status with its regions, such as `in-stock: EU, US-CA; out-of-stock: UK (2026-12-01)`. */
function describeStock(regions: ListedStock['regions']): string {
  const byStatus = Map.groupBy(regions, ({ status }) => status);
  return [...byStatus]
    .map(([status, those]) => `${status}: ${those.map(nameRegion).join(', ')}`)
    .toSorted()
    .join('; ');
}

function nameRegion({ stockRegionUid, replenishmentDate }: ListedStock['regions'][number]): string {
  return replenishmentDate === null ? stockRegionUid : `${stockRegionUid} (${replenishmentDate})`;
}

/** `platen templates list`: lists the print account's known templates, newest first. */
export async function templatesList({ json }: { json: boolean }, app: App, shop: Shop): Promise<void> {
  const templates = readPages(async (after) => {
    const { templates: rows, next } = await listTemplates(app, shop, { after });
    return { rows, next };
  });
  if (json) return writeJsonList(templates);
  const rows: string[][] = [];
  for await (const { templateId, title, variants } of templates) {
    const images = namesOf(variants.flatMap(({ imagePlaceholders }) => imagePlaceholders));
    const texts = namesOf(variants.flatMap(({ textPlaceholders }) => textPlaceholders));
    rows.push([templateId, title ?? '', String(variants.length), images, texts]);
  }
  if (rows.length === 0)
    return writeLine('No templates are known yet. Platen lists a template here after it changes at the print service.');
  writeTable(['TEMPLATE', 'TITLE', 'VARIANTS', 'IMAGES', 'TEXTS'], rows);
}

function namesOf(placeholders: readonly { name: string }[]): string {
  return [...new Set(placeholders.map(({ name }) => name))].join(', ');
}
