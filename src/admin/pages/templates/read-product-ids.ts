const DIGITS = /^[1-9]\d{0,19}$/;
/** A product's address in the admin, or its ID in the store. */
const PRODUCT = /(?:^|\/products\/|\/Product\/)([1-9]\d{0,19})(?:[/?#]|$)/;

/**
 * Reads products that were entered as addresses in the admin or as IDs, separated by line breaks, commas or semicolons. Returns their
 * numeric IDs, or the first entry that is neither an address nor an ID.
 */
export function readProductIds(text: string): { ids: string[] } | { invalid: string } {
  const ids: string[] = [];
  for (const line of text.split(/[\n,;]/)) {
    const trimmed = line.trim();
    if (trimmed === '') continue;
    const id = DIGITS.test(trimmed) ? trimmed : PRODUCT.exec(trimmed)?.[1];
    if (id === undefined) return { invalid: trimmed };
    ids.push(id);
  }
  return { ids: [...new Set(ids)] };
}
