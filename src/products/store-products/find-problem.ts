import type { StoreProduct } from '../../database/entities/store-products.ts';

/** A product that has been publishing for longer than this is stuck. Publishing takes a few minutes at most. */
export const STUCK_MS = 60 * 60_000;

/** A store product's problem, and the remedy. */
export interface Problem {
  code: 'deleted_at_service' | 'deleted_in_store' | 'publishing_error' | 'publishing_stuck' | 'not_connected';
  message: string;
  remedy: string;
}

type Facts = Pick<
  StoreProduct,
  'status' | 'publishingErrorCode' | 'publishingSince' | 'deletedAt' | 'deletedInStoreAt'
> & {
  /** Number of the product's variants that are not connected although the shop has them. */
  notConnected: number;
};

/** Returns a store product's most serious problem, or null. */
export function findProblem(product: Facts, now: Date): Problem | null {
  const { status, publishingErrorCode, publishingSince, notConnected } = product;
  // The product was deleted on both sides, or it was deleted at the service and no variant lacks a connection. There is nothing to fix.
  if (product.deletedAt !== null && (product.deletedInStoreAt !== null || notConnected === 0)) return null;
  if (product.deletedInStoreAt !== null)
    return {
      code: 'deleted_in_store',
      message: 'Your store no longer has this product.',
      remedy: 'Delete the product at the print service too, or publish it to your store again from there.',
    };
  if (product.deletedAt !== null)
    return {
      code: 'deleted_at_service',
      message: 'The product was deleted at the print service, and its orders are held.',
      remedy: 'Create and connect the product there again, or stop selling it in your store.',
    };
  if (status === 'publishing_error')
    return {
      code: 'publishing_error',
      message: `The print service could not publish the product to your store${publishingErrorCode === null ? '' : `: ${publishingErrorCode}`}.`,
      remedy:
        'Open the product in the dashboard of the print service, fix the error shown there and publish the product again.',
    };
  if (publishingSince !== null && now.getTime() - publishingSince.getTime() > STUCK_MS)
    return {
      code: 'publishing_stuck',
      message: 'The print service has been publishing the product for over an hour.',
      remedy:
        "Publish it again in the dashboard of the print service. If that does not help, contact the print service's support.",
    };
  if (notConnected > 0)
    return {
      code: 'not_connected',
      message: `${notConnected === 1 ? 'One of its variants is' : `${notConnected} of its variants are`} not connected, and their orders are held.`,
      remedy:
        'Connect the variant in the dashboard of the print service, or mark it there as ignored if it is not printed.',
    };
  return null;
}
