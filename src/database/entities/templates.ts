import { EntitySchema } from 'typeorm';
import { bigId, integer, madeNow, moment, momentOrNull, text, textOrNull } from './columns.ts';

/** A template's variant: what it is printed as, its options, and what must be filled in. */
export interface TemplateVariant {
  templateVariantId: string;
  title: string | null;
  productUid: string | null;
  options: { name: string; value: string }[];
  imagePlaceholders: { name: string; printArea: string | null; height: number | null; width: number | null }[];
  textPlaceholders: { name: string; text: string | null }[];
}

/** One of the print service's templates, as last read or reported. Its preview is read when needed and never stored. */
export interface StoreProductTemplate {
  id: string;
  shopId: number;
  /** The shop's account at that time. Another key has other templates. */
  printAccountId: number;
  templateId: string;
  title: string | null;
  description: string | null;
  variants: TemplateVariant[];
  /** When the template was reported or read in this form. */
  knownAt: Date;
  deletedAt: Date | null;
  createdAt: Date;
}

export const StoreProductTemplates = new EntitySchema<StoreProductTemplate>({
  name: 'StoreProductTemplate',
  tableName: 'store_product_templates',
  columns: {
    id: bigId,
    shopId: integer,
    printAccountId: integer,
    templateId: text,
    title: textOrNull,
    description: textOrNull,
    variants: { type: 'jsonb', default: [] },
    knownAt: moment,
    deletedAt: momentOrNull,
    createdAt: madeNow,
  },
});
