import type { App } from '../../app.ts';
import type { NewProductProblem, NewProductState } from '../../database/entities/new-products.ts';
import type { StoreProduct } from '../../print/current/store-products.ts';

type Reading = Pick<StoreProduct, 'id' | 'status' | 'externalId' | 'publishingErrorCode'>;

/**
 * Determines a new product's state from the service's data (docs/rules/print-interface.md#store-product): published, failed with an error
 * code, or still publishing.
 */
export function decidePublishing({ status, externalId, publishingErrorCode }: Reading): {
  state: NewProductState;
  problem: NewProductProblem | null;
} {
  if (status === 'active' && externalId !== null) return { state: 'published', problem: null };
  if (status !== 'publishing_error') return { state: 'publishing', problem: null };
  const message = `The print service could not publish the product to your store: ${publishingErrorCode ?? 'no reason given'}. Open the product in the dashboard there, fix the error and publish it again.`;
  return { state: 'failed', problem: { code: publishingErrorCode ?? 'publishing_error', field: null, message } };
}

/**
 * Saves a requested product's state from a reading that was triggered by an event, a poll or the product's own job. A stuck or failed
 * product that is published later becomes `published`. Returns the saved state, or null if nothing was requested or changed.
 */
export async function savePublishingState(app: App, shopId: number, reading: Reading): Promise<NewProductState | null> {
  const { state, problem } = decidePublishing(reading);
  const isOver = state !== 'publishing';
  const [rows]: [{ state: NewProductState }[], number] = await app.db.query(
    `update new_products set state = $3, problem = $4, shopify_product_id = coalesce($5, shopify_product_id),
       finished_at = case when $6::boolean then coalesce(finished_at, $7) end
     where shop_id = $1 and store_product_id = $2 and state <> 'published' and ($6::boolean or finished_at is null)
     returning state`,
    [
      shopId,
      reading.id,
      state,
      problem === null ? null : JSON.stringify(problem),
      reading.externalId,
      isOver,
      app.clock.now(),
    ],
  );
  return rows[0]?.state ?? null;
}
