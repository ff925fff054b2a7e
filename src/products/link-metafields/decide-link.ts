import type { PrintLink } from '../../database/entities/products.ts';
import type { VariantLink } from '../../shopify/calls/variant-links.ts';
import { checkLink, type LinkToSave } from '../links/parse-link.ts';

/** What is wrong in the metafields of a variant, and what to do about it. */
export interface MetafieldProblem {
  /** The metafield, with its namespace: `print.file_url`. */
  field: string;
  message: string;
  remedy: string;
}

export interface LinkDecision {
  /** The print link that the metafields come to; null: none is saved. */
  save: LinkToSave | null;
  /** Whether the print link that came from them goes. */
  remove: boolean;
  problems: MetafieldProblem[];
}

const KEYS: Readonly<Record<string, string>> = {
  productUid: 'product_uid',
  fileUrl: 'file_url',
  pageCount: 'page_count',
};

/**
 * What becomes of a variant's print link by its metafields. They are checked as any other link is; while they are wrong, the link that came
 * from them before stands. One that a person has set, by hand or by a file, goes first. Without a product uid they say nothing: the link
 * that came from them goes, and no other.
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
  return { save: null, remove: false, problems: isSame ? [] : [setOtherwise(namespace)] };
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
  const again = 'Platen reads it again when you save it.';
  if (field === 'productUid' && isBlank(texts.productUid)) {
    const remedy = `Fill in ${name}, or empty the other metafields of the print link. ${again}`;
    return { field: name, message: `${name} is empty, and without a product nothing can be printed.`, remedy };
  }
  if (field === 'fileUrl' && texts.fileUrl?.startsWith('gid://')) {
    const remedy = `Define ${name} with the type URL, and fill in the address of the file. ${again}`;
    return { field: name, message: `${name} is a reference to a file of the store and no address.`, remedy };
  }
  return { field: name, message: `${name} ${message}.`, remedy: `Mend ${name} of the variant. ${again}` };
}

function setOtherwise(namespace: string): MetafieldProblem {
  return {
    field: `${namespace}.product_uid`,
    message: 'The variant has a print link that was set in Platen or by a file, and that one holds.',
    remedy: 'Take that print link away to have the metafields hold, or empty the metafields.',
  };
}
