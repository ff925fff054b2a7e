import type { ProductDefinition } from '../../shopify/calls/product-metafields.ts';

/** The metafield of a product and of a variant that says how it is connected. */
export const CONNECTION_KEY = 'connection_status';

/** How the admin shows both. */
export const connectionDefinitions: readonly ProductDefinition[] = [
  {
    ownerType: 'PRODUCT',
    key: CONNECTION_KEY,
    name: 'Print connection',
    description: 'How many variants are connected at the print service, how many are not, and how many are ignored',
  },
  {
    ownerType: 'PRODUCTVARIANT',
    key: CONNECTION_KEY,
    name: 'Print connection',
    description: 'Whether the variant is connected at the print service: connected, not_connected or ignored',
  },
];
