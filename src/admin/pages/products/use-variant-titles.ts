import type { TitledVariant } from '../../../products/store-products/read-titles.ts';
import { toNumericId } from '../../format.ts';
import { useData } from '../../use-data.ts';

/** A no-break space, which keeps the height of the line. */
const SPACE = '\u00A0';

/**
 * Reads from the store the titles of variants that the print service does not know. Returns a function that names a variant. Until the
 * titles arrive, that function returns a space, so that the rows already have their final height. If the store is unavailable, the function
 * returns null.
 */
export function useVariantTitles(
  variants: readonly { variantId: string | null; title?: string | null }[],
): (variantId: string | null) => string | null {
  const unnamed = variants.flatMap(({ variantId, title = null }) =>
    variantId === null || title !== null ? [] : [toNumericId(variantId)],
  );
  const path = unnamed.length === 0 ? null : `/api/variant-titles?ids=${unnamed.join(',')}`;
  const { data, error } = useData<{ variants: TitledVariant[] }>(path);
  return (variantId) => {
    if (variantId === null) return null;
    if (data === null) return path !== null && error === null ? SPACE : null;
    return data.variants.find((one) => one.variantId === toNumericId(variantId))?.title || null;
  };
}
