import { toAmount, toUnits } from './money.ts';

/** The quote for the chosen shipping method. Quotes do not include tax. Unknown amounts are null. */
export interface QuotedCost {
  currency: string;
  products: string | null;
  shipping: string;
  total: string | null;
}

/** The service's charges minus its refunds. */
export interface ChargedCost {
  currency: string;
  products: string;
  packaging: string;
  shipping: string;
  /** The rest of the total, such as a discount on the whole order. Often negative. */
  other: string;
  tax: string;
  /** Including tax. */
  total: string;
}

/** The fields of a receipt that Platen reads. The database stores the whole receipt. */
export type ReadReceipt = Partial<
  Record<
    | 'transactionType'
    | 'currency'
    | 'productsPrice'
    | 'packagingPrice'
    | 'shippingPrice'
    | 'total'
    | 'totalVat'
    | 'totalInclVat',
    unknown
  >
>;

/** Why the charges cannot be determined from the receipts. */
export type UnreadableCost = 'receipt_of_unknown_type' | 'receipt_unreadable' | 'receipts_in_several_currencies';

/** Reads a print order's quote. Returns null if there is no quote. Amounts in different currencies are not added up. */
export function toQuotedCost(quote: Record<string, unknown> | null): QuotedCost | null {
  const chosen = asRecord(quote?.['chosen']);
  const currency = toCurrency(chosen['currency']);
  const shipping = currency === null ? null : toUnits(chosen['price'], currency);
  if (currency === null || shipping === null) return null;
  const products = sumProducts(quote?.['products'], currency);
  return {
    currency,
    products: products === null ? null : toAmount(products, currency),
    shipping: toAmount(shipping, currency),
    total: products === null ? null : toAmount(products + shipping, currency),
  };
}

function sumProducts(products: unknown, currency: string): bigint | null {
  if (!Array.isArray(products) || products.length === 0) return null;
  const prices = products.map((product) => {
    const { price, currency: own } = asRecord(product);
    return toCurrency(own) === currency ? toUnits(price, currency) : null;
  });
  return prices.reduce<bigint | null>((sum, price) => (sum === null || price === null ? null : sum + price), 0n);
}

/**
 * Adds up one or more receipts. The print interface documents only the type `purchase`, but states that other types may follow. A refund is
 * subtracted, whatever its sign. For any other type, it is unknown whether the amount is a charge.
 */
export function toChargedCost(receipts: readonly ReadReceipt[]): ChargedCost | { unread: UnreadableCost } {
  const currencies = [...new Set(receipts.map(({ currency }) => toCurrency(currency)))];
  const [currency = null] = currencies;
  if (currencies.includes(null) || currency === null) return { unread: 'receipt_unreadable' };
  if (currencies.length > 1) return { unread: 'receipts_in_several_currencies' };
  const sum = { products: 0n, packaging: 0n, shipping: 0n, tax: 0n, total: 0n };
  for (const receipt of receipts) {
    const sums = readReceiptAmounts(receipt, currency);
    if (sums === null) return { unread: 'receipt_unreadable' };
    const way = findReceiptSign(receipt, sums.total);
    if (way === null) return { unread: 'receipt_of_unknown_type' };
    for (const name of ['products', 'packaging', 'shipping', 'tax', 'total'] as const) sum[name] += way * sums[name];
  }
  const { products, packaging, shipping, tax, total } = sum;
  return {
    currency,
    products: toAmount(products, currency),
    packaging: toAmount(packaging, currency),
    shipping: toAmount(shipping, currency),
    other: toAmount(total - tax - products - packaging - shipping, currency),
    tax: toAmount(tax, currency),
    total: toAmount(total, currency),
  };
}

function findReceiptSign({ transactionType }: ReadReceipt, total: bigint): bigint | null {
  if (transactionType === 'purchase') return 1n;
  if (!isRefund({ transactionType })) return null;
  return total > 0n ? -1n : 1n;
}

export function isRefund({ transactionType }: ReadReceipt): boolean {
  return transactionType === 'refund';
}

function readReceiptAmounts(receipt: ReadReceipt, currency: string) {
  const read = (amount: unknown): bigint | null => toUnits(amount, currency);
  const [net, vat, gross] = [read(receipt.total), read(receipt.totalVat), read(receipt.totalInclVat)];
  const total = gross ?? (net === null || vat === null ? null : net + vat);
  const tax = vat ?? (total === null || net === null ? null : total - net);
  if (total === null || tax === null) return null;
  return {
    products: read(receipt.productsPrice) ?? 0n,
    packaging: read(receipt.packagingPrice) ?? 0n,
    shipping: read(receipt.shippingPrice) ?? 0n,
    tax,
    total,
  };
}

function toCurrency(value: unknown): string | null {
  return typeof value === 'string' && /^[A-Za-z]{3}$/.test(value) ? value.toUpperCase() : null;
}

function asRecord(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}
