import { In, type EntityManager } from 'typeorm';
import type { App } from '../../../app.ts';
import { ServiceOrders, SubmitAttempts, type PrintOrder } from '../../../database/entities/print-orders.ts';
import type { FoundOrder } from '../../../print/port.ts';
import { PrintServiceError } from '../../../print/errors.ts';
import { parseTimestamp } from '../../../print/parse-timestamp.ts';
import { deleteOneDraft } from './delete-draft.ts';
import { searchForOrders } from '../search-for-orders.ts';
import { openSubmitScope, type SubmitScope } from '../submit-scope.ts';
import { writeTimeline } from '../../record/write-timeline.ts';

/** Delay before a sweep is retried if the service does not respond. */
const RETRY_SECONDS = 600;

/**
 * Deletes a reference's spare drafts once the reference has a chosen draft or is closed (docs/rules/created-once.md#sweep). Deletes only
 * drafts that are older than the quiet time and not connected to the chosen draft. Spare drafts are never printed or charged, but they
 * confuse people who look at the dashboard.
 */
export async function sweepDrafts(app: App, { printOrderId }: { printOrderId: string }): Promise<void> {
  const scope = await openSubmitScope(app, printOrderId);
  if (!scope || (scope.printOrder.serviceOrderId === null && scope.printOrder.closedAt === null)) return;
  try {
    const youngest = await deleteSpareDrafts(scope);
    if (youngest !== null) await enqueueSweep(app, app.db.manager, scope.printOrder, youngest);
  } catch (error) {
    if (!(error instanceof PrintServiceError)) throw error;
    await enqueueSweep(app, app.db.manager, scope.printOrder, RETRY_SECONDS);
  }
}

/**
 * Schedules a sweep after the quiet time if one of the reference's attempts may have left a spare draft. `isFound` means that the order
 * already existed. If such an order has no recorded attempt, the database was restored and lacks its attempts.
 */
export async function enqueueSweepIfNeeded(
  app: App,
  manager: EntityManager,
  printOrder: PrintOrder,
  { isFound = false }: { isFound?: boolean } = {},
): Promise<void> {
  const attempts = await manager.findBy(SubmitAttempts, { printOrderId: printOrder.id, orderType: 'draft' });
  const isForgotten = isFound && printOrder.submitWay === 'draft' && attempts.length === 0;
  const mayHaveSpare = attempts.length > 1 || attempts.some(({ outcome }) => outcome === null || outcome === 'unclear');
  if (mayHaveSpare || isForgotten) await enqueueSweep(app, manager, printOrder, app.config.print.submitQuietSeconds);
}

async function enqueueSweep(
  app: App,
  manager: EntityManager,
  { id: printOrderId, storefrontOrderId }: Pick<PrintOrder, 'id' | 'storefrontOrderId'>,
  seconds: number,
): Promise<void> {
  const options = { storefrontOrderId, waitSeconds: seconds };
  await app.jobs.enqueue(manager, 'sweep_drafts', { printOrderId }, options);
}

/**
 * Deletes spare drafts that are old enough. Returns the number of seconds until the remaining drafts are old enough, or null if no spare
 * draft is left.
 */
async function deleteSpareDrafts(scope: SubmitScope): Promise<number | null> {
  const { app, printOrder } = scope;
  const { drafts } = await searchForOrders(scope);
  const needed = await readNeededIds(scope);
  const quietMs = app.config.print.submitQuietSeconds * 1000;
  let youngestMs = 0;
  for (const draft of drafts.filter((one) => !isNeeded(one, needed))) {
    const madeAt = draft.createdAt === null ? null : parseTimestamp(draft.createdAt);
    const leftMs = madeAt === null ? 0 : madeAt.getTime() + quietMs - app.clock.now().getTime();
    youngestMs = Math.max(youngestMs, leftMs);
    if (leftMs > 0 || (await deleteOneDraft(scope, draft.id)) !== 'deleted') continue;
    const { shopId, storefrontOrderId, id: printOrderId } = printOrder;
    const message = `A spare draft of ${printOrder.reference} was deleted at the print service.`;
    await writeTimeline(app.db.manager, {
      shopId,
      storefrontOrderId,
      printOrderId,
      kind: 'swept',
      message,
      data: { serviceOrderId: draft.id },
    });
  }
  return youngestMs > 0 ? youngestMs / 1000 + 1 : null;
}

async function readNeededIds({ app, printOrder }: SubmitScope): Promise<Set<string>> {
  if (printOrder.serviceOrderId === null) return new Set();
  const parts = await app.db.manager.findBy(ServiceOrders, {
    printOrderId: printOrder.id,
    role: In(['chosen', 'part']),
  });
  return new Set([printOrder.serviceOrderId, ...parts.map(({ serviceOrderId }) => serviceOrderId)]);
}

function isNeeded(draft: FoundOrder, needed: ReadonlySet<string>): boolean {
  return needed.has(draft.id) || draft.connectedOrderIds.some((id) => needed.has(id));
}
