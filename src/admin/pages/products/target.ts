import { callApi } from '../../api.ts';
import { toNumericId } from '../../format.ts';
import { texts } from '../../texts/texts.ts';

/** The target of a print link: a variant, or a SKU if `variantId` is null. */
export interface Target {
  variantId: string | null;
  sku: string | null;
}

/** Returns the field that identifies a target: the variant's ID if there is one, otherwise the SKU. */
export function toId({ variantId, sku }: Target): Record<string, string> {
  if (variantId !== null) return { variantId };
  return sku === null ? {} : { sku };
}

/** Returns the address of the page on which the target's print link is edited. */
export function toLinkHref({ variantId, sku }: Target): string {
  const given = { ...(variantId !== null && { variantId: toNumericId(variantId) }), ...(sku !== null && { sku }) };
  return `/products/link?${new URLSearchParams(given)}`;
}

export function toTargetName({ variantId, sku }: Target): string {
  if (sku) return sku;
  return variantId === null ? texts.products.noSku : texts.products.variant(toNumericId(variantId));
}

/** Returns an ID for elements that belong to the target. */
export function toElementId({ variantId, sku }: Target): string {
  return variantId === null ? `sku-${encodeURIComponent(sku ?? '')}` : `variant-${toNumericId(variantId)}`;
}

/** Lets the merchant choose one of the store's variants. Returns null if the merchant chooses none. */
export async function pickVariant(): Promise<(Target & { name: string }) | null> {
  const picked = await shopify.resourcePicker({ type: 'variant', action: 'select', multiple: false });
  const [variant] = picked ?? [];
  if (!variant) return null;
  return { variantId: variant.id, sku: variant.sku || null, name: variant.displayName };
}

export interface WaitingOrders {
  orders: number;
  found: { orderId: string; name: string; placedAt: string; lines: { sku: string | null; quantity: number }[] }[];
}

/** Prints the orders that were waiting for a target's link, or leaves them to the merchant. A dry run only lists the orders. */
export function settleWaitingOrders(
  word: 'print' | 'leave',
  target: Target,
  { dryRun = false } = {},
): Promise<WaitingOrders> {
  return callApi('POST', `/api/print-links/${word}`, { ...toId(target), dryRun }, { isReadOnlyRequest: dryRun });
}
