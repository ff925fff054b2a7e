import type { PrintServiceError } from '../../print/errors.ts';
import type { PortQuote, PortQuoteRequest } from '../../print/port.ts';
import { isEachItemQuotedOnce } from '../../print/is-each-item-quoted-once.ts';
import type { LinkProblem, LinkProblemCode, LinkProblemField } from './link-problem.ts';

const countryNames = new Intl.DisplayNames('en', { type: 'region', fallback: 'code' });

/** Whether the catalog has the product whose quote was refused. */
export type CatalogLookup = 'there' | 'missing' | 'unknown';

/** Returns the print link's problem after one unit was quoted, or null if the service makes and ships the product. */
export function findQuoteProblem(quotes: readonly PortQuote[], request: PortQuoteRequest): LinkProblem | null {
  const isWhole = isEachItemQuotedOnce(quotes, request.products);
  return isWhole && quotes.every(({ shipmentMethods }) => shipmentMethods.length > 0)
    ? null
    : notForCountry(request.recipient.country);
}

/** Returns true if the refusal does not reveal whether the product exists. The catalog must then be checked. */
export function isProductUncertain({ outcome, problem }: PrintServiceError): boolean {
  return outcome === 'refused' && (problem === null || problem === 'invalid_request' || problem === 'not_found');
}

/** Returns the print link's problem after the quote for one unit was refused or failed. */
export function toRefusalProblem(
  error: PrintServiceError,
  request: PortQuoteRequest,
  inCatalog: CatalogLookup,
): LinkProblem {
  const { outcome, problem } = error;
  const { country } = request.recipient;
  if (outcome === 'account_refused') return keyRefused(error);
  if (outcome !== 'refused') {
    const message = `The product could not be checked: ${describeStatus(error)}.`;
    const remedy = 'Check the link again later.';
    return { ...createProblem('print_service_unavailable', 'productUid', message, remedy), mayPass: true };
  }
  if (problem === 'unknown_product' || inCatalog === 'missing') return unknownProduct(error, request);
  if (problem === 'unsupported_product' || problem === 'undeliverable') return notForCountry(country, error);
  if (problem === 'unsupported_country') {
    const message = `The print service does not deliver to ${nameOf(country)}.`;
    const remedy = 'If the shop sells only to other countries, no action is needed.';
    return createProblem('country_not_supported', 'country', message, remedy);
  }
  if (problem === 'unsupported_currency') {
    const message = `The print service has no prices in ${request.currency}.`;
    return createProblem('currency_not_supported', 'currency', message, 'Choose another currency in the settings.');
  }
  const message = `The print service refuses the product with the values in this link.${describeServiceMessage(error)}`;
  return createProblem(
    'product_refused',
    fieldOf(error),
    message,
    'Correct the link, or ask the print service what is wrong.',
  );
}

function keyRefused({ status }: PrintServiceError): LinkProblem {
  if (status === 403) {
    const message = 'This product is not available to your account at the print service.';
    const remedy = 'Choose an available product, or ask the print service to enable this product.';
    return createProblem('product_refused', 'productUid', message, remedy);
  }
  const message = "The print service does not accept the shop's API key.";
  return createProblem(
    'key_refused',
    'printKey',
    message,
    'Copy the key again from your account at the print service into the settings.',
  );
}

function unknownProduct(error: PrintServiceError, { products: [product] }: PortQuoteRequest): LinkProblem {
  const envelope = product?.envelopes?.productUid;
  const words = `${error.field} ${error.serviceMessage}`;
  if (envelope !== undefined && (words.includes('options') || words.includes(envelope))) {
    const message = `The print service has no envelope with the UID ${envelope}.`;
    return createProblem(
      'unknown_product',
      'envelopeProductUid',
      message,
      "Copy the envelope's UID from the print service's catalog.",
    );
  }
  const message = `The print service has no product with the UID ${product?.productUid ?? ''}.`;
  return createProblem(
    'unknown_product',
    'productUid',
    message,
    "Copy the product's exact UID from the print service's catalog.",
  );
}

function notForCountry(country: string, error?: PrintServiceError): LinkProblem {
  const message = `The print service does not deliver this product to ${nameOf(country)}, the shop's country.${
    error ? describeServiceMessage(error) : ''
  }`;
  const remedy = 'Choose a product that is delivered there, or sell this product only to other countries.';
  return createProblem('not_for_country', 'productUid', message, remedy);
}

/** Returns the link field that caused the error, according to the error's path in the request or, without a path, its message. */
function fieldOf({ field, serviceMessage }: PrintServiceError): LinkProblemField {
  const words = field ?? serviceMessage ?? '';
  if (words.includes('pageCount')) return 'pageCount';
  if (words.includes('files') || words.includes('pdfUrl')) return 'fileUrl';
  return words.includes('options') ? 'envelopeProductUid' : 'productUid';
}

function describeServiceMessage({ serviceMessage }: PrintServiceError): string {
  const words = serviceMessage?.trim() ?? '';
  return words === '' ? '' : ` It says: ${words}${/[.!?]$/.test(words) ? '' : '.'}`;
}

function describeStatus({ status }: PrintServiceError): string {
  if (status === null) return 'the print service does not respond';
  if (status === 402) return 'the print service refuses payments from your account';
  if (status === 429) return 'the print service received too many requests';
  return `the print service responds with the error ${status}`;
}

function nameOf(country: string): string {
  return countryNames.of(country) ?? country;
}

function createProblem(code: LinkProblemCode, field: LinkProblemField, message: string, remedy: string): LinkProblem {
  return { code, field, message, remedy, mayPass: false };
}
