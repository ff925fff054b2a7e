import type { PrintProblem, PrintServiceError } from '../print/errors.ts';

/** Problems that the service never accepts: an order of it would be held, so no price of the shop's own stands in for it. */
const UNDELIVERABLE: ReadonlySet<PrintProblem> = new Set([
  'undeliverable',
  'unsupported_country',
  'unsupported_product',
]);

/** Whether the service never delivers this cart: it names such a problem, or complains about the country. */
export function isUndeliverable({ outcome, problem, field, details }: PrintServiceError): boolean {
  if (outcome !== 'refused') return false;
  const paths = [field, ...details.map((detail) => detail.field)];
  const isCountry = paths.some((path) => path?.split('.').at(-1) === 'country');
  return isCountry || (problem !== null && UNDELIVERABLE.has(problem));
}
