import type { PortMethod, PortQuote } from '../../print/port.ts';
import type { ShippingChoice } from './choose-shipping.ts';
import { describeMethod } from './list-method.ts';

const PRODUCT_FIELDS = new Set(['itemReferenceId', 'productUid', 'pageCount', 'quantity', 'price', 'currency']);

type Reasons = Pick<ShippingChoice, 'way' | 'passedOver'>;

/** Describes a chosen method for the timeline, with the rules that were passed over because the service does not offer their choice. */
export function describeChoice(method: PortMethod, { way, passedOver }: Reasons): string {
  const missed = passedOver.filter(({ applies }) => applies).map(({ rule, why }) => `the ${rule} (${why})`);
  const passed = missed.length > 0 ? ` Passed over: ${missed.join('; ')}.` : '';
  const rule = way.byHand === undefined ? `the ${way.rule}` : way.rule;
  return `${describeMethod(method)}, ${rule}.${passed}`;
}

/** Returns the data of a quote that is stored with its print order: all offered methods, the chosen method and the rule. */
export function toStoredQuote(
  quote: PortQuote,
  method: PortMethod,
  { way, passedOver }: Reasons,
): Record<string, unknown> {
  const { id, fulfillmentCountry, shipmentMethods } = quote;
  const products = quote.products.map(toStoredProduct);
  const offered = shipmentMethods.map(toStoredMethod);
  return { id, fulfillmentCountry, products, offered, chosen: toStoredMethod(method), rule: way.rule, passedOver };
}

/** Omits other data that the service repeats from the request, such as a buyer's files. */
function toStoredProduct(product: unknown): Record<string, unknown> {
  const fields = Object.entries(product ?? {}).filter(([name]) => PRODUCT_FIELDS.has(name));
  return Object.fromEntries(fields);
}

function toStoredMethod(method: PortMethod) {
  const { shipmentMethodUid: uid, name, type, price, currency, minDeliveryDate, maxDeliveryDate } = method;
  const { incoTerms, numberOfParcels, isPrivate, isBusiness } = method;
  const dates = { minDeliveryDate, maxDeliveryDate };
  return { uid, name, type, price, currency, ...dates, incoTerms, numberOfParcels, isPrivate, isBusiness };
}
