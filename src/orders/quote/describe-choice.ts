import type { PortMethod, PortQuote } from '../../print/port.ts';
import type { ShippingChoice } from './choose-shipping.ts';

type Reasons = Pick<ShippingChoice, 'way' | 'passedOver'>;

/** A chosen method in a sentence for the timeline, with the rules that were passed over since what they ask for is not offered. */
export function describeChoice({ name, shipmentMethodUid, price, currency }: PortMethod, choice: Reasons): string {
  const { way, passedOver } = choice;
  const missed = passedOver.filter(({ applies }) => applies).map(({ rule, why }) => `the ${rule} (${why})`);
  const passed = missed.length > 0 ? ` Passed over: ${missed.join('; ')}.` : '';
  return `${name ?? shipmentMethodUid} for ${price} ${currency}, the ${way.rule}.${passed}`;
}

/** What is kept of a quote with its print order: all methods offered, the one chosen, and by which rule. */
export function toKeptQuote(
  quote: PortQuote,
  method: PortMethod,
  { way, passedOver }: Reasons,
): Record<string, unknown> {
  const { id, fulfillmentCountry, products, shipmentMethods } = quote;
  const offered = shipmentMethods.map(toKeptMethod);
  return { id, fulfillmentCountry, products, offered, chosen: toKeptMethod(method), rule: way.rule, passedOver };
}

function toKeptMethod(method: PortMethod) {
  const { shipmentMethodUid: uid, name, type, price, currency, minDeliveryDate, maxDeliveryDate } = method;
  const { incoTerms, numberOfParcels, isPrivate, isBusiness } = method;
  const dates = { minDeliveryDate, maxDeliveryDate };
  return { uid, name, type, price, currency, ...dates, incoTerms, numberOfParcels, isPrivate, isBusiness };
}
