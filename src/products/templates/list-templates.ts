import { IsNull, LessThan } from 'typeorm';
import type { App } from '../../app.ts';
import type { Shop } from '../../database/entities/shops.ts';
import { StoreProductTemplates } from '../../database/entities/templates.ts';
import type { ExtendedCalls } from '../../print/client.ts';
import { PrintServiceError } from '../../print/errors.ts';
import type { Template } from '../../print/legacy/store-products-v1.ts';
import { openService } from '../service/open-service.ts';
import { keepReadTemplates, toTemplate } from './keep-template.ts';
import type { KnownTemplate } from './read-template.ts';

const PAGE = 20;
/** A list does not wait longer for its previews. */
const LONGEST_MS = 5_000;

/** A template as the API shows it; `knownAt` is ISO 8601. */
export type ShownTemplate = Omit<KnownTemplate, 'knownAt'> & { knownAt: string };

/** A template as it is shown. */
export function toShownTemplate(template: KnownTemplate): ShownTemplate {
  const { templateId, title, description, previewUrl, variants, knownAt } = template;
  return { templateId, title, description, previewUrl, variants, knownAt: knownAt.toISOString() };
}

/**
 * A page of the templates that a shop's print account is known to have, the newest first by when each was first heard of, each with
 * a preview that is read anew: no call lists them, and the address of a preview expires. One that cannot be read in time is shown
 * as it is known, without a preview. `next` is the `after` of the next page. Throws as `openService`.
 */
export async function listTemplates(
  app: App,
  shop: Shop,
  { after }: { after: string | null },
): Promise<{ templates: ShownTemplate[]; next: string | null }> {
  const { accountId, service } = await openService(app, shop);
  const rows = await app.db.manager.find(StoreProductTemplates, {
    where: {
      shopId: shop.id,
      printAccountId: accountId,
      deletedAt: IsNull(),
      ...(after === null ? {} : { id: LessThan(after) }),
    },
    order: { id: 'DESC' },
    take: PAGE + 1,
  });
  const page = rows.slice(0, PAGE);
  const knownAt = app.now();
  const ids = page.map(({ templateId }) => templateId);
  const readings =
    service.extended === 'unsupported' ? new Map<string, Template>() : await readAll(service.extended, ids);
  const fresh = [...readings].map(([id, reading]) => toTemplate(id, reading));
  await keepReadTemplates(app, { shopIds: [shop.id], printAccountId: accountId, knownAt }, fresh);
  const facts = new Map(fresh.map((one) => [one.templateId, one]));
  const templates = page.map((row) => {
    const reading = readings.get(row.templateId);
    const now = facts.get(row.templateId);
    return toShownTemplate(
      now ? { ...now, previewUrl: reading?.previewUrl ?? null, knownAt } : { ...row, previewUrl: null },
    );
  });
  return { templates, next: rows.length > PAGE ? (page.at(-1)?.id ?? null) : null };
}

/** Those that the service answers in time, by their ids; the client keeps to what an account may ask at once. */
async function readAll(extended: ExtendedCalls, ids: readonly string[]): Promise<Map<string, Template>> {
  const read = new Map<string, Template>();
  const reading = Promise.all(
    ids.map(async (id) => {
      try {
        read.set(id, await extended.getTemplate(id));
      } catch (error) {
        if (!(error instanceof PrintServiceError)) throw error;
      }
    }),
  );
  const late = Promise.withResolvers<void>();
  const timer = setTimeout(() => late.resolve(), LONGEST_MS);
  try {
    await Promise.race([reading, late.promise]);
    // What comes later is of no answer.
    return new Map(read);
  } finally {
    clearTimeout(timer);
  }
}
