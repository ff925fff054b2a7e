import type { App } from '../../app.ts';
import type { TemplateVariant } from '../../database/entities/templates.ts';
import type { Template } from '../../print/legacy/store-products-v1.ts';

/** What can be the id of a template in the address of a call. */
export const TEMPLATE_ID = /^[A-Za-z0-9_-][A-Za-z0-9._~-]{0,199}$/;

const LONGEST = 300;
/** As long as the store takes a description. */
const LONGEST_DESCRIPTION = 65_000;

/** What the app goes by of a template. */
export interface TemplateFacts {
  templateId: string;
  title: string | null;
  description: string | null;
  variants: TemplateVariant[];
}

type Told = Pick<Template, 'title' | 'description' | 'variants'>;

/**
 * A template as it is kept (docs/rules/print-interface.md#store-product-template): without its preview, whose address expires. A
 * variant without an id, or with one that came before, can be named by nobody and is left out, and so are placeholders without a
 * name.
 */
export function toTemplate(templateId: string, told: Told): TemplateFacts {
  const variants = new Map<string, TemplateVariant>();
  for (const variant of told.variants) {
    const { id, title, productUid } = variant;
    if (id === null || id === '' || id.length > LONGEST || variants.has(id)) continue;
    variants.set(id, {
      templateVariantId: id,
      title,
      productUid,
      // Without one of them it would pass for a variant that has fewer options.
      options: variant.variantOptions.map(({ name, value }) => ({ name: name ?? '', value: value ?? '' })),
      imagePlaceholders: variant.imagePlaceholders.flatMap(({ name, ...place }) => (name ? [{ name, ...place }] : [])),
      textPlaceholders: variant.textPlaceholders.flatMap(({ name, text }) => (name ? [{ name, text }] : [])),
    });
  }
  const description = told.description?.slice(0, LONGEST_DESCRIPTION).toWellFormed() ?? null;
  const title = told.title?.slice(0, LONGEST).toWellFormed() ?? null;
  return { templateId, title, description, variants: [...variants.values()] };
}

/** For which shops of a print account a template is kept, and when it was known to be so. */
export interface TemplateOwners {
  shopIds: readonly number[];
  printAccountId: number;
  knownAt: Date;
}

/** Keeps templates as the service's own answers show them; what was known at a later time stands. One statement for all. */
export async function keepReadTemplates(app: App, owners: TemplateOwners, templates: TemplateFacts[]): Promise<void> {
  if (templates.length > 0) await keep(app, owners, templates, 'p.known_at <= excluded.known_at');
}

/** Keeps a template as an event tells it: nothing that was deleted comes back by one, whatever the order in which they arrive. */
export async function keepToldTemplate(app: App, owners: TemplateOwners, template: TemplateFacts): Promise<void> {
  await keep(app, owners, [template], 'p.known_at <= excluded.known_at and p.deleted_at is null');
}

/** Notes that a template was deleted; one that was never heard of too, so that a late event does not list it. */
export async function noteDeletedTemplate(
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

/** In one order: two that keep the same templates at once wait for each other. */
async function keep(
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
