import type { Ids } from '../../ids.ts';
import { chooseFacilities, type Share, type WantedItem } from '../production/choose-facilities.ts';
import { fromDollars } from '../money.ts';
import { offerMethods, type OfferedMethod } from '../shipment-methods.ts';

interface QuotedProduct {
  itemReferenceId: string;
  productUid: string;
  pageCount?: number;
  quantity: number;
  price: number;
  currency: string;
}

/** The offer of one facility (docs/rules/print-interface.md#quote). */
export interface Quote {
  id: string;
  itemReferenceIds: string[];
  fulfillmentCountry: string;
  shipmentMethods: OfferedMethod[];
  products: QuotedProduct[];
}

interface QuoteOptions {
  country: string;
  currency: string;
  now: Date;
  extended: boolean;
  /** Whether the response may contain several quotes. If not, the quotes of several facilities are combined into one. */
  allowMultipleQuotes: boolean;
}

/** Returns quotes for items: one for each required facility, or a single quote if one facility makes all items. */
export function quoteProducts(items: readonly WantedItem[], wish: QuoteOptions, ids: Ids): Quote[] {
  const quotes = chooseFacilities(items, wish.country).map((share) => quoteShare(share, wish, ids));
  return quotes.length > 1 && !wish.allowMultipleQuotes ? aggregate(quotes) : quotes;
}

/** Returns the price of an item with all its pieces and pages, in `currency`. */
export function priceItem({ product, pageCount, quantity }: WantedItem, currency: string): number {
  return fromDollars((product.price + product.pricePerPage * (pageCount ?? 0)) * quantity, currency);
}

function quoteShare({ facility, items }: Share<WantedItem>, wish: QuoteOptions, ids: Ids): Quote {
  const { currency } = wish;
  return {
    id: ids.nextUuid(),
    itemReferenceIds: items.map((item) => item.itemReferenceId),
    fulfillmentCountry: facility.country,
    shipmentMethods: offerMethods(items, { ...wish, facility }),
    products: items.map((item) => ({
      itemReferenceId: item.itemReferenceId,
      productUid: item.product.productUid,
      ...(item.pageCount === null ? {} : { pageCount: item.pageCount }),
      quantity: item.quantity,
      price: priceItem(item, currency),
      currency,
    })),
  };
}

/**
 * Combines quotes. A method type is included only if all facilities offer it. Its price is the sum of each facility's cheapest method of
 * that type.
 */
function aggregate(quotes: readonly Quote[]): Quote[] {
  const [first, ...others] = quotes;
  if (!first) return [];
  const types = [...new Set(first.shipmentMethods.map((method) => method.type))];
  const shipmentMethods = types.flatMap((type) => {
    const cheapest = quotes.map((quote) => quote.shipmentMethods.find((method) => method.type === type));
    return cheapest.every((method) => method !== undefined) ? [sumMethods(type, cheapest)] : [];
  });
  return [
    {
      ...first,
      itemReferenceIds: [first, ...others].flatMap((quote) => quote.itemReferenceIds),
      shipmentMethods,
      products: quotes.flatMap((quote) => quote.products),
    },
  ];
}

function sumMethods(type: string, methods: readonly OfferedMethod[]): OfferedMethod {
  return methods.reduce((one, other) => ({
    ...one,
    name: methods.map((method) => method.name).join(', '),
    shipmentMethodUid: type,
    price: Number((one.price + other.price).toFixed(2)),
    minDeliveryDays: Math.min(one.minDeliveryDays, other.minDeliveryDays),
    maxDeliveryDays: Math.max(one.maxDeliveryDays, other.maxDeliveryDays),
    minDeliveryDate: one.minDeliveryDate < other.minDeliveryDate ? one.minDeliveryDate : other.minDeliveryDate,
    maxDeliveryDate: one.maxDeliveryDate > other.maxDeliveryDate ? one.maxDeliveryDate : other.maxDeliveryDate,
    totalWeight: one.totalWeight + other.totalWeight,
    numberOfParcels: one.numberOfParcels + other.numberOfParcels,
  }));
}
