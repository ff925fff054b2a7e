import { IsNull, type EntityManager } from 'typeorm';
import { Holds } from '../../database/entities/orders.ts';
import type { HoldCode } from '../facts/hold-codes.ts';
import type { SubmitScope } from '../submit/submit-scope.ts';
import { recordStepWait } from '../waits/record-step-wait.ts';

const CODE: HoldCode = 'order_missing';
/** Seconds until the poll searches again. */
const SEARCH_SECONDS = 300;
/** The order is held after this number of consecutive searches that do not show it. */
const MAX_MISSING_SEARCHES = 2;

/**
 * Holds an accepted order if two consecutive searches after the quiet time do not show it. The print order's state does not change, and the
 * searches continue.
 */
export async function holdMissingOrder({ app, printOrder }: SubmitScope): Promise<void> {
  const quietMs = app.config.print.submitQuietSeconds * 1000;
  const { confirmedAt, reference } = printOrder;
  if (confirmedAt === null || app.clock.now().getTime() - confirmedAt.getTime() < quietMs) return;
  const why = `The print service accepted ${reference} but does not show it.`;
  const patience = { minutes: 0, tries: MAX_MISSING_SEARCHES };
  const wait = { step: 'follow', code: CODE, why, seconds: SEARCH_SECONDS, isExact: true, patience } as const;
  await recordStepWait(app, app.db.manager, { ...printOrder, printOrder }, wait);
}

/** Resolves the hold of an order that the service now shows. */
export async function resolveMissingOrder({ app, printOrder }: SubmitScope, manager: EntityManager): Promise<void> {
  const open = { printOrderId: printOrder.id, code: CODE, resolvedAt: IsNull() };
  await manager.update(Holds, open, { resolvedAt: app.clock.now() });
}
