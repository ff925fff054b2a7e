import { IsNull, LessThanOrEqual } from 'typeorm';
import type { App } from '../../app.ts';
import { PrivacyRequests } from '../../database/entities/privacy-requests.ts';

/** A privacy request that has been open for this long is late. Shopify allows 30 days, so ten days remain. */
export const LATE_REQUEST_DAYS = 20;

/** Counts privacy requests that have been open for at least 20 days. */
export function countLatePrivacyRequests(app: App): Promise<number> {
  const since = new Date(app.clock.now().getTime() - LATE_REQUEST_DAYS * 86_400_000);
  return app.db.manager.countBy(PrivacyRequests, { doneAt: IsNull(), receivedAt: LessThanOrEqual(since) });
}
