import type Router from '@koa/router';
import { z } from 'zod';
import { jsonOf } from '../../json-body.ts';
import { parseOrRefuse } from '../../refusal.ts';
import { listAccountsWithAddresses } from '../addresses.ts';
import { eventId, planEvents } from '../production/plan-events.ts';
import type { StandIn } from '../stand-in.ts';
import { productOf } from './find-product.ts';
import { planStock, STOCK_STATUSES, stockOf, type ProductStock } from './stock.ts';
import { STOCK_REGIONS } from './stock-regions.ts';

const changeSchema = z.strictObject({
  productUid: z.string(),
  stockRegionUid: z.enum(STOCK_REGIONS),
  status: z.enum(STOCK_STATUSES),
  replenishmentDate: z.iso.date().nullable().default(null),
});
type StockChange = z.output<typeof changeSchema>;
const changesSchema = z.strictObject({ changes: z.array(changeSchema).min(1).max(1000) });
const querySchema = z.object({ productUid: z.string() });

/**
 * Adds the control endpoints for stock. One endpoint shows a product's stock. The other changes stock and sends an event to every account
 * with an address.
 */
export function addStockEndpoints(router: Router, standIn: StandIn): void {
  router.get('/stock', (ctx) => {
    const { productUid } = parseOrRefuse(querySchema, ctx.query);
    ctx.body = stockOf(standIn, productOf(productUid).productUid);
  });
  router.post('/stock', (ctx) => {
    const { changes } = parseOrRefuse(changesSchema, jsonOf(ctx));
    ctx.body = { productsAvailability: changeStock(standIn, changes) };
  });
}

/**
 * Changes the stock and returns the new stock of each changed product. The changes and the deliveries of their event are written
 * atomically.
 */
function changeStock(standIn: StandIn, changes: readonly StockChange[]): ProductStock[] {
  const products = Map.groupBy(changes, ({ productUid }) => productOf(productUid).productUid);
  const stock = [...products].map(([productUid, changed]) => ({
    productUid,
    // If a region is changed more than once, the last change wins.
    regions: new Map(
      changed.map(({ stockRegionUid, status, replenishmentDate }) => [stockRegionUid, { status, replenishmentDate }]),
    ),
  }));
  const productAvailability = stock.map(({ productUid, regions }) => ({
    productUid,
    availability: [...regions].map(([stockRegionUid, { status }]) => ({ stockRegionUid, status })),
  }));
  const kind = 'catalog_product_stock_availability_updated';
  standIn.books.write([
    ...stock.map(({ productUid, regions }) => planStock(standIn, productUid, Object.fromEntries(regions))),
    ...listAccountsWithAddresses(standIn.books).flatMap((account) =>
      planEvents(standIn, account, [{ id: eventId('sra', standIn.ids), kind, fields: { productAvailability } }]),
    ),
  ]);
  standIn.deliveries.wake();
  return stock.map(({ productUid }) => stockOf(standIn, productUid));
}
