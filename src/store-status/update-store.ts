import type { App } from '../app.ts';
import { ShopifyError, type ShopifyErrorKind } from '../shopify/admin/errors.ts';
import { refreshGrantedScopes } from '../shops/tokens/scopes.ts';
import { readDueUpdates, endDueUpdates } from './store-updates-due.ts';
import { sendEvents } from './send-events.ts';
import { sendTriggers } from './send-triggers.ts';
import { writeMetafields } from './write-metafields.ts';
import { writeTags } from './write-tags.ts';
import { holdInStore } from './hold-in-store.ts';
import { reportPrinting } from './report-printing.ts';
import { type UpdateScope, openUpdateScope } from './update-scope.ts';

/** One kind of store update. Does nothing if the store is up to date. Safe to repeat. */
type Update = (scope: UpdateScope) => Promise<void>;

/** The most important updates come first. */
const updates: readonly Update[] = [reportPrinting, holdInStore, sendEvents, writeTags, writeMetafields, sendTriggers];

const REFUSED: ReadonlySet<ShopifyErrorKind> = new Set(['user_error', 'graphql']);

/**
 * Updates an order's progress, holds, events, tags and metafields in the store, and sends triggers to Shopify Flow, according to the shop's
 * settings and workflows. A failed update does not block the others. Every change to the order runs all updates, and refused updates are
 * retried with backoff. Runs in the order's queue. Safe to repeat. Throws ShopifyError if the store cannot be reached.
 */
export async function updateStore(app: App, { storefrontOrderId }: { storefrontOrderId: string }): Promise<void> {
  const due = await readDueUpdates(app, storefrontOrderId);
  const scope = await openUpdateScope(app, storefrontOrderId);
  if (!scope) return;
  const failures: unknown[] = [];
  const refusals: ShopifyError[] = [];
  for (const update of updates) {
    try {
      await update(scope);
    } catch (error) {
      const answer = await classifyFailure(scope, error);
      if (answer === 'fails') failures.push(error);
      else if (answer !== 'given_up') refusals.push(answer);
    }
  }
  if (failures.length > 0) throw failures[0];
  await endDueUpdates(scope, due, refusals[0]?.operation ?? null);
}

/**
 * Classifies a failed update. Returns the error if the store refused the update, `given_up` if only a change in permissions helps and
 * `fails` for any other error, such as an outage.
 */
async function classifyFailure(
  { app, shop, storefrontOrder }: UpdateScope,
  error: unknown,
): Promise<ShopifyError | 'given_up' | 'fails'> {
  if (!(error instanceof ShopifyError)) return 'fails';
  const { operation, kind } = error;
  if (kind !== 'access_denied' && !REFUSED.has(kind)) return 'fails';
  app.log.warn({ storefrontOrderId: storefrontOrder.id, operation, kind }, 'the store refused to update an order');
  if (kind !== 'access_denied') return error;
  // From now on, Platen knows that the scope has been revoked, and shows the settings that need it as having no effect.
  await refreshGrantedScopes(app, shop);
  return 'given_up';
}
