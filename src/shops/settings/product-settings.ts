import { z } from 'zod';
import { flag, plainText } from './setting-types.ts';

/** Matches valid IDs of a store or store product, which are safe in a request path and in a queue name. */
export const PRINT_STORE_ID = /^[A-Za-z0-9_-][A-Za-z0-9._~-]{0,79}$/;

const NAMESPACE =
  'must be a metafield namespace of your own, such as custom: 3 to 255 letters, digits, - and _, and not a namespace of an app (app--) or of Shopify (shopify--)';

const MAX_HOSTS = 50;
/** Matches the end of a DNS name with at least two labels. An IP address does not match, because its end contains no letter. */
const DOMAIN_END = /\.[a-z][a-z0-9-]+$/;
const HOST_RULE =
  'must be host names such as files.example.com, or *.example.com for all its subdomains, without https:// or a path';

/** Settings for how the shop's products relate to the print service's products, and for sources of print files other than print links. */
export const productSettings = {
  printStoreId: z
    .string()
    .trim()
    .regex(PRINT_STORE_ID, "must be the ID of the store in the print service's dashboard")
    .nullable()
    .describe(
      "The print service's ID for this store. If null, Platen reads it from the first event about one of the store's products",
    ),
  printLinkMetafields: z
    .string(NAMESPACE)
    .trim()
    .regex(/^(?!app--|shopify--)[A-Za-z0-9_-]{3,255}$/, NAMESPACE)
    .nullable()
    .describe(
      'Namespace of the variant metafields product_uid, file_url and page_count, from which Platen reads print links. If null, Platen reads no print links from metafields',
    ),
  printsEverything: flag.describe(
    'Hold every line that ships and has no print link, except products that you ship yourself. If off, Platen holds only lines that count as print-on-demand products',
  ),
  printsWaitingOrders: flag.describe(
    'Print orders that are waiting for a print link as soon as the link is saved, without confirmation',
  ),
  printFileProperty: plainText(100)
    .nullable()
    .describe("The order line property that contains the address of the line's own print file; null for none"),
  printFileHosts: z
    .array(z.string(HOST_RULE).trim().toLowerCase().refine(isHost, HOST_RULE))
    .refine((hosts) => hosts.length <= MAX_HOSTS, `must have at most ${MAX_HOSTS} hosts`)
    .describe(
      'Hosts from which Platen accepts print files of individual order lines, such as files.example.com or *.example.com',
    ),
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
