import type { App } from '../../app.ts';
import type { PrintOrderLine } from '../../database/entities/print-orders.ts';
import type { PortQuote } from '../../print/port.ts';
import { isEachItemQuotedOnce } from '../../print/is-each-item-quoted-once.ts';
import type { ShippingChoice } from './choose-shipping.ts';
import { cleanText } from '../address/clean-text.ts';
import { isPromiseExpired } from './is-promise-expired.ts';

/** Added to a message if a single quote for all lines was requested but not returned. */
export const ONE_QUOTE_HINT =
  'Under "Shipping rules", allow an order to be split among several facilities. The order may then arrive in several parcels.';

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
      message: 'The print service did not quote every line of the order exactly once. Choose "Retry".',
    };
  }
  if (!allowMultipleQuotes && quotes.length > 1) {
    const message = `The print service would print this order at ${quotes.length} of its facilities.`;
    return { field: 'allowMultipleQuotes', message: `${message} ${ONE_QUOTE_HINT}` };
  }
  if (choice.lostRate !== null) {
    const { title, type, code } = choice.lostRate;
    const paid = `The buyer chose "${cleanText(title)}" at checkout and paid for the shipping class ${type}, which the print service does not currently offer for this order: ${choice.lack}.`;
    const remedy = `Under "Shipping rules", add a rule that names the code ${code} and the shipping method to use instead.`;
    return { field: 'shipmentMethodUid', message: `${paid} ${remedy}` };
  }
  if (choice.way.byHand !== undefined && choice.lack !== null) {
    const message = `The shipping method ${cleanText(choice.way.byHand)}, which was chosen for this order by hand, is not possible now: ${choice.lack}.`;
    return {
      field: 'shipmentMethodUid',
      message: `${message} Choose another method with "Change the shipping method".`,
    };
  }
  if (choice.lack !== null) {
    const message = `The print service offers no way to ship this order to this address: ${choice.lack}.`;
    const step =
      !allowMultipleQuotes && lines.length > 1 ? ONE_QUOTE_HINT : 'Check the address with "Change the address".';
    return { field: 'shipmentMethodUid', message: `${message} ${step}` };
  }
  if (choice.methods.some((method) => isPromiseExpired(app, method?.promise))) {
    return {
      field: 'promiseExpirationDateTime',
      message:
        'The print service\'s offer had expired when it arrived. This server\'s clock may be wrong. Choose "Retry" after you have checked it.',
    };
  }
  return null;
}
