import type { PrintServiceError } from '../../print/errors.ts';
import type { PortQuote, PortQuoteRequest } from '../../print/port.ts';
import { quotesEachOnce } from '../../print/legacy/quotes-each-once.ts';
import type { LinkProblem, LinkProblemCode, LinkProblemField } from './link-problem.ts';

const countryNames = new Intl.DisplayNames('en', { type: 'region', fallback: 'code' });

/** What is known of the product beside the refusal of its quote: whether the catalog has it. */
export type InCatalog = 'there' | 'missing' | 'unknown';

/** What is wrong when a piece was quoted; null: the service makes and sends it. */
export function judgeQuotes(quotes: readonly PortQuote[], request: PortQuoteRequest): LinkProblem | null {
  const isWhole = quotesEachOnce(quotes, request.products);
  return isWhole && quotes.every(({ shipmentMethods }) => shipmentMethods.length > 0)
    ? null
    : notForCountry(request.recipient.country);
}

/** Whether a refusal leaves open if the product is not there or cannot be had in this way: the catalog then tells. */
export function leavesProductOpen({ outcome, problem }: PrintServiceError): boolean {
  return outcome === 'refused' && (problem === null || problem === 'invalid_request' || problem === 'not_found');
}

/** What is wrong when the service refused to quote a piece, or could not be asked. */
export function judgeRefusal(error: PrintServiceError, request: PortQuoteRequest, inCatalog: InCatalog): LinkProblem {
  const { outcome, problem } = error;
  const { country } = request.recipient;
  if (outcome === 'account_refused') return keyRefused(error);
  if (outcome !== 'refused') {
    const message = `The product could not be checked: ${describe(error)}.`;
    const remedy = 'Check the link again later.';
    return { ...make('print_service_unavailable', 'productUid', message, remedy), mayPass: true };
  }
  if (problem === 'unknown_product' || inCatalog === 'missing') return unknownProduct(error, request);
  if (problem === 'unsupported_product' || problem === 'undeliverable') return notForCountry(country, error);
  if (problem === 'unsupported_country') {
    const message = `The print service delivers nothing to ${nameOf(country)}.`;
    const remedy = 'Nothing has to be done if the shop sells to other countries alone.';
    return make('country_not_supported', 'country', message, remedy);
  }
  if (problem === 'unsupported_currency') {
    const message = `The print service has no prices in ${request.currency}.`;
    return make('currency_not_supported', 'currency', message, 'Choose another currency in the settings.');
  }
  const message = `The print service refuses the product as the link has it.${wordsOf(error)}`;
  return make('product_refused', fieldOf(error), message, 'Correct the link, or ask the print service what it lacks.');
}

function keyRefused({ status }: PrintServiceError): LinkProblem {
  if (status === 403) {
    const message = 'The print service does not let the account of your key have this product.';
    const remedy = 'Choose a product of your account there, or ask the print service to open this one for it.';
    return make('product_refused', 'productUid', message, remedy);
  }
  const message = 'The print service does not accept the API key of the shop.';
  return make('key_refused', 'printKey', message, 'Copy the key again from your account there into the settings.');
}

function unknownProduct(error: PrintServiceError, { products: [product] }: PortQuoteRequest): LinkProblem {
  const envelope = product?.envelopes?.productUid;
  const told = `${error.field} ${error.serviceMessage}`;
  if (envelope !== undefined && (told.includes('options') || told.includes(envelope))) {
    const message = `The print service has no envelope with the uid ${envelope}.`;
    return make('unknown_product', 'envelopeProductUid', message, 'Copy the uid of the envelope from its catalog.');
  }
  const message = `The print service has no product with the uid ${product?.productUid ?? ''}.`;
  return make('unknown_product', 'productUid', message, 'Copy the product uid from its catalog, letter by letter.');
}

function notForCountry(country: string, error?: PrintServiceError): LinkProblem {
  const message = `The print service does not deliver this product to ${nameOf(country)}, the country of the shop.${
    error ? wordsOf(error) : ''
  }`;
  const remedy = 'Choose a product that is made for it, or sell this one to other countries alone.';
  return make('not_for_country', 'productUid', message, remedy);
}

/** The field of a link that a path into the request is about, or the message where there is no path. */
function fieldOf({ field, serviceMessage }: PrintServiceError): LinkProblemField {
  const told = field ?? serviceMessage ?? '';
  if (told.includes('pageCount')) return 'pageCount';
  if (told.includes('files') || told.includes('pdfUrl')) return 'fileUrl';
  return told.includes('options') ? 'envelopeProductUid' : 'productUid';
}

function wordsOf({ serviceMessage }: PrintServiceError): string {
  const words = serviceMessage?.trim() ?? '';
  return words === '' ? '' : ` It says: ${words}${/[.!?]$/.test(words) ? '' : '.'}`;
}

function describe({ status }: PrintServiceError): string {
  if (status === null) return 'the print service does not answer';
  if (status === 429) return 'the print service asks to wait, it had too many requests';
  return `the print service answers with the error ${status}`;
}

function nameOf(country: string): string {
  return countryNames.of(country) ?? country;
}

function make(code: LinkProblemCode, field: LinkProblemField, message: string, remedy: string): LinkProblem {
  return { code, field, message, remedy, mayPass: false };
}
