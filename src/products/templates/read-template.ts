import type { App } from '../../app.ts';
import type { Shop } from '../../database/entities/shops.ts';
import { StoreProductTemplates } from '../../database/entities/templates.ts';
import { NotFoundError } from '../../errors.ts';
import { PrintServiceError } from '../../print/errors.ts';
import { openService } from '../print-service/open-service.ts';
import { toReadableError } from '../print-service/to-readable-error.ts';
import { saveReadTemplates, TEMPLATE_ID, toTemplate, type TemplateFacts } from './save-template.ts';

/** A template with its current data. */
export interface KnownTemplate extends TemplateFacts {
  /** A signed address that expires. Null if the service has none. Never saved. */
  previewUrl: string | null;
  /** The time of the data, from the reading or the event. */
  knownAt: Date;
}

/**
 * Reads a template from the service. Events are not signed, so their data is used only for shops without the extended call, and without a
 * preview. Throws NotFoundError for an unknown template, and the errors of `openService` and `toReadableError`.
 */
export async function readTemplate(app: App, shop: Shop, templateId: string): Promise<KnownTemplate> {
  const { accountId, service } = await openService(app, shop);
  if (!TEMPLATE_ID.test(templateId)) throw noTemplate(templateId);
  const readAt = app.clock.now();
  if (service.extended !== 'unsupported') {
    try {
      const reading = await service.extended.getTemplate(templateId);
      const facts = toTemplate(templateId, reading);
      await saveReadTemplates(app, { shopIds: [shop.id], printAccountId: accountId, knownAt: readAt }, [facts]);
      return { ...facts, previewUrl: reading.previewUrl, knownAt: readAt };
    } catch (error) {
      if (!(error instanceof PrintServiceError)) throw error;
      throw error.outcome === 'not_found'
        ? noTemplate(templateId)
        : toReadableError(error, `the template ${templateId}`);
    }
  }
  const known = await app.db.manager.findOneBy(StoreProductTemplates, {
    shopId: shop.id,
    printAccountId: accountId,
    templateId,
  });
  if (!known || known.deletedAt !== null) throw noTemplate(templateId);
  const { title, description, variants, knownAt } = known;
  return { templateId, title, description, variants, previewUrl: null, knownAt };
}

function noTemplate(templateId: string): NotFoundError {
  return new NotFoundError(
    `There is no template ${templateId}. Copy a template ID from the dashboard of the print service, or create a template there.`,
  );
}
