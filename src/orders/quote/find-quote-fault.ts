import type { App } from '../../app.ts';
import type { PrintOrderLine } from '../../database/entities/print-orders.ts';
import type { PortQuote } from '../../print/port.ts';
import { isEachItemQuotedOnce } from '../../print/is-each-item-quoted-once.ts';
import type { ShippingChoice } from './choose-shipping.ts';
import { cleanText } from '../address/clean-text.ts';
import { isPromiseExpired } from './is-promise-expired.ts';

/** Added to a message if a single quote for all lines was requested but not returned. */
export const ONE_QUOTE_HINT =
  'The settings do not allow an order to be split among several facilities. If you allow this, the order may arrive in several parcels.';

interface QuotedOrder {
  quotes: readonly PortQuote[];
  choice: ShippingChoice;
  lines: readonly Pick<PrintOrderLine, 'itemReferenceId'>[];
  allowMultipleQuotes: boolean;
}

/**
 * Finds a fault in the quotes, such as a quote without a usable shipping method, or a line that is missing or quoted twice. Returns null if
 * there is no fault.
 */
export function findQuoteFault(app: App, quoted: QuotedOrder): { field: string; message: string } | null {
  const { quotes, choice, lines, allowMultipleQuotes } = quoted;
  if (!isEachItemQuotedOnce(quotes, lines)) {
    return {
      field: 'itemReferenceId',
      message: 'The print service did not quote every line of the order exactly once.',
    };
  }
  if (!allowMultipleQuotes && quotes.length > 1) {
    const message = `The print service would print this order at ${quotes.length} of its facilities.`;
    return { field: 'allowMultipleQuotes', message: `${message} ${ONE_QUOTE_HINT}` };
  }
  if (choice.lostRate !== null) {
    const { title, type, code } = choice.lostRate;
    const paid = `The buyer chose "${cleanText(title)}" at checkout and paid for the shipping class ${type}, which the print service does not currently offer for this order: ${choice.lack}.`;
    const remedy = `Retry, add a shipping rule that names the code ${code} and the shipping method to use instead, or fulfill the order by hand.`;
    return { field: 'shipmentMethodUid', message: `${paid} ${remedy}` };
  }
  if (choice.way.byHand !== undefined && choice.lack !== null) {
    const message = `The shipping method ${cleanText(choice.way.byHand)}, which was chosen for this order by hand, is not possible now: ${choice.lack}.`;
    return {
      field: 'shipmentMethodUid',
      message: `${message} Choose another shipping method for this order, or have the shop's rules choose it.`,
    };
  }
  if (choice.lack !== null) {
    const message = `The print service offers no way to ship this order to this address: ${choice.lack}.`;
    const hint = !allowMultipleQuotes && lines.length > 1 ? ` ${ONE_QUOTE_HINT}` : '';
    return { field: 'shipmentMethodUid', message: `${message}${hint}` };
  }
  if (choice.methods.some((method) => isPromiseExpired(app, method?.promise))) {
    return {
      field: 'promiseExpirationDateTime',
      message: "The print service's offer had expired when it arrived. This server's clock may be wrong.",
    };
  }
  return null;
}
