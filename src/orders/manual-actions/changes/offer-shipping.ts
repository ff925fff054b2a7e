import type { App } from '../../../app.ts';
import type { StorefrontOrder } from '../../../database/entities/orders.ts';
import type { Shop } from '../../../database/entities/shops.ts';
import { InvalidInputError, NotFoundError, NotPossibleError } from '../../../errors.ts';
import type { PortMethod, PortQuote } from '../../../print/port.ts';
import { toSampleReference } from '../../../rates/to-rate-quote.ts';
import { openAdmin } from '../../../shops/tokens/tokens.ts';
import { toAmount, toUnits } from '../../costs/money.ts';
import { toQuotedCost, type QuotedCost } from '../../costs/print-cost.ts';
import { computeItemReference } from '../../facts/compute-reference.ts';
import { isReplaceable } from '../../facts/print-order-predicates.ts';
import { toManualMethodRule } from '../../facts/shipping-method-rule.ts';
import { withEverythingReleased } from '../../plan/decide/released-input.ts';
import { planOrder } from '../../plan/decide/plan-order.ts';
import type { PlanInput, PlannedItem } from '../../plan/decide/plan.ts';
import { toPlanInput } from '../../plan/decide/to-plan-input.ts';
import { readStore } from '../../plan/read/read-store.ts';
import { toCustomerReference, toProductTags, splitItems } from '../../plan/reconcile-print-orders.ts';
import { chooseShipping } from '../../quote/choose-shipping.ts';
import { comparePrices } from '../../quote/compare-prices.ts';
import { pickMethod } from '../../quote/pick-method.ts';
import { requestSampleQuote } from '../../quote/request-sample-quote.ts';
import { toListedMethod, type ListedMethod } from '../../quote/list-method.ts';
import { toQuoteRequest } from '../../quote/to-quote-request.ts';
import { toShippingPolicy, toShippingPreference } from '../../quote/to-shipping-preference.ts';
import type { KnownPrint } from '../../rows/own-rows.ts';
import { readChangeable } from './read-changeable.ts';
import { findShippingLockReason } from './changeable-order.ts';

/** The shipping methods that the print service offers now for the parts of an order that are not sent to print yet. */
export interface OfferedShipping {
  /** The name of the method that a person chose for the order. Null if the shop's rules choose the method. */
  byHand: string | null;
  /** One entry for each group of items that one facility would print. */
  parts: OfferedPart[];
}

interface OfferedPart {
  lines: { sku: string | null; quantity: number }[];
  /** Cheapest first. */
  methods: OfferedMethod[];
  /** The part's cost with the chosen method, without tax. Null if no method is possible. */
  cost: QuotedCost | null;
  /** The rule that chose the method, such as "cheapest method". Null if no method is possible. */
  rule: string | null;
  /** Why no method is chosen, or null. */
  lack: string | null;
}

interface OfferedMethod extends ListedMethod {
  /** The price difference from the currently chosen method. Negative if this method costs less. Null if unknown. */
  difference: string | null;
}

/** A part with the methods that a person may choose for it. */
export interface QuotedPart {
  items: readonly PlannedItem[];
  methods: readonly PortMethod[];
  products: PortQuote['products'];
  chosen: string | null;
  rule: string | null;
  lack: string | null;
  /** Picks the part's method if a person chooses these methods for the order. */
  pick: (methodUids: string[]) => PortMethod | null;
}

/** Returns the shipping methods that the print service offers now. Throws the errors of `quoteUnsent`. */
export async function offerShipping(app: App, shop: Shop, order: StorefrontOrder): Promise<OfferedShipping> {
  const { byHand, parts } = await quoteUnsent(app, shop, order);
  return { byHand: byHand?.name ?? null, parts: parts.map(toShownPart) };
}

/**
 * Quotes all items of an order that are not sent to print yet, as if Platen sent them now. A quote is free and creates nothing. Throws
 * NotPossibleError if the method can no longer change or there is nothing to quote, UnavailableError and ShopifyError.
 */
export async function quoteUnsent(
  app: App,
  shop: Shop,
  { id }: Pick<StorefrontOrder, 'id'>,
): Promise<{ byHand: StorefrontOrder['shippingChoice']; parts: QuotedPart[] }> {
  const { order, rows, ...changeable } = await readChangeable(app.db.manager, id);
  const fixed = findShippingLockReason({ order, ...changeable });
  if (fixed) throw fixed;
  const reading = await readStore(app, shop, await openAdmin(app, shop), order.shopifyOrderId);
  if (!reading) throw new NotPossibleError('order_gone', `The store no longer has the order ${order.name}.`);
  const input = withEverythingReleased(await toPlanInput(app, app.db.manager, { shop, columns: order, reading, rows }));
  const byHand = order.shippingChoice;
  const parts: QuotedPart[] = [];
  for (const items of toOrders(input, order.name))
    parts.push(...(await quotePart(app, { shop, input, items, byHand, prints: rows.prints })));
  return { byHand, parts };
}

/** Returns the items of each order that would be created at the print service now. */
function toOrders(input: PlanInput, name: string): PlannedItem[][] {
  const { wanted, holds, reason } = planOrder(input);
  const orders = wanted.flatMap(({ items }) => splitItems(items, input.settings.printInterface));
  if (orders.length > 0) return orders;
  const [hold] = holds;
  if (hold) throw new NotPossibleError('held', `${name} cannot be quoted yet. ${hold.message}`);
  throw new NotPossibleError(
    reason ?? 'nothing_to_print',
    `No part of ${name} is left to print, so no shipping method can be chosen.`,
  );
}

interface ToQuote {
  shop: Shop;
  input: PlanInput;
  items: readonly PlannedItem[];
  byHand: StorefrontOrder['shippingChoice'];
  prints: readonly KnownPrint[];
}

async function quotePart(app: App, { shop, input, items, byHand, prints }: ToQuote): Promise<QuotedPart[]> {
  const { settings, recipient, order } = input;
  if (!recipient?.ok) throw new Error('an order without a recipient has nothing to quote');
  const { address } = recipient;
  const policy = toShippingPolicy(settings, shop, input.now);
  const lines = items.map((item) => ({
    ...item,
    itemReferenceId: computeItemReference(item.shopifyLineItemId, settings.printInterface),
  }));
  const facts = { lines, recipient: address, customerReferenceId: toCustomerReference(shop, order), ...settings };
  const reference = toSampleReference(facts.lines);
  const quotes = await requestQuotes(
    app,
    shop,
    input,
    toQuoteRequest({ ...facts, printOrder: { reference } }, settings),
  );
  const wish = toShippingPreference(
    {
      address,
      shippingLines: order.shippingLines,
      productTags: toProductTags(
        order,
        items.map(({ shopifyLineItemId }) => shopifyLineItemId),
      ),
      shippingWay: toManualMethodRule(byHand),
    },
    items,
  );
  const choice = chooseShipping(
    quotes.map(({ shipmentMethods }) => shipmentMethods),
    wish,
    policy,
  );
  // A method chosen by its UID may also be a pallet or pickup method.
  const pick = (methods: readonly PortMethod[], methodUids: string[]): PortMethod | null => {
    const picked = pickMethod(methods, { methodUids }, { ...policy, isBusiness: wish.isBusiness });
    return 'method' in picked ? picked.method : null;
  };
  return quotes.map((quote, index) => {
    const own = lines.filter(({ itemReferenceId }) => quote.itemReferenceIds.includes(itemReferenceId));
    const chosen = choice.methods[index]?.shipmentMethodUid ?? null;
    return {
      items: own,
      products: quote.products,
      methods: quote.shipmentMethods.filter((method) => pick([method], [method.shipmentMethodUid]) !== null),
      pick: (methodUids) => pick(quote.shipmentMethods, methodUids),
      lack: chosen === null ? choice.lack : null,
      ...(findQuoted(prints, own) ?? { chosen, rule: chosen === null ? null : choice.way.rule }),
    };
  });
}

/** Returns the method and rule of the print order that already has a quote for these items. */
function findQuoted(
  prints: readonly KnownPrint[],
  items: readonly PlannedItem[],
): Pick<QuotedPart, 'chosen' | 'rule' | 'lack'> | null {
  const of = prints.find(
    (print) =>
      isReplaceable(print) &&
      items.every(({ shopifyLineItemId: id }) => print.lines.some((line) => line.shopifyLineItemId === id)),
  );
  if (!of || of.printOrder.shipmentMethodUid === null || of.printOrder.state === 'held') return null;
  const { shipmentMethodUid: chosen, quote } = of.printOrder;
  return { chosen, rule: (quote?.['rule'] ?? null) as string | null, lack: null };
}

async function requestQuotes(
  app: App,
  shop: Shop,
  { settings }: PlanInput,
  request: ReturnType<typeof toQuoteRequest>,
): Promise<PortQuote[]> {
  try {
    return await requestSampleQuote(app, shop, settings, request);
  } catch (error) {
    // The merchant has entered nothing here, so an error about an input becomes NotPossibleError.
    if (error instanceof InvalidInputError || error instanceof NotFoundError)
      throw new NotPossibleError('quote_refused', error.message);
    throw error;
  }
}

function toShownPart({ items, methods, products, chosen, rule, lack }: QuotedPart): OfferedPart {
  const current = methods.find((method) => method.shipmentMethodUid === chosen);
  return {
    lines: items.map(({ sku, quantity }) => ({ sku, quantity })),
    methods: methods.toSorted((a, b) => comparePrices(a.price, b.price)).map((method) => toOffered(method, current)),
    cost: current === undefined ? null : toQuotedCost({ products, chosen: current }),
    rule,
    lack,
  };
}

function toOffered(method: PortMethod, current: PortMethod | undefined): OfferedMethod {
  const { price, currency } = method;
  const units = toUnits(price, currency);
  const before = current?.currency === currency ? toUnits(current.price, currency) : null;
  const difference = units === null || before === null ? null : toAmount(units - before, currency);
  return { ...toListedMethod(method, method === current), difference };
}
