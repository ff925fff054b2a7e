import type { PrintProblem, PrintServiceError } from '../print/errors.ts';

/** Problems for which the service never accepts an order. The order would be held, so fallback rates must not be offered. */
const UNDELIVERABLE: ReadonlySet<PrintProblem> = new Set([
  'undeliverable',
  'unsupported_country',
  'unsupported_product',
]);

/** Returns whether the service never delivers this cart: it reports one of these problems, or rejects the country. */
export function isUndeliverable({ outcome, problem, field, details }: PrintServiceError): boolean {
  if (outcome !== 'refused') return false;
  const paths = [field, ...details.map((detail) => detail.field)];
  const isCountry = paths.some((path) => path?.split('.').at(-1) === 'country');
  return isCountry || (problem !== null && UNDELIVERABLE.has(problem));
}
