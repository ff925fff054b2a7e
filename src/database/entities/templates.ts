import { EntitySchema } from 'typeorm';
import { bigId, integer, insertTimestamp, timestamp, timestampOrNull, text, textOrNull } from './columns.ts';

/** A template's variant: the product to print, its options and the fields to fill in. */
export interface TemplateVariant {
  templateVariantId: string;
  title: string | null;
  productUid: string | null;
  options: { name: string; value: string }[];
  imagePlaceholders: { name: string; printArea: string | null; height: number | null; width: number | null }[];
  textPlaceholders: { name: string; text: string | null }[];
}

/** One of the print service's templates, as last read or reported. The preview is read when needed and never stored. */
export interface StoreProductTemplate {
  id: string;
  shopId: number;
  /** The account that the shop used when the template was read or reported. Each account has its own templates. */
  printAccountId: number;
  templateId: string;
  title: string | null;
  description: string | null;
  variants: TemplateVariant[];
  /** When the template was last reported or read with this content. */
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
    knownAt: timestamp,
    deletedAt: timestampOrNull,
    createdAt: insertTimestamp,
  },
});
