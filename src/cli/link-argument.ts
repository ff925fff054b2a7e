import { parseTarget, type LinkTarget } from '../products/links/parse-link.ts';

const SKU = 'sku:';

/** What a print link is for, as a command names it: the id of a variant, or `sku:` and a SKU. */
export function toLinkFields(argument: string): { variantId: string } | { sku: string } {
  return argument.toLowerCase().startsWith(SKU) ? { sku: argument.slice(SKU.length) } : { variantId: argument };
}

/** The same, checked. Throws InvalidInputError. */
export function parseLinkArgument(argument: string): LinkTarget {
  return parseTarget(toLinkFields(argument));
}
