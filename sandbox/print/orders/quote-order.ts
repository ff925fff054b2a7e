import { quoteRequestSchema } from '../../../src/print/current/orders-v4.ts';
import { parseRequest } from '../parse-request.ts';
import { quoteProducts, type Quote } from './quote-products.ts';
import type { StandIn } from '../stand-in.ts';
import { toWantedItems } from './to-wanted-items.ts';

/** Serves `POST /v4/orders:quote` (docs/rules/print-interface.md#quote-order). Throws a `Refusal`. */
export function quoteOrder(standIn: StandIn, body: unknown): { orderReferenceId: string; quotes: Quote[] } {
  const request = parseRequest(quoteRequestSchema, body);
  const { country } = request.recipient;
  const items = toWantedItems(request.products, country, {
    list: 'products',
    fileField: 'files',
    hasFile: (product) => (product.files?.length ?? 0) > 0,
  });
  const wish = {
    country,
    currency: request.currency,
    now: standIn.clock.now(),
    extended: standIn.extended,
    allowMultipleQuotes: request.allowMultipleQuotes ?? true,
  };
  return { orderReferenceId: request.orderReferenceId, quotes: quoteProducts(items, wish, standIn.ids) };
}
