import { EntitySchema } from 'typeorm';
import { bigId, integer, madeNow, moment, momentOrNull, text, textOrNull } from './columns.ts';

/** A variant of a template: what it is printed as, by which options it is chosen, and what is to be filled in. */
export interface TemplateVariant {
  templateVariantId: string;
  title: string | null;
  productUid: string | null;
  options: { name: string; value: string }[];
  imagePlaceholders: { name: string; printArea: string | null; height: number | null; width: number | null }[];
  textPlaceholders: { name: string; text: string | null }[];
}

/** What products are made of at the print service, as it was last told or read. Its preview is read anew and never kept. */
export interface StoreProductTemplate {
  id: string;
  shopId: number;
  /** The account that the shop had then: with another key there are other templates. */
  printAccountId: number;
  templateId: string;
  title: string | null;
  description: string | null;
  variants: TemplateVariant[];
  /** When it was told or read to be so. */
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
