import type { App } from '../app.ts';
import { ShopifyError, type ShopifyErrorKind } from '../shopify/admin/errors.ts';
import { refreshGrantedScopes } from '../shops/tokens/scopes.ts';
import { readDue, settleDue } from './tells-due.ts';
import { tellEvents } from './tell-events.ts';
import { tellMetafields } from './tell-metafields.ts';
import { tellTags } from './tell-tags.ts';
import { holdInStore } from './hold-in-store.ts';
import { reportPrinting } from './report-progress.ts';
import { type TellScope, openTellScope } from './tell-scope.ts';

/** One thing that the store is told; safe to repeat, does nothing where the store knows it already. */
type Telling = (scope: TellScope) => Promise<void>;

/** What cannot be done without comes first. */
const tellings: readonly Telling[] = [reportPrinting, holdInStore, tellEvents, tellTags, tellMetafields];

const REFUSED: ReadonlySet<ShopifyErrorKind> = new Set(['user_error', 'graphql']);

/**
 * Brings what the store shows of an order beside its fulfilments in line with what is known: progress, holds, events, tags and
 * metafields, each as the shop's settings have it. One that fails keeps none of the others back. Runs in the order's queue, safe to
 * repeat: whatever moves the order tells it all again, and what the store refused is tried again later, ever less often. Throws
 * ShopifyError where the store cannot be asked now.
 */
export async function tellStore(app: App, { storefrontOrderId }: { storefrontOrderId: string }): Promise<void> {
  const due = await readDue(app, storefrontOrderId);
  const scope = await openTellScope(app, storefrontOrderId);
  if (!scope) return;
  const failures: unknown[] = [];
  const refusals: ShopifyError[] = [];
  for (const tell of tellings) {
    try {
      await tell(scope);
    } catch (error) {
      const answer = await answerFailure(scope, error);
      if (answer === 'fails') failures.push(error);
      else if (answer !== 'given_up') refusals.push(answer);
    }
  }
  if (failures.length > 0) throw failures[0];
  await settleDue(scope, due, refusals[0]?.operation ?? null);
}

/** What the store refuses is no outage: the refusal, or that only a change of its permissions mends it. */
async function answerFailure(
  { app, shop, storefrontOrder }: TellScope,
  error: unknown,
): Promise<ShopifyError | 'given_up' | 'fails'> {
  if (!(error instanceof ShopifyError)) return 'fails';
  const { operation, kind } = error;
  if (kind !== 'access_denied' && !REFUSED.has(kind)) return 'fails';
  app.log.warn({ storefrontOrderId: storefrontOrder.id, operation, kind }, 'the store is not told of an order');
  if (kind !== 'access_denied') return error;
  // A scope that was taken back is known from then on, and the settings that need it are shown to be without effect.
  await refreshGrantedScopes(app, shop);
  return 'given_up';
}
