import { z } from 'zod';
import { parseOrRefuse } from '../../refusal.ts';
import type { Ids } from '../../ids.ts';
import type { StandIn } from '../stand-in.ts';
import { saveTemplate } from './save-store-product.ts';
import { toStoreTimestamp, type TemplateRecord, type TemplateVariant } from './store-records.ts';

const variantSchema = z.strictObject({
  /** If omitted, the variant gets a new ID. */
  id: z.string().min(1).optional(),
  title: z.string(),
  productUid: z.string().min(1),
  variantOptions: z.array(z.strictObject({ name: z.string(), value: z.string() })).default([]),
  imagePlaceholders: z
    .array(
      z.strictObject({
        name: z.string(),
        printArea: z.string().default('front'),
        height: z.number().default(137.25),
        width: z.number().default(244),
      }),
    )
    .default([]),
  textPlaceholders: z.array(z.strictObject({ name: z.string(), text: z.string() })).default([]),
});
const newTemplateSchema = z.strictObject({
  key: z.string().default('sandbox-key'),
  title: z.string(),
  description: z.string().default(''),
  variants: z.array(variantSchema).min(1),
});
const changeSchema = z.strictObject({
  title: z.string().optional(),
  description: z.string().optional(),
  variants: z.array(variantSchema).min(1).optional(),
});

/** Adds a template to an account as if someone had created it manually. Throws a `Refusal`. */
export function addTemplate(standIn: StandIn, input: unknown): TemplateRecord {
  const { ids } = standIn;
  const { key, title, description, variants } = parseOrRefuse(newTemplateSchema, input);
  const now = toStoreTimestamp(standIn.clock.now().getTime());
  const template = { id: ids.nextUuid(), title, description, createdAt: now, updatedAt: now };
  const record = { account: key, template: { ...template, variants: withIds(variants, ids) } };
  saveTemplate(standIn, record, 'created');
  return record;
}

/** Changes a template. Variants in the input replace all existing ones. Throws a `Refusal`. */
export function changeTemplate(standIn: StandIn, record: TemplateRecord, input: unknown): TemplateRecord {
  const { title, description, variants } = parseOrRefuse(changeSchema, input);
  const { template } = record;
  const changed: TemplateRecord = {
    ...record,
    template: {
      ...template,
      title: title ?? template.title,
      description: description ?? template.description,
      updatedAt: toStoreTimestamp(standIn.clock.now().getTime()),
      variants: variants ? withIds(variants, standIn.ids) : template.variants,
    },
  };
  saveTemplate(standIn, changed, 'updated');
  return changed;
}

function withIds(variants: z.output<typeof variantSchema>[], ids: Ids): TemplateVariant[] {
  return variants.map(({ id, ...variant }) => ({ id: id ?? ids.nextUuid(), ...variant }));
}
