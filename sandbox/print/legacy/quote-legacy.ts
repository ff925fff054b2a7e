import { quoteV1RequestSchema } from '../../../src/print/legacy/orders-v1.ts';
import { quoteV2RequestSchema } from '../../../src/print/legacy/orders-v2.ts';
import { chooseFacilities, type Share } from '../production/choose-facilities.ts';
import type { Facility } from '../production/facilities.ts';
import { toTimestamp } from '../orders/order-record.ts';
import { parseRequest } from '../parse-request.ts';
import { offerMethods, type OfferedMethod } from '../shipment-methods.ts';
import type { StandIn } from '../stand-in.ts';
import {
  expiryOf,
  savePromises,
  createPromiseUid,
  type Host,
  type QuotedOrder,
  type QuotedProduct,
  type ShippingPromise,
} from './promises.ts';
import { refuseUnsupported, toWantedProducts, type WantedProduct } from './to-wanted-products.ts';

const TIME_ZONES: Readonly<Record<string, string>> = {
  US: 'America/New_York',
  GB: 'Europe/London',
  DE: 'Europe/Berlin',
  NL: 'Europe/Amsterdam',
  NO: 'Europe/Oslo',
  CA: 'America/Toronto',
  AU: 'Australia/Melbourne',
  JP: 'Asia/Tokyo',
  BR: 'America/Sao_Paulo',
};

/** The account and host that request a quote. */
interface QuoteRequester {
  account: string;
  host: Host;
}

/**
 * Serves `POST /v1/quote` (docs/rules/print-interface.md#v1-quote): a quote for one product, with integer references. Throws a `Refusal`.
 */
export function quoteV1(standIn: StandIn, requester: QuoteRequester, body: unknown) {
  const { order, recipient, product } = parseRequest(quoteV1RequestSchema, body);
  const { itemReferenceId, ...rest } = product;
  const products = [{ ...rest, itemReferenceId: String(itemReferenceId), envelopes: [] }];
  const quoted: QuotedOrder = {
    ...requester,
    version: 'v1',
    quoteId: standIn.ids.nextUuid(),
    orderReferenceId: String(order.orderReferenceId),
    customerReferenceId: String(order.customerReferenceId),
    currency: order.currencyIsoCode,
    recipient,
  };
  const [production] = quoteProductions(standIn, quoted, products, () => 'product');
  if (!production) throw new Error('the quote has no production');
  const { itemReferenceIds: _asSent, ...offer } = production;
  return { orderReferenceId: order.orderReferenceId, production: { itemReferenceId, ...offer } };
}

/**
 * Serves `POST /v2/quote` (docs/rules/print-interface.md#v2-quote). If one facility makes all products, the response contains one
 * production as an object. Otherwise, it contains a list of productions. A production's item ID is a string for one product, and a list of
 * strings for several products. Throws a `Refusal`.
 */
export function quoteV2(standIn: StandIn, requester: QuoteRequester, body: unknown) {
  const { order, recipient, products } = parseRequest(quoteV2RequestSchema, body);
  const { orderReferenceId, customerReferenceId, currencyIsoCode } = order;
  const quoteId = standIn.ids.nextUuid();
  const references = { orderReferenceId, customerReferenceId, currency: currencyIsoCode };
  const productions = quoteProductions(
    standIn,
    { ...requester, ...references, version: 'v2', quoteId, recipient },
    products.map(({ options, ...product }) => ({
      ...product,
      envelopes: (options ?? []).map(({ productUid, quantity }) => ({ productUid, quantity })),
    })),
    (index) => `products[${index}]`,
  ).map(({ itemReferenceIds, ...offer }) => ({ itemReferenceId: unwrapSingle(itemReferenceIds), ...offer }));
  return { orderReferenceId, production: unwrapSingle(productions) };
}

function unwrapSingle<One>(list: readonly One[]): One | readonly One[] {
  const [first] = list;
  return list.length === 1 && first !== undefined ? first : list;
}

function quoteProductions(
  standIn: StandIn,
  quoted: QuotedOrder,
  products: readonly QuotedProduct[],
  listName: (index: number) => string,
) {
  const wanted = toWantedProducts(products, listName);
  const { countryIsoCode: country } = quoted.recipient;
  refuseUnsupported(wanted, quoted.recipient, quoted.currency);
  const nowMs = standIn.clock.now().getTime();
  const offers = chooseFacilities(wanted, country).map((share) => {
    const methods = offerLegacyMethods(share, { country, currency: quoted.currency, now: new Date(nowMs) });
    return { ...share, shipments: methods.map((method) => ({ method, promise: promise(method, share) })) };
  });
  savePromises(
    standIn,
    offers.flatMap(({ shipments }) => shipments.map((shipment) => shipment.promise)),
  );
  return offers.map(({ facility, items, shipments }) => ({
    itemReferenceIds: items.map((item) => item.itemReferenceId),
    productionCountry: facility.country,
    productionTimeZone: TIME_ZONES[facility.country] ?? 'UTC',
    shipments: shipments.map((shipment) => toShippingObject(shipment.promise, shipment.method)),
  }));

  function promise(method: OfferedMethod, { facility, items }: Share<WantedProduct>): ShippingPromise {
    return {
      ...quoted,
      promiseUid: createPromiseUid(standIn),
      expiresMs: expiryOf(standIn.books, nowMs),
      facilityId: facility.id,
      shipmentMethodUid: method.shipmentMethodUid,
      products: items.map((item) => item.quoted),
    };
  }
}

/** Returns the shipping methods for a production and its envelopes, with the types of the documented interface. */
function offerLegacyMethods(
  { facility, items }: { facility: Facility; items: readonly WantedProduct[] },
  wish: { country: string; currency: string; now: Date },
): OfferedMethod[] {
  const shipped = items.flatMap((item) => [item, ...item.envelopes]);
  return offerMethods(shipped, { ...wish, facility, extended: false });
}

/**
 * Returns a shipping method as the earlier interface shows it (docs/rules/print-interface.md#shipping-option). `price` is the price of
 * shipping only, and the weight is in grams.
 */
function toShippingObject({ promiseUid, expiresMs }: ShippingPromise, method: OfferedMethod) {
  const { name, shipmentMethodUid: uid, price, type: serviceType, isPrivate, isBusiness } = method;
  const { minDeliveryDays, maxDeliveryDays, minDeliveryDate, maxDeliveryDate, totalWeight, numberOfParcels } = method;
  return {
    promiseUid,
    name,
    uid,
    price,
    minDeliveryDays,
    maxDeliveryDays,
    minDeliveryDate,
    maxDeliveryDate,
    serviceType,
    methodType: isPrivate && isBusiness ? 'both' : isPrivate ? 'private' : 'business',
    totalWeight,
    numberOfParcels,
    promiseExpirationDateTime: toTimestamp(expiresMs),
  };
}
