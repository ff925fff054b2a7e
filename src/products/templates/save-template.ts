import type { App } from '../../app.ts';
import type { TemplateVariant } from '../../database/entities/templates.ts';
import type { Template } from '../../print/current/store-products.ts';
import { truncateText } from '../../truncate-text.ts';

/** Matches template IDs that can be used in a request path. */
export const TEMPLATE_ID = /^[A-Za-z0-9_-][A-Za-z0-9._~-]{0,199}$/;

const LONGEST = 300;
/** The maximum length of a description in the store. */
const MAX_DESCRIPTION_LENGTH = 65_000;

/** The template data that Platen uses. */
export interface TemplateFacts {
  templateId: string;
  title: string | null;
  description: string | null;
  variants: TemplateVariant[];
}

type ServiceTemplate = Pick<Template, 'title' | 'description' | 'variants'>;

/**
 * Converts a template for saving (docs/rules/print-interface.md#store-product-template), without its preview, whose address expires.
 * Variants without an ID or with a repeated ID are left out, because nobody can refer to them. Placeholders without a name are also left
 * out.
 */
export function toTemplate(templateId: string, template: ServiceTemplate): TemplateFacts {
  const variants = new Map<string, TemplateVariant>();
  for (const variant of template.variants) {
    const { id, title, productUid } = variant;
    if (id === null || id === '' || id.length > LONGEST || variants.has(id)) continue;
    variants.set(id, {
      templateVariantId: id,
      title,
      productUid,
      // Incomplete options are preserved. Without them, the variant would match a variant with fewer options.
      options: variant.variantOptions.map(({ name, value }) => ({ name: name ?? '', value: value ?? '' })),
      imagePlaceholders: variant.imagePlaceholders.flatMap(({ name, ...place }) => (name ? [{ name, ...place }] : [])),
      textPlaceholders: variant.textPlaceholders.flatMap(({ name, text }) => (name ? [{ name, text }] : [])),
    });
  }
  const description = truncateText(template.description, MAX_DESCRIPTION_LENGTH);
  const title = truncateText(template.title, LONGEST);
  return { templateId, title, description, variants: [...variants.values()] };
}

/** The print account's shops for which a template is saved, and the time of its data. */
export interface TemplateOwners {
  shopIds: readonly number[];
  printAccountId: number;
  knownAt: Date;
}

/** Saves templates from the service's responses, with one statement. Never replaces newer data. */
export async function saveReadTemplates(app: App, owners: TemplateOwners, templates: TemplateFacts[]): Promise<void> {
  if (templates.length > 0) await saveTemplates(app, owners, templates, 'p.known_at <= excluded.known_at');
}

/** Saves a template from an event. An event never restores a deleted template, regardless of the order in which events arrive. */
export async function saveReportedTemplate(app: App, owners: TemplateOwners, template: TemplateFacts): Promise<void> {
  await saveTemplates(app, owners, [template], 'p.known_at <= excluded.known_at and p.deleted_at is null');
}

/** Records that a template was deleted. An unknown template is also recorded, so that a late event does not add it to the list. */
export async function recordDeletedTemplate(
  app: App,
  { shopIds, printAccountId, knownAt }: TemplateOwners,
  templateId: string,
): Promise<void> {
  await app.db.query(
    `insert into store_product_templates as p (shop_id, print_account_id, template_id, known_at, deleted_at)
     select id, $2, $3, $4, $4 from unnest($1::int[]) s (id) order by id
     on conflict (shop_id, template_id) do update set deleted_at = coalesce(p.deleted_at, excluded.deleted_at)`,
    [shopIds, printAccountId, templateId, knownAt],
  );
}

/** Saves templates in a fixed order, so that parallel saves wait for each other and do not deadlock. */
async function saveTemplates(
  app: App,
  { shopIds, printAccountId, knownAt }: TemplateOwners,
  templates: readonly TemplateFacts[],
  condition: string,
): Promise<void> {
  await app.db.query(
    `insert into store_product_templates as p (shop_id, print_account_id, template_id, title, description, variants, known_at)
     select s.id, $2, "templateId", title, description, variants, $4
     from unnest($1::int[]) s (id), jsonb_to_recordset($3::jsonb) t ("templateId" text, title text, description text, variants jsonb)
     order by s.id, "templateId" collate "C"
     on conflict (shop_id, template_id) do update set print_account_id = excluded.print_account_id, title = excluded.title,
       description = excluded.description, variants = excluded.variants, known_at = excluded.known_at, deleted_at = null
     where ${condition}`,
    [shopIds, printAccountId, JSON.stringify(templates), knownAt],
  );
}
