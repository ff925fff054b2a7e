import { UnavailableError } from '../errors.ts';
import { ShopifyError } from '../shopify/errors.ts';

/** Does what the store is asked for. Throws UnavailableError in place of ShopifyError: nothing was changed. */
export async function askStore<Answer>(act: () => Promise<Answer>): Promise<Answer> {
  try {
    return await act();
  } catch (error) {
    if (!(error instanceof ShopifyError)) throw error;
    const message = 'The store could not be asked now. Nothing was changed; try again in a few minutes.';
    throw new UnavailableError('store_unavailable', message, { retryAfterSeconds: null, cause: error });
  }
}
