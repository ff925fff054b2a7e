import type { TitledVariant } from '../../../products/store-products/read-titles.ts';
import { digitsOf } from '../../format.ts';
import { useData } from '../../use-data.ts';

/**
 * Reads the titles of variants that the print service does not know from the store. Returns a function that names a variant. That function
 * returns null until the titles have arrived, and if the store is unavailable.
 */
export function useTitles(
  variants: readonly { variantId: string | null; title?: string | null }[],
): (variantId: string | null) => string | null {
  const unnamed = variants.flatMap(({ variantId, title = null }) =>
    variantId === null || title !== null ? [] : [digitsOf(variantId)],
  );
  const path = unnamed.length === 0 ? null : `/api/variant-titles?ids=${unnamed.join(',')}`;
  const { data } = useData<{ variants: TitledVariant[] }>(path);
  return (variantId) =>
    (variantId !== null && data?.variants.find((one) => one.variantId === digitsOf(variantId))?.title) || null;
}
