import type { NewProduct, NewProductProblem } from '../../database/entities/new-products.ts';

/** A product of the store that has the title. */
export interface Candidate {
  id: string;
  createdAt: Date | null;
}

/** What a look before the attempt comes to: to send it, or a product which may be this one already. */
export function decideBefore(candidates: readonly Candidate[], askedAt: Date): NewProductProblem | null {
  const younger = candidates.filter(({ createdAt }) => createdAt !== null && createdAt > askedAt);
  if (younger.length === 0) return null;
  return {
    code: 'already_there',
    field: 'title',
    message: `The print service has a product of this title that was made after you asked: ${list(younger)}. Look whether it is this one; if it is not, ask for it again.`,
  };
}

/**
 * What became of an attempt whose answer was lost, by the products of its title that the store has now: the one that was not there before,
 * or so far none. null: look again. Nothing is sent a second time.
 */
export function decideAfter(
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
    const message = `Several products of this title were made at the print service meanwhile: ${list(made)}. Keep the right one and delete the others there.`;
    return { problem: { code: 'several_made', field: 'title', message } };
  }
  if (!isQuiet) return null;
  const message = 'The print service did not answer, and does not show the product: it was not made. Ask for it again.';
  return { problem: { code: 'not_made', field: null, message } };
}

function list(candidates: readonly Candidate[]): string {
  return candidates
    .slice(0, 5)
    .map(({ id }) => id)
    .join(', ');
}
