import type { App } from '../app.ts';
import { ShopifyError, type ShopifyErrorKind } from '../shopify/admin/errors.ts';
import { refreshGrantedScopes } from '../shops/tokens/scopes.ts';
import { readDue, settleDue } from './store-updates-due.ts';
import { sendEvents } from './send-events.ts';
import { writeMetafields } from './write-metafields.ts';
import { writeTags } from './write-tags.ts';
import { holdInStore } from './hold-in-store.ts';
import { reportPrinting } from './report-progress.ts';
import { type UpdateScope, openUpdateScope } from './update-scope.ts';

/** One update of the store. Safe to repeat; does nothing if the store is up to date. */
type Update = (scope: UpdateScope) => Promise<void>;

/** The most important come first. */
const updates: readonly Update[] = [reportPrinting, holdInStore, sendEvents, writeTags, writeMetafields];

const REFUSED: ReadonlySet<ShopifyErrorKind> = new Set(['user_error', 'graphql']);

/**
 * Updates what the store shows of an order besides its fulfillments: progress, holds, events, tags and metafields, according to the shop's
 * settings. A failure does not block the others. Runs in the order's queue, safe to repeat: every change of the order updates all of them,
 * and refused updates are retried with backoff. Throws ShopifyError when the store cannot be reached.
 */
export async function updateStore(app: App, { storefrontOrderId }: { storefrontOrderId: string }): Promise<void> {
  const due = await readDue(app, storefrontOrderId);
  const scope = await openUpdateScope(app, storefrontOrderId);
  if (!scope) return;
  const failures: unknown[] = [];
  const refusals: ShopifyError[] = [];
  for (const update of updates) {
    try {
      await update(scope);
    } catch (error) {
      const answer = await answerFailure(scope, error);
      if (answer === 'fails') failures.push(error);
      else if (answer !== 'given_up') refusals.push(answer);
    }
  }
  if (failures.length > 0) throw failures[0];
  await settleDue(scope, due, refusals[0]?.operation ?? null);
}

/** A refusal is not an outage: returns it, or `given_up` when only a change of permissions helps. */
async function answerFailure(
  { app, shop, storefrontOrder }: UpdateScope,
  error: unknown,
): Promise<ShopifyError | 'given_up' | 'fails'> {
  if (!(error instanceof ShopifyError)) return 'fails';
  const { operation, kind } = error;
  if (kind !== 'access_denied' && !REFUSED.has(kind)) return 'fails';
  app.log.warn({ storefrontOrderId: storefrontOrder.id, operation, kind }, 'the store refused an update of an order');
  if (kind !== 'access_denied') return error;
  // A revoked scope is known from then on, and the settings that need it are shown as having no effect.
  await refreshGrantedScopes(app, shop);
  return 'given_up';
}
