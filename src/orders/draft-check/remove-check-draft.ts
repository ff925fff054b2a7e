import { PrintServiceError } from '../../print/errors.ts';
import { findUnderReference } from './delete-check-drafts.ts';
import type { OpenDraftCheck } from './open-draft-check.ts';
import type { Clock } from '../../clock.ts';

/** The pauses before the attempts to delete the draft. A search may show a new draft only after a while. */
const PAUSES_MS: readonly number[] = [0, 1_000, 3_000, 10_000, 20_000];
/** After this time, no further attempt begins. */
const MAX_MS = 120_000;

/**
 * The draft or order that remains at the print service, if any. `none`: nothing was created. `deleted`: the draft was deleted. `canceled`:
 * the service had created an order instead of the draft, and Platen canceled it. `unknown`: a draft may remain, or may still appear.
 * `order`: an order remains.
 */
export type RemainingAtService = 'none' | 'deleted' | 'canceled' | 'unknown' | 'order';

interface CreatedDraft {
  /** Null if the service's response was lost. */
  id: string | null;
  /** Whether the service has shown the draft since it was created. A later 404 then means that the draft is gone. */
  isSeen: boolean;
}

/**
 * Deletes the check's draft. If the response to the create request was lost, searches for the draft first. Makes at most 5 attempts, and
 * begins no attempt after two minutes. Never throws for a failed call.
 */
export async function removeCheckDraft(
  clock: Clock,
  check: OpenDraftCheck,
  created: CreatedDraft,
  pausesMs: readonly number[] = PAUSES_MS,
): Promise<{ left: RemainingAtService; error: PrintServiceError | null }> {
  const drafts = new Map<string, { isSeen: boolean; isGone: boolean }>();
  if (created.id !== null) drafts.set(created.id, { isSeen: created.isSeen, isGone: false });
  const orders = new Set<string>();
  const begun = clock.ticks();
  let lastError: PrintServiceError | null = null;
  for (const pauseMs of pausesMs) {
    if (clock.ticks() - begun > MAX_MS) break;
    await clock.sleep(pauseMs);
    try {
      await deleteAll(check, drafts, orders);
      if (drafts.size === 0 || [...drafts.values()].some(({ isGone }) => !isGone)) {
        const found = await findUnderReference(check.port, check.reference);
        for (const { id } of found.orders) orders.add(id);
        for (const { id } of found.drafts) drafts.set(id, { isSeen: true, isGone: false });
        await deleteAll(check, drafts, orders);
      }
      lastError = null;
    } catch (error) {
      if (!(error instanceof PrintServiceError)) throw error;
      lastError = error;
      if (error.outcome === 'account_refused') break;
      continue;
    }
    if (orders.size > 0) return { left: await cancelAll(check, orders), error: null };
    if (drafts.size > 0 && [...drafts.values()].every(({ isGone }) => isGone)) return { left: 'deleted', error: null };
  }
  return { left: orders.size > 0 ? 'order' : 'unknown', error: lastError };
}

/** Deletes the drafts that are not gone yet. A draft that the service refuses to delete is an order. */
async function deleteAll(
  { deleteDraft }: OpenDraftCheck,
  drafts: Map<string, { isSeen: boolean; isGone: boolean }>,
  orders: Set<string>,
): Promise<void> {
  for (const [id, draft] of drafts) {
    if (draft.isGone || orders.has(id)) continue;
    try {
      await deleteDraft(id);
      draft.isGone = true;
    } catch (error) {
      if (!(error instanceof PrintServiceError)) throw error;
      if (error.outcome === 'refused') orders.add(id);
      else if (error.outcome !== 'not_found') throw error;
      else if (draft.isSeen) draft.isGone = true;
    }
  }
}

/** Cancels orders that the service created instead of a draft. */
async function cancelAll({ cancel }: OpenDraftCheck, orders: ReadonlySet<string>): Promise<'canceled' | 'order'> {
  let left: 'canceled' | 'order' = 'canceled';
  for (const id of orders) {
    try {
      await cancel(id);
    } catch (error) {
      if (!(error instanceof PrintServiceError)) throw error;
      left = 'order';
    }
  }
  return left;
}
