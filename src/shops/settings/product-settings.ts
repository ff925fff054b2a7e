import { z } from 'zod';
import { flag, plainText } from './setting-types.ts';

/** What can be the id of a store or of a store product in the address of a call, and in the name of a job's queue. */
export const PRINT_STORE_ID = /^[A-Za-z0-9_-][A-Za-z0-9._~-]{0,79}$/;

const NAMESPACE =
  'must be the namespace of metafields of your own, such as custom: 3 to 255 letters, digits, - and _, and not one of an app (app--) or of Shopify (shopify--)';

const MOST_HOSTS = 50;
/** The end of a name in DNS with two labels at least; an IP address has no letter there. */
const DOMAIN_END = /\.[a-z][a-z0-9-]+$/;
const HOST_RULE =
  'must be names of hosts such as files.example.com, or *.example.com for all under it, without https:// and path';

/** How the products of the shop and those of the print service are tied, and where print files come from beside print links. */
export const productSettings = {
  printStoreId: z
    .string()
    .trim()
    .regex(PRINT_STORE_ID, "must be the id of the store in the print service's dashboard")
    .nullable()
    .describe("The print service's id of this store; null: the first event of one of its products tells it"),
  printLinkMetafields: z
    .string(NAMESPACE)
    .trim()
    .regex(/^(?!app--|shopify--)[A-Za-z0-9_-]{3,255}$/, NAMESPACE)
    .nullable()
    .describe(
      'Namespace of the metafields product_uid, file_url and page_count of variants to take print links from; null: none',
    ),
  printsEverything: flag.describe(
    'Hold every line that ships and has no print link, except of products that you say you ship yourself; off: only those that look printed',
  ),
  printsWaitingOrders: flag.describe('Print the orders that waited for a print link once it is saved, without asking'),
  printFileProperty: plainText(100)
    .nullable()
    .describe('Property of an ordered line that has the address of its own print file; null: none has'),
  printFileHosts: z
    .array(z.string(HOST_RULE).trim().toLowerCase().refine(isHost, HOST_RULE))
    .refine((hosts) => hosts.length <= MOST_HOSTS, `must be at most ${MOST_HOSTS} hosts`)
    .describe('Hosts from which print files of lines may come, such as files.example.com or *.example.com'),
};

export const productDefaults = {
  printStoreId: null,
  printLinkMetafields: null,
  printsEverything: false,
  printsWaitingOrders: false,
  printFileProperty: null,
  printFileHosts: [],
};

function isHost(host: string): boolean {
  const name = host.replace(/^\*\./, '');
  return z.hostname().safeParse(name).success && DOMAIN_END.test(name);
}
