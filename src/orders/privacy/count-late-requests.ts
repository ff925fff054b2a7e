import { IsNull, LessThanOrEqual } from 'typeorm';
import type { App } from '../../app.ts';
import { PrivacyRequests } from '../../database/entities/privacy-requests.ts';

/** A request this old is late. Ten days are then left to complete it. */
export const LATE_DAYS = 20;

/** Counts privacy requests that have been open for 20 days or more. */
export function countLatePrivacyRequests(app: App): Promise<number> {
  const since = new Date(app.now().getTime() - LATE_DAYS * 86_400_000);
  return app.db.manager.countBy(PrivacyRequests, { doneAt: IsNull(), receivedAt: LessThanOrEqual(since) });
}
