import type { PrintLink } from '../../database/entities/products.ts';
import type { VariantLink } from '../../shopify/calls/variant-links.ts';
import { checkLink, type LinkToSave } from '../links/parse-link.ts';

/** A problem in a variant's metafields, and its remedy. */
export interface MetafieldProblem {
  /** The metafield, with its namespace: `print.file_url`. */
  field: string;
  message: string;
  remedy: string;
}

export interface LinkDecision {
  /** The print link to save from the metafields, or null. */
  save: LinkToSave | null;
  /** Whether to remove the print link that came from the metafields. */
  remove: boolean;
  problems: MetafieldProblem[];
}

const KEYS: Readonly<Record<string, string>> = {
  productUid: 'product_uid',
  fileUrl: 'file_url',
  pageCount: 'page_count',
};

/**
 * Decides how a variant's metafields change its print link. The metafields are checked like any other link. While the metafields have a
 * problem, a link that came from them remains. A link that a person set in Platen or imported from a file takes precedence over metafields.
 * If the metafields name no product UID, the variant's link is removed, but only if it came from metafields.
 */
export function decideLink(
  { shopifyVariantId, ...texts }: VariantLink,
  own: Pick<PrintLink, 'source' | 'productUid' | 'fileUrl' | 'pageCount'> | null,
  namespace: string,
): LinkDecision {
  const isOfMetafields = own?.source === 'metafields';
  const filled = Object.values(texts).filter((text) => text !== null && text.trim() !== '');
  if (filled.length === 0) return { save: null, remove: isOfMetafields, problems: [] };
  const checked = checkLink({ variantId: shopifyVariantId, ...texts });
  if (Array.isArray(checked)) {
    const problems = checked.map(({ field, message }) =>
      toProblem(namespace, KEYS[field] ?? field, { field, message }, texts),
    );
    return { save: null, remove: isOfMetafields && isBlank(texts.productUid), problems };
  }
  if (own === null || isOfMetafields) return { save: checked, remove: false, problems: [] };
  const isSame = (['productUid', 'fileUrl', 'pageCount'] as const).every((value) => own[value] === checked[value]);
  return { save: null, remove: false, problems: isSame ? [] : [toPrecedenceProblem(namespace)] };
}

function isBlank(text: string | null): boolean {
  return text === null || text.trim() === '';
}

function toProblem(
  namespace: string,
  key: string,
  { field, message }: { field: string; message: string },
  texts: Omit<VariantLink, 'shopifyVariantId'>,
): MetafieldProblem {
  const name = `${namespace}.${key}`;
  const again = 'Platen reads the metafields again when you save them.';
  if (field === 'productUid' && isBlank(texts.productUid)) {
    const remedy = `Fill in ${name}, or clear the print link's other metafields. ${again}`;
    return { field: name, message: `${name} is empty, so there is no product to print.`, remedy };
  }
  if (field === 'fileUrl' && texts.fileUrl?.startsWith('gid://')) {
    const remedy = `Define ${name} with the type URL, and enter the file's address. ${again}`;
    return { field: name, message: `${name} refers to a file in the store and is not an address.`, remedy };
  }
  return { field: name, message: `${name} ${message}.`, remedy: `Correct the variant's ${name}. ${again}` };
}

function toPrecedenceProblem(namespace: string): MetafieldProblem {
  return {
    field: `${namespace}.product_uid`,
    message: 'The variant has a print link that was set in Platen or by a file, which takes precedence.',
    remedy: 'To use the metafields, delete that print link. Otherwise, clear the metafields.',
  };
}
