import { z } from 'zod';
import { flag, plainText } from './setting-types.ts';

/** Valid ids of a store or store product, safe in the path of a call and in the name of a queue. */
export const PRINT_STORE_ID = /^[A-Za-z0-9_-][A-Za-z0-9._~-]{0,79}$/;

const NAMESPACE =
  'must be a metafield namespace of your own, such as custom: 3 to 255 letters, digits, - and _, and not one of an app (app--) or of Shopify (shopify--)';

const MOST_HOSTS = 50;
/** The end of a DNS name with at least two labels; an IP address has no letter there. */
const DOMAIN_END = /\.[a-z][a-z0-9-]+$/;
const HOST_RULE =
  'must be host names such as files.example.com, or *.example.com for all its subdomains, without https:// or a path';

/** How the shop's products relate to those of the print service, and sources of print files besides print links. */
export const productSettings = {
  printStoreId: z
    .string()
    .trim()
    .regex(PRINT_STORE_ID, "must be the id of the store in the print service's dashboard")
    .nullable()
    .describe("The print service's id of this store; null: taken from the first event about one of its products"),
  printLinkMetafields: z
    .string(NAMESPACE)
    .trim()
    .regex(/^(?!app--|shopify--)[A-Za-z0-9_-]{3,255}$/, NAMESPACE)
    .nullable()
    .describe(
      'Namespace of the metafields product_uid, file_url and page_count of variants that print links are read from; null: none',
    ),
  printsEverything: flag.describe(
    'Hold every line that ships and has no print link, except products that you ship yourself; off: only lines that look printed',
  ),
  printsWaitingOrders: flag.describe('Print orders that wait for a print link as soon as it is saved, without asking'),
  printFileProperty: plainText(100)
    .nullable()
    .describe('Property of an order line that contains the address of its own print file; null: none'),
  printFileHosts: z
    .array(z.string(HOST_RULE).trim().toLowerCase().refine(isHost, HOST_RULE))
    .refine((hosts) => hosts.length <= MOST_HOSTS, `must be at most ${MOST_HOSTS} hosts`)
    .describe('Hosts that print files of lines may come from, such as files.example.com or *.example.com'),
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
