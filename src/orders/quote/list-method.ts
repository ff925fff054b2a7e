import type { PortMethod } from '../../print/port.ts';
import { parseDeliveryDays } from '../../print/parse-day.ts';
import { toAmount, toUnits } from '../costs/money.ts';

/** A shipping method as shown to the merchant. */
export interface ListedMethod {
  uid: string;
  name: string;
  type: string | null;
  /** Null if the print service returns no price for the method. */
  price: string | null;
  currency: string;
  /** The earliest and the latest expected delivery date (YYYY-MM-DD). Null if unknown. */
  from: string | null;
  to: string | null;
  isChosen: boolean;
}

export function toListedMethod(method: PortMethod, isChosen: boolean): ListedMethod {
  const { type, currency } = method;
  const price = method.price === '' || currency === '' ? null : toPrice(method);
  return {
    uid: method.shipmentMethodUid,
    name: nameOf(method),
    type,
    price,
    currency,
    ...parseDeliveryDays(method),
    isChosen,
  };
}

export function nameOf({ name, shipmentMethodUid }: PortMethod): string {
  return name ?? shipmentMethodUid;
}

/** Returns a method's price with the decimal places of its currency. A price that is not a plain decimal stays unchanged. */
function toPrice({ price, currency }: PortMethod): string {
  const units = toUnits(price, currency);
  return units === null ? String(price) : toAmount(units, currency);
}

/** Returns a method's name and price for use in a sentence. */
export function describeMethod(method: PortMethod): string {
  return `${nameOf(method)} for ${toPrice(method)} ${method.currency}`;
}
