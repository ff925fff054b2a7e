import type { PrintProblem, PrintServiceError } from '../print/errors.ts';

/** Problems with which the service never accepts an order. The order would be held, so fallback rates must not be offered. */
const UNDELIVERABLE: ReadonlySet<PrintProblem> = new Set([
  'undeliverable',
  'unsupported_country',
  'unsupported_product',
]);

/** Whether the service never delivers this cart: it names one of these problems, or refuses the country. */
export function isUndeliverable({ outcome, problem, field, details }: PrintServiceError): boolean {
  if (outcome !== 'refused') return false;
  const paths = [field, ...details.map((detail) => detail.field)];
  const isCountry = paths.some((path) => path?.split('.').at(-1) === 'country');
  return isCountry || (problem !== null && UNDELIVERABLE.has(problem));
}
