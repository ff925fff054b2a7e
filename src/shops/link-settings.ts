import { z } from 'zod';

const NAMESPACE =
  'must be the namespace of metafields of your own, such as custom: 3 to 255 letters, digits, - and _, and not one of an app (app--) or of Shopify (shopify--)';

/** Where print links come from beside the app itself. */
export const linkSettings = {
  printLinkMetafields: z
    .string(NAMESPACE)
    .trim()
    .regex(/^(?!app--|shopify--)[A-Za-z0-9_-]{3,255}$/, NAMESPACE)
    .nullable()
    .describe(
      'Namespace of the metafields product_uid, file_url and page_count of variants to take print links from; null: none',
    ),
};

export const linkDefaults = { printLinkMetafields: null };
