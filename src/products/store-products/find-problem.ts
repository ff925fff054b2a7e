import type { StoreProduct } from '../../database/entities/store-products.ts';

/** Publishing takes some minutes at most. */
export const STUCK_MS = 60 * 60_000;

/** What is wrong with a store product, with what a person can do about it. */
export interface Problem {
  code: 'deleted_at_service' | 'deleted_in_store' | 'publishing_error' | 'publishing_stuck' | 'not_connected';
  message: string;
  remedy: string;
}

type Facts = Pick<
  StoreProduct,
  'status' | 'publishingErrorCode' | 'publishingSince' | 'deletedAt' | 'deletedInStoreAt'
> & {
  /** How many of its variants are not connected though the shop has them. */
  notConnected: number;
};

/** The gravest that is wrong with a store product; null: nothing. */
export function findProblem(product: Facts, now: Date): Problem | null {
  const { status, publishingErrorCode, publishingSince, notConnected } = product;
  // Gone on both sides, or nothing of it is wanting: there is nothing to mend.
  if (product.deletedAt !== null && (product.deletedInStoreAt !== null || notConnected === 0)) return null;
  if (product.deletedInStoreAt !== null)
    return {
      code: 'deleted_in_store',
      message: 'Your store does not have this product any more.',
      remedy: 'Delete it at the print service too, or publish it to your store from there again.',
    };
  if (product.deletedAt !== null)
    return {
      code: 'deleted_at_service',
      message: 'The product was deleted at the print service: orders of it are held.',
      remedy: 'Make and connect it there again, or take the product out of sale in your store.',
    };
  if (status === 'publishing_error')
    return {
      code: 'publishing_error',
      message: `The print service could not publish it to your store${publishingErrorCode === null ? '' : `: ${publishingErrorCode}`}.`,
      remedy: 'Open the product in the dashboard of the print service, mend what it names there and publish it again.',
    };
  if (publishingSince !== null && now.getTime() - publishingSince.getTime() > STUCK_MS)
    return {
      code: 'publishing_stuck',
      message: 'The print service has been publishing it for over an hour.',
      remedy: 'Publish it again in the dashboard of the print service; if that does not help, ask its support.',
    };
  if (notConnected > 0)
    return {
      code: 'not_connected',
      message: `${notConnected === 1 ? 'One of its variants is' : `${notConnected} of its variants are`} not connected: orders of it are held.`,
      remedy:
        'Connect the variant in the dashboard of the print service, or mark it there as ignored if it is not printed.',
    };
  return null;
}
