import { lineAmounts, toAmount } from './amounts.ts';
import { unfulfilledQuantity } from './order-status.ts';
import { productView, variantView } from '../products/product-view.ts';
import type { LineItem, Order } from '../state.ts';
import { moneyBag, type View } from '../graphql/view.ts';
import type { Views } from '../graphql/views.ts';

/** Returns the view for the GraphQL type LineItem. */
export function lineItemView({ store, shop }: Views, order: Order, line: LineItem): View {
  const product = line.productId === null ? undefined : store.product(line.productId);
  const variant = product?.variants.find(({ id }) => id === line.variantId);
  const bag = (amount: string) => moneyBag(amount, order.currencyCode, order.presentmentCurrencyCode);
  const amounts = lineAmounts(line, order.taxesIncluded);
  const cents = (amount: number) => bag(toAmount(amount));
  const unitPrice = cents(line.quantity === 0 ? 0 : amounts.discounted / line.quantity);
  const unfulfilled = unfulfilledQuantity(order, line);
  return {
    __typename: 'LineItem',
    id: line.id,
    name: line.variantTitle === null ? line.title : `${line.title} - ${line.variantTitle}`,
    title: line.title,
    variantTitle: line.variantTitle,
    sku: line.sku,
    vendor: line.vendor,
    quantity: line.quantity,
    currentQuantity: line.currentQuantity,
    refundableQuantity: line.currentQuantity,
    unfulfilledQuantity: unfulfilled,
    nonFulfillableQuantity: line.quantity - line.currentQuantity,
    requiresShipping: line.requiresShipping,
    isGiftCard: line.isGiftCard,
    taxable: line.taxable,
    restockable: true,
    merchantEditable: true,
    customAttributes: line.customAttributes,
    // Books from versions of the stand-in that did not model bundle attributes do not contain them.
    lineItemGroup: line.group ? { ...line.group, customAttributes: line.group.customAttributes ?? [] } : null,
    sellingPlan: null,
    image: null,
    weight: { unit: 'GRAMS', value: line.grams },
    product: () => (product ? productView(store, shop, product) : null),
    variant: () => (product && variant ? variantView(store, shop, product, variant) : null),
    originalUnitPriceSet: bag(line.price),
    discountedUnitPriceSet: unitPrice,
    discountedUnitPriceAfterAllDiscountsSet: unitPrice,
    originalTotalSet: cents(amounts.original),
    discountedTotalSet: cents(amounts.discounted),
    totalDiscountSet: cents(amounts.discount),
    priceAfterAllDiscountsBeforeTaxesSet: cents(amounts.currentNet),
    taxLines: taxLines(order, line.tax),
  };
}

/** Returns the taxes on an order line as a single tax, because the stand-in does not model kinds of taxes. */
export function taxLines(order: Order, tax: string | undefined): View[] {
  if (tax === undefined) return [];
  const priceSet = moneyBag(tax, order.currencyCode, order.presentmentCurrencyCode);
  return [{ __typename: 'TaxLine', title: 'Tax', priceSet, channelLiable: null, source: null }];
}
