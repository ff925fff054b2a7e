import type { ProductDefinition } from '../../shopify/calls/product-metafields.ts';

/** The key of the product and variant metafields that show the connection. */
export const CONNECTION_KEY = 'connection_status';

/** The definitions that make both metafields visible in the store's admin. */
export const connectionDefinitions: readonly ProductDefinition[] = [
  {
    ownerType: 'PRODUCT',
    key: CONNECTION_KEY,
    name: 'Print connection',
    description: 'The numbers of variants that are connected at the print service, not connected and ignored',
  },
  {
    ownerType: 'PRODUCTVARIANT',
    key: CONNECTION_KEY,
    name: 'Print connection',
    description: 'Whether the variant is connected at the print service: connected, not_connected or ignored',
  },
];
