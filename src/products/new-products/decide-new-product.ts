import type { NewProduct, NewProductProblem } from '../../database/entities/new-products.ts';

/** A product in the store at the service with the requested title. */
export interface Candidate {
  id: string;
  createdAt: Date | null;
}

/**
 * Decides whether to send the create request, based on the existing products with the same title. Returns null to send the request, or a
 * problem if one of these products may already be the requested product.
 */
export function decideBeforeCreate(candidates: readonly Candidate[], askedAt: Date): NewProductProblem | null {
  const younger = candidates.filter(({ createdAt }) => createdAt !== null && createdAt > askedAt);
  if (younger.length === 0) return null;
  return {
    code: 'already_there',
    field: 'title',
    message: `The print service has a product with this title that was created after your request: ${listIds(younger)}. Check whether it is the requested product. If not, request the product again.`,
  };
}

/**
 * Decides the outcome of a create request whose response was lost, based on the products with the same title that are now in the store. If
 * exactly one of them is new, it is the requested product. Null means that the outcome is still unknown and must be checked again later.
 * The create request is never sent again.
 */
export function decideAfterCreate(
  candidates: readonly Candidate[],
  { idsBefore, attemptedAt }: Pick<NewProduct, 'idsBefore' | 'attemptedAt'>,
  { now, quietSeconds }: { now: Date; quietSeconds: number },
): { storeProductId: string } | { problem: NewProductProblem } | null {
  const known = new Set(idsBefore);
  const made = candidates.filter(({ id }) => !known.has(id));
  const [only, ...others] = made;
  if (only && others.length === 0) return { storeProductId: only.id };
  const isQuiet = attemptedAt !== null && now.getTime() - attemptedAt.getTime() > quietSeconds * 1000;
  if (only) {
    const message = `Several products with this title were created at the print service in the meantime: ${listIds(made)}. Keep the correct product, and delete the others there.`;
    return { problem: { code: 'several_made', field: 'title', message } };
  }
  if (!isQuiet) return null;
  const message =
    'The print service did not respond and does not show the product, so it was not created. Request the product again.';
  return { problem: { code: 'not_made', field: null, message } };
}

function listIds(candidates: readonly Candidate[]): string {
  return candidates
    .slice(0, 5)
    .map(({ id }) => id)
    .join(', ');
}
