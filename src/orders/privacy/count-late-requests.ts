import { IsNull, LessThanOrEqual } from 'typeorm';
import type { App } from '../../app.ts';
import { PrivacyRequests } from '../../database/entities/privacy-requests.ts';

/** Ten days are left then. */
export const LATE_DAYS = 20;

/** Counts customer requests that have been open for 20 days or more. */
export function countLatePrivacyRequests(app: App): Promise<number> {
  const since = new Date(app.now().getTime() - LATE_DAYS * 86_400_000);
  return app.db.manager.countBy(PrivacyRequests, { doneAt: IsNull(), receivedAt: LessThanOrEqual(since) });
}
