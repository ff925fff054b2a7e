import { IsNull, LessThan } from 'typeorm';
import type { App } from '../../app.ts';
import type { Shop } from '../../database/entities/shops.ts';
import { StoreProductTemplates } from '../../database/entities/templates.ts';
import type { ExtendedCalls } from '../../print/client.ts';
import { PrintServiceError } from '../../print/errors.ts';
import type { Template } from '../../print/current/store-products.ts';
import { openService } from '../print-service/open-service.ts';
import { saveReadTemplates, toTemplate } from './save-template.ts';
import type { KnownTemplate } from './read-template.ts';
import { withinTime, type Clock } from '../../clock.ts';

const PAGE = 20;
/** The longest time that a list waits for previews. */
const MAX_MS = 5_000;

/** A template as the API shows it. `knownAt` is ISO 8601. */
export type ShownTemplate = Omit<KnownTemplate, 'knownAt'> & { knownAt: string };

/** Converts a template for display. */
export function toShownTemplate(template: KnownTemplate): ShownTemplate {
  const { templateId, title, description, previewUrl, variants, knownAt } = template;
  return { templateId, title, description, previewUrl, variants, knownAt: knownAt.toISOString() };
}

/**
 * Lists a page of the templates that Platen knows in a shop's print account. Those that Platen learned of most recently come first. The
 * service has no call that lists templates, and a preview's address expires, so each template is read again. A template that cannot be read
 * in time is shown from the saved data, without a preview. `next` is the next page's `after`. Throws the same errors as `openService`.
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
  const knownAt = app.clock.now();
  const ids = page.map(({ templateId }) => templateId);
  const readings =
    service.extended === 'unsupported' ? new Map<string, Template>() : await readAll(app.clock, service.extended, ids);
  const fresh = [...readings].map(([id, reading]) => toTemplate(id, reading));
  await saveReadTemplates(app, { shopIds: [shop.id], printAccountId: accountId, knownAt }, fresh);
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

/** Reads templates and returns, by ID, the templates that arrive within `MAX_MS`. The client limits an account's parallel calls. */
async function readAll(clock: Clock, extended: ExtendedCalls, ids: readonly string[]): Promise<Map<string, Template>> {
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
  await withinTime(clock, { work: reading, milliseconds: MAX_MS, late: () => [] });
  // Returns a copy, because responses that arrive later are still added to the original.
  return new Map(read);
}
