import type { ShippingRule } from '../../shops/settings/shipping-rules.ts';
import type { ShippingPreference } from '../facts/shipping-method-rule.ts';

type When = NonNullable<ShippingRule['when']>;

/** Returns, in words, the condition that keeps a rule from applying to a print order, or null if the rule applies. */
export function findMismatch(when: ShippingRule['when'], wish: ShippingPreference): string | null {
  if (!when) return null;
  const { title, code, countries } = when;
  if (!wish.shippingLines.some((line) => matchesShippingLine(line, when))) {
    if (title !== undefined && code !== undefined)
      return `no shipping line has '${title}' in its title and the code '${code}'`;
    if (title !== undefined) return `no shipping line has '${title}' in its title`;
    if (code !== undefined) return `no shipping line has the code '${code}'`;
  }
  if (countries && !countries.includes(wish.country)) return `it does not apply to this country`;
  return findLineMismatch(when, wish.products);
}

function matchesShippingLine(line: ShippingPreference['shippingLines'][number], { title, code }: When): boolean {
  if (title !== undefined && !line.title.toLowerCase().includes(title.toLowerCase())) return false;
  return code === undefined || line.code === code;
}

function findLineMismatch(when: When, products: ShippingPreference['products']): string | null {
  if (!when.skus && !when.productUids && !when.productTags) return null;
  const meant = products.filter((product) => matchesProduct(product, when)).length;
  if (when.lines === 'every') return meant === products.length ? null : 'it does not apply to every printed line';
  return meant > 0 ? null : 'it does not apply to any printed line';
}

function matchesProduct(
  product: ShippingPreference['products'][number],
  { skus, productUids, productTags }: When,
): boolean {
  if (skus && !skus.includes(product.sku ?? '')) return false;
  if (productUids && !productUids.includes(product.productUid)) return false;
  const tags = productTags?.map((tag) => tag.toLowerCase());
  return !tags || product.tags.some((tag) => tags.includes(tag.toLowerCase()));
}
