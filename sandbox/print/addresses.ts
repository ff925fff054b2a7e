import { z } from 'zod';
import type { Books } from '../books.ts';
import { webhookSettingsSchema, type Deliveries } from '../deliveries.ts';
import { parseOrRefuse } from '../refusal.ts';

const addressSchema = z.object({
  key: z.string().min(1),
  url: z.url({ protocol: /^https?$/ }),
  headers: z.record(z.string(), z.string()).optional(),
  style: z.enum(['event', 'object']).default('event'),
});
type Address = z.output<typeof addressSchema>;

const settingsSchema = z.strictObject({
  ...webhookSettingsSchema.shape,
  addresses: z.array(addressSchema).max(1000).optional(),
});

/** Returns the addresses that receive the events of one account's orders. */
export function addressesOf(books: Books, account: string): Address[] {
  return listAllAddresses(books).filter((address) => address.key === account);
}

/** Returns every account that has an address. */
export function listAccountsWithAddresses(books: Books): string[] {
  return [...new Set(listAllAddresses(books).map(({ key }) => key))];
}

/**
 * Creates the control endpoint for webhook settings. The addresses given for an API key replace that key's addresses. The addresses of
 * other keys stay unchanged. An empty list removes the addresses of all keys.
 */
export function createWebhookEndpoint(books: Books, deliveries: Deliveries) {
  return {
    show: () => ({
      ...deliveries.settings(),
      addresses: listAllAddresses(books),
      pending: deliveries.counts().pending,
    }),
    change(input: unknown): void {
      const { addresses, ...settings } = parseOrRefuse(settingsSchema, input);
      deliveries.change(settings);
      if (!addresses) return;
      const others = listAllAddresses(books).filter(({ key }) => !addresses.some((address) => address.key === key));
      books.put('addresses', 'all', addresses.length === 0 ? [] : [...others, ...addresses]);
    },
  };
}

function listAllAddresses(books: Books): Address[] {
  return books.get<Address[]>('addresses', 'all') ?? [];
}
