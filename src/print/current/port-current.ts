import type { PrintService } from '../client.ts';
import { toUnreadError } from '../errors.ts';
import type { Order } from './objects.ts';
import type { QuoteResponse } from './orders-v4.ts';
import type { PortQuote, PrintPort, PortOrder } from '../port.ts';

/** A search for this many IDs returns one page, unless orders were split. */
const MAX_SEARCHED = 100;

/**
 * Creates the port of the current interface, which uses v4 calls to quote and search, and v3 calls to create orders. Get, patch and cancel
 * are extended calls.
 */
export function createCurrentPort(service: PrintService): PrintPort {
  const { extended } = service;
  return {
    printInterface: 'current',
    foundPerRequest: MAX_SEARCHED,
    async quote({ products, ...request }) {
      const { quotes } = await service.quote({
        ...request,
        products: products.map(({ envelopes: _v2Only, ...product }) => product),
      });
      return quotes.map(toPortQuote);
    },
    create: async ({ promise: _legacyOnly, ...body }, { orderType, ...options }) =>
      toPortOrder(await service.createOrder({ ...body, orderType }, options)),
    async *find(filter) {
      for await (const record of service.searchOrders(filter)) {
        if (record.lostField !== null) throw toUnreadError('searchOrders', record.lostField);
        yield record;
      }
    },
    findAll: (filter) => service.searchOrders(filter),
    deleteDraft: (orderId) => service.deleteDraft(orderId),
    ...(extended === 'unsupported'
      ? { confirm: extended, status: extended, cancel: extended }
      : {
          confirm: async (orderId: string) => toPortOrder(await extended.patchOrder(orderId, { orderType: 'order' })),
          status: async (orderId: string) => toPortOrder(await extended.getOrder(orderId)),
          cancel: (orderId: string) => extended.cancelOrder(orderId),
        }),
  };
}

function toPortQuote(quote: QuoteResponse['quotes'][number]): PortQuote {
  return { ...quote, shipmentMethods: quote.shipmentMethods.map((method) => ({ ...method, promise: null })) };
}

function toPortOrder(order: Order): PortOrder {
  return { ...order, productionLog: [] };
}
