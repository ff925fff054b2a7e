import type { App } from '../../app.ts';
import { ShopTokens, type Shop } from '../../database/entities/shops.ts';
import { InvalidInputError, PlatenError } from '../../errors.ts';
import { ShopifyError } from '../../shopify/admin/errors.ts';
import { MAX_IDS, readKnownVariantIds } from '../../shopify/calls/products.ts';
import { openAdmin } from '../../shops/tokens/tokens.ts';
import { checkProduct } from '../check-link/check-product.ts';
import { readShopCountry } from '../check-link/read-shop-country.ts';
import { describeTarget, type LinkTarget, type LinkToSave, type LinkValues } from './parse-link.ts';

/**
 * Lookups stop after this time, because a person is waiting for the response. The job that checks saved links looks up the remaining links
 * later.
 */
const MAX_MS = 20_000;
/** Number of products looked up in parallel. A higher number would slow other work with the same print key. */
const IN_PARALLEL = 4;

/** A print link or, for a copy, only its target. */
type NamedTarget = LinkTarget & Partial<LinkValues>;

/** A variant that the store does not have, or a product that the print service does not have. */
interface UnknownTarget<Link> {
  of: Link;
  field: 'variantId' | 'productUid' | 'envelopeProductUid';
  message: string;
}

interface FoundTargets<Link> {
  unknown: UnknownTarget<Link>[];
  /** Messages about lookups that were not possible. */
  notChecked: string[];
}

/**
 * Looks up print links' variants in the store, and their products at the print service. Failed lookups are reported but do not count as
 * errors in the links, because the job that checks saved links repeats the lookups. SKUs are not looked up, because a link may be saved
 * before its SKU exists.
 */
export async function findUnknownTargets<Link extends NamedTarget>(
  app: App,
  shop: Shop,
  links: readonly Link[],
): Promise<FoundTargets<Link>> {
  // Without tokens, the store cannot be called, and a lookup must not mark the shop as `needs_sign_in`.
  if (!(await app.db.manager.existsBy(ShopTokens, { shopId: shop.id })))
    return { unknown: [], notChecked: ["Nothing could be looked up. Open Platen once in the store's admin."] };
  const end = app.clock.ticks() + MAX_MS;
  const [variants, products] = await Promise.all([
    findUnknownVariants(app, shop, links, end),
    findUnknownProducts(app, shop, links, end),
  ]);
  return {
    unknown: [...variants.unknown, ...products.unknown],
    notChecked: [...variants.notChecked, ...products.notChecked],
  };
}

/** Returns messages about lookups that were not possible. Throws InvalidInputError for an unknown variant or product. */
export async function refuseUnknownTargets(app: App, shop: Shop, links: readonly NamedTarget[]): Promise<string[]> {
  const { unknown, notChecked } = await findUnknownTargets(app, shop, links);
  const [first] = unknown;
  if (first) throw new InvalidInputError(first.field, `${first.field}: ${first.message}`);
  return notChecked;
}

async function findUnknownVariants<Link extends NamedTarget>(
  app: App,
  shop: Shop,
  links: readonly Link[],
  end: number,
): Promise<FoundTargets<Link>> {
  const ids = [...new Set(links.flatMap(({ shopifyVariantId }) => shopifyVariantId ?? []))];
  const known = new Set<string>();
  const notChecked: string[] = [];
  let looked = 0;
  try {
    if (ids.length > 0) {
      const admin = await openAdmin(app, shop, { isBulk: ids.length > MAX_IDS });
      for (; looked < ids.length && app.clock.ticks() < end; looked += MAX_IDS)
        for (const id of await readKnownVariantIds(admin, ids.slice(looked, looked + MAX_IDS))) known.add(id);
    }
    if (looked < ids.length)
      notChecked.push(`The last ${ids.length - looked} variants were not looked up in the store.`);
  } catch (error) {
    if (!(error instanceof ShopifyError || error instanceof PlatenError)) throw error;
    notChecked.push(`Variants could not be looked up in the store. ${error.message}`);
  }
  const missing = new Set(ids.slice(0, looked).filter((id) => !known.has(id)));
  const unknown = links
    .filter(({ shopifyVariantId }) => shopifyVariantId !== null && missing.has(shopifyVariantId))
    .map((of) => ({
      of,
      field: 'variantId' as const,
      message: `The store has no ${describeTarget(of)}. The ID is the number at the end of the variant's address in the store's admin.`,
    }));
  return { unknown, notChecked };
}

async function findUnknownProducts<Link extends NamedTarget>(
  app: App,
  shop: Shop,
  links: readonly Link[],
  end: number,
): Promise<FoundTargets<Link>> {
  const byProduct = Map.groupBy(links.filter(hasProduct), ({ productUid, envelopeProductUid }) =>
    JSON.stringify([productUid, envelopeProductUid]),
  );
  const unknown: UnknownTarget<Link>[] = [];
  if (byProduct.size === 0) return { unknown, notChecked: [] };
  const { printAccountId: accountId } = shop;
  if (accountId === null)
    return {
      unknown,
      notChecked: ['Products could not be looked up: the shop has no API key for the print service yet.'],
    };
  const country = await readShopCountry(app, shop).catch(() => null);
  if (country === null)
    return { unknown, notChecked: ["Products could not be looked up: the store's address has no country."] };
  const groups = [...byProduct.values()];
  const notChecked = new Set<string>();
  for (let at = 0; at < groups.length; at += IN_PARALLEL) {
    if (app.clock.ticks() >= end) {
      notChecked.add(`The last ${groups.length - at} products were not looked up at the print service.`);
      break;
    }
    const lookups = groups.slice(at, at + IN_PARALLEL).map(async (group) => {
      const [first] = group;
      for (const { code, field, message, remedy } of first
        ? await checkProduct(app, { shop, accountId }, first, country)
        : []) {
        const isUnknown = code === 'unknown_product' && (field === 'productUid' || field === 'envelopeProductUid');
        if (isUnknown) unknown.push(...group.map((of) => ({ of, field, message: `${message} ${remedy}` })));
        if (code === 'key_refused' || code === 'print_service_unavailable') notChecked.add(message);
      }
    });
    await Promise.all(lookups);
    if (notChecked.size > 0) break;
  }
  return { unknown, notChecked: [...notChecked] };
}

function hasProduct<Link extends NamedTarget>(link: Link): link is Link & LinkToSave {
  return link.productUid !== undefined;
}
