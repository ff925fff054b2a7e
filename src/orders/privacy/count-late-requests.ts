import { IsNull, LessThanOrEqual } from 'typeorm';
import type { App } from '../../app.ts';
import { PrivacyRequests } from '../../database/entities/privacy-requests.ts';

/** A request that has been open this long is late. Ten days are then left to complete it. */
export const LATE_DAYS = 20;

/** Counts privacy requests that have been open for at least 20 days. */
export function countLatePrivacyRequests(app: App): Promise<number> {
  const since = new Date(app.now().getTime() - LATE_DAYS * 86_400_000);
  return app.db.manager.countBy(PrivacyRequests, { doneAt: IsNull(), receivedAt: LessThanOrEqual(since) });
}
