import type { ShopifyError, ShopifyErrorKind } from '../shopify/admin/errors.ts';

/** What a person is told of a call of the store that failed: what happened, and what to do. */
interface ToldStoreError {
  title: string;
  sentences: string[];
}

const FOR_THE_OPERATOR = 'This is for whoever runs Platen, not for the store:';

const PASSES: ToldStoreError = {
  title: 'The store cannot be asked now',
  sentences: ['Nothing was lost: try again in a moment.'],
};

const ADDRESS_REFUSED: ToldStoreError = {
  title: 'Shopify refuses this server’s address',
  sentences: [
    `${FOR_THE_OPERATOR} the outgoing address of this server is missing in the app’s IP allow-list.`,
    'Add it in the Dev Dashboard, then open Platen again. Orders are kept and go on by themselves.',
  ],
};

const APP_UNKNOWN: ToldStoreError = {
  title: 'Shopify does not know this app',
  sentences: [
    `${FOR_THE_OPERATOR} SHOPIFY_API_KEY and SHOPIFY_API_SECRET are not those of the app in the Dev Dashboard.`,
  ],
};

const REFUSED: ToldStoreError = {
  title: 'Shopify refuses what Platen asked of the store',
  sentences: ['Trying again does not help: tell whoever runs Platen, whose log says what was refused.'],
};

const told: Readonly<Record<ShopifyErrorKind, ToldStoreError>> = {
  throttled: PASSES,
  unavailable: PASSES,
  network: PASSES,
  timeout: PASSES,
  unauthorized: APP_UNKNOWN,
  forbidden: APP_UNKNOWN,
  payment_required: {
    title: 'The store is frozen for lack of payment',
    sentences: ['Pay its bill in the store’s admin, then try again.'],
  },
  locked: {
    title: 'Shopify has locked the store',
    sentences: ['Ask Shopify’s support to open it, then try again.'],
  },
  not_found: {
    title: 'Shopify does not know this store',
    sentences: ['It may be closed. If it is open, tell whoever runs Platen.'],
  },
  access_denied: {
    title: 'Platen lacks a permission in the store',
    sentences: [
      'Open Platen once in the store’s admin and agree to what it asks for.',
      'If that changes nothing, tell whoever runs Platen: Shopify has to approve the app for customer data.',
    ],
  },
  user_error: REFUSED,
  graphql: REFUSED,
};

/** What a page, or an answer of the API, tells of a call of the store that failed. */
export function tellStoreError({ status, kind }: ShopifyError): ToldStoreError {
  return status === 403 ? ADDRESS_REFUSED : told[kind];
}
