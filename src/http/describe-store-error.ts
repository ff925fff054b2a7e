import type { ShopifyError, ShopifyErrorKind } from '../shopify/admin/errors.ts';

/** A user-facing message about a failed request to the store. It explains what happened and what to do. */
interface StoreErrorText {
  title: string;
  sentences: string[];
}

const FOR_THE_OPERATOR = 'This message is for Platen’s operator, not for the store:';

const TEMPORARY: StoreErrorText = {
  title: 'The store is currently unavailable',
  sentences: ['Nothing was lost. Please try again in a moment.'],
};

const ADDRESS_REFUSED: StoreErrorText = {
  title: 'Shopify rejects this server’s IP address',
  sentences: [
    `${FOR_THE_OPERATOR} add this server’s outgoing IP address to the app’s IP allowlist.`,
    'Then open Platen again. Orders wait and resume automatically.',
  ],
};

const APP_UNKNOWN: StoreErrorText = {
  title: 'Shopify does not know this app',
  sentences: [`${FOR_THE_OPERATOR} SHOPIFY_API_KEY and SHOPIFY_API_SECRET do not match the app in the Dev Dashboard.`],
};

const REFUSED: StoreErrorText = {
  title: 'Shopify rejected Platen’s request to the store',
  sentences: ['Retrying will not help. Contact Platen’s operator: the log shows the rejected request.'],
};

const byKind: Readonly<Record<ShopifyErrorKind, StoreErrorText>> = {
  throttled: TEMPORARY,
  unavailable: TEMPORARY,
  network: TEMPORARY,
  timeout: TEMPORARY,
  unauthorized: APP_UNKNOWN,
  forbidden: APP_UNKNOWN,
  payment_required: {
    title: 'The store is frozen because its bill is unpaid',
    sentences: ['Pay the bill in the store’s admin, then try again.'],
  },
  locked: {
    title: 'Shopify has locked the store',
    sentences: ['Ask Shopify Support to unlock it, then try again.'],
  },
  not_found: {
    title: 'Shopify does not know this store',
    sentences: ['The store may be closed. If it is open, contact Platen’s operator.'],
  },
  access_denied: {
    title: 'Platen lacks a permission in the store',
    sentences: [
      'Open Platen once in the store’s admin and grant the permissions that it requests.',
      'If that does not help, contact Platen’s operator: Shopify must approve the app for customer data.',
    ],
  },
  user_error: REFUSED,
  graphql: REFUSED,
};

/** Returns the message that a page or the API shows about a failed request to the store. */
export function describeStoreError({ status, kind }: ShopifyError): StoreErrorText {
  return status === 403 ? ADDRESS_REFUSED : byKind[kind];
}
