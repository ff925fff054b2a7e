import { In, IsNull, type EntityManager } from 'typeorm';
import type { App } from '../../app.ts';
import { StorefrontOrders, type StorefrontOrder } from '../../database/entities/orders.ts';
import {
  PrintOrderLines,
  PrintOrders,
  SubmitAttempts,
  type PrintOrder,
  type PrintOrderLine,
} from '../../database/entities/print-orders.ts';
import { Shops, type Shop } from '../../database/entities/shops.ts';
import type { PortMethod, PortQuote } from '../../print/port.ts';
import { parseDeliveryDays } from '../../print/parse-day.ts';
import type { InstallationSecrets } from '../../shops/install/installation.ts';
import { openPrintPort } from '../../shops/print-account/print-account.ts';
import { readSettings } from '../../shops/settings/settings.ts';
import { handlePrintError } from '../waits/handle-print-error.ts';
import { changeState } from '../record/change-state.ts';
import { chooseShipping, type ShippingChoice } from './choose-shipping.ts';
import { describeChoice, toStoredQuote } from './describe-choice.ts';
import { enqueueSubmit } from '../enqueue/enqueue-submit.ts';
import { findQuoteFault, ONE_QUOTE_HINT } from './find-quote-fault.ts';
import { hashBody } from './hash-body.ts';
import { hashPlan } from '../facts/hash-plan.ts';
import { holdPrintOrder } from '../record/hold-print-order.ts';
import { assignReference } from '../record/assign-reference.ts';
import { endStepWaits } from '../waits/end-step-waits.ts';
import { openOrder, type OrderSession } from '../rows/order-session.ts';
import { decryptRecipient, sealBody, sealRecipient, type Recipient } from '../facts/recipient-column.ts';
import { toCreateRequest } from './to-create-request.ts';
import { toQuoteRequest } from './to-quote-request.ts';
import { toShippingPolicy, toShippingPreference } from './to-shipping-preference.ts';
import { enqueueQuote } from '../enqueue/enqueue-quote.ts';

/** The data for quoting one print order. */
interface QuoteScope {
  app: App;
  order: OrderSession;
  shop: Shop;
  storefrontOrder: StorefrontOrder;
  printOrder: PrintOrder;
  lines: PrintOrderLine[];
  recipient: Recipient;
}

/**
 * Requests the price and shipping of each planned print order of a storefront order, and chooses a method. If the service returns several
 * quotes, each becomes a print order: the first keeps the reference, and the others become the next parts.
 */
export async function quoteStorefrontOrder(
  app: App,
  { storefrontOrderId }: { storefrontOrderId: string },
): Promise<void> {
  const order = await openOrder(app, { storefrontOrderId });
  if (order) await quoteOpenOrder(app, order);
}

/** Quotes an order like `quoteStorefrontOrder`, from rows that have already been read. */
export async function quoteOpenOrder(app: App, order: OrderSession): Promise<void> {
  const { storefrontOrderId, reader: manager } = order;
  const storefrontOrder = await manager.findOneBy(StorefrontOrders, { id: storefrontOrderId });
  const shop = storefrontOrder && (await manager.findOneBy(Shops, { id: storefrontOrder.shopId }));
  if (!storefrontOrder || shop?.state !== 'installed' || storefrontOrder.redactedAt !== null) return;
  const planned = await manager.findBy(PrintOrders, { storefrontOrderId, state: 'planned', closedAt: IsNull() });
  for (const printOrder of planned) {
    const lines = await manager.find(PrintOrderLines, { where: { printOrderId: printOrder.id }, order: { id: 'ASC' } });
    const recipient = decryptRecipient(app, printOrder);
    const scope = { app, order, shop, storefrontOrder, printOrder, recipient };
    const begunAt = app.clock.now();
    await quotePrintOrder({ ...scope, lines: lines.map((line) => withOwnFile(line, recipient)) });
    const of = { printOrderIds: [printOrder.id] };
    await order.change((inside) => endStepWaits(app, inside, of, 'quote', begunAt));
  }
}

/** Adds the print file that came with a line, which is stored with the recipient instead of the line. */
function withOwnFile(line: PrintOrderLine, { fileUrls = {} }: Recipient): PrintOrderLine {
  return { ...line, fileUrl: fileUrls[line.shopifyLineItemId] ?? line.fileUrl };
}

async function quotePrintOrder(scope: QuoteScope): Promise<void> {
  const { app, order, shop, storefrontOrder, printOrder, lines, recipient } = scope;
  if (printOrder.printAccountId === null) return;
  const settings = readSettings(shop);
  const { currency, extendedCalls, allowMultipleQuotes } = settings;
  const choice = { ...printOrder, extendedCalls };
  const { port } = await openPrintPort(app, printOrder.printAccountId, choice, order.reader);
  const { address, customerReferenceId } = recipient;
  const facts = { printOrder, lines, recipient: address, customerReferenceId, currency };
  let quotes: PortQuote[];
  try {
    quotes = await port.quote(toQuoteRequest(facts, { allowMultipleQuotes }));
  } catch (error) {
    const quoteAgainAt = (manager: EntityManager, runAt: Date): Promise<void> =>
      enqueueQuote(manager, storefrontOrder.id, runAt);
    const hint = !allowMultipleQuotes && lines.length > 1 ? ONE_QUOTE_HINT : null;
    const step = { step: 'quote', doing: 'request the price and shipping', refused: 'quote_refused' } as const;
    return handlePrintError(app, printOrder, error, { ...step, hint, again: quoteAgainAt });
  }
  const shipping = chooseShipping(
    quotes.map(({ shipmentMethods }) => shipmentMethods),
    toShippingPreference(recipient, lines),
    toShippingPolicy(settings, shop, app.clock.now()),
  );
  const fault = findQuoteFault(app, { quotes, choice: shipping, lines, allowMultipleQuotes });
  const installation = await order.readInstallation();
  await order.change(async (manager) => {
    if (fault) return holdPrintOrder(manager, printOrder, { code: 'no_shipment_method', ...fault });
    await writeQuotes(scope, manager, installation, quotes, shipping);
  });
}

/**
 * Writes all parts in one transaction: the first quote stays with this print order, and each further quote becomes a new part. A promise
 * belongs to the reference for which it was quoted, so a new part with a promise is quoted again under its own reference.
 */
async function writeQuotes(
  scope: QuoteScope,
  manager: EntityManager,
  installation: InstallationSecrets,
  quotes: PortQuote[],
  choice: ShippingChoice,
): Promise<void> {
  const current = await manager.findOne(PrintOrders, {
    where: { id: scope.printOrder.id },
    lock: { mode: 'for_no_key_update' },
  });
  const isBegun = await manager.existsBy(SubmitAttempts, { printOrderId: scope.printOrder.id });
  // If the print order was closed or an attempt began during the quote request, its body must not change, because a reference identifies
  // one body.
  if (current?.state !== 'planned' || current.closedAt !== null || isBegun) return;
  for (const [index, quote] of quotes.entries()) {
    const method = choice.methods[index];
    if (!method) return;
    const lines = scope.lines.filter(({ itemReferenceId }) => quote.itemReferenceIds.includes(itemReferenceId));
    const printOrder = index === 0 ? current : await splitOffLines(scope, manager, installation, lines, choice);
    if (index > 0 && method.promise) await enqueueQuote(manager, printOrder.storefrontOrderId);
    else await writeQuote({ ...scope, printOrder, lines }, manager, { quote, method, choice, of: quotes.length });
  }
}

/** Creates a new part with the same plan, account and recipient under the next reference. */
async function splitOffLines(
  { app, shop, printOrder, recipient }: QuoteScope,
  manager: EntityManager,
  installation: InstallationSecrets,
  lines: PrintOrderLine[],
  choice: ShippingChoice,
): Promise<PrintOrder> {
  const order = await manager.findOneOrFail(StorefrontOrders, {
    where: { id: printOrder.storefrontOrderId },
    lock: { mode: 'for_no_key_update' },
  });
  if (order.redactedAt !== null) throw new Error("this order's customer is being redacted");
  const { shopId, storefrontOrderId, printAccountId, shopifyFulfillmentOrderId } = printOrder;
  const { submitWay, printInterface, legacyHost, isLeftAsDraft } = printOrder;
  const of = { shop, installation, printInterface };
  const { part, reference } = await assignReference(manager, order, shopifyFulfillmentOrderId, of);
  const { identifiers } = await manager.insert(PrintOrders, {
    shopId,
    storefrontOrderId,
    printAccountId,
    shopifyFulfillmentOrderId,
    submitWay,
    printInterface,
    legacyHost,
    isLeftAsDraft,
    planSha256: hashPlan(lines, recipient.address, readSettings(shop), recipient.shippingLines),
    part,
    reference,
    state: 'planned',
    recipientEncrypted: sealRecipientWithRule(app, reference, recipient, choice),
  });
  const id = String(identifiers[0]?.['id']);
  await manager.update(PrintOrderLines, { id: In(lines.map((line) => line.id)) }, { printOrderId: id });
  return manager.findOneByOrFail(PrintOrders, { id });
}

/**
 * Encrypts the recipient together with the rule chosen for the whole order, so that a part that is quoted separately uses the same rule.
 */
function sealRecipientWithRule(app: App, reference: string, recipient: Recipient, { way }: ShippingChoice): string {
  return sealRecipient(app, reference, { ...recipient, shippingWay: way });
}

async function writeQuote(
  scope: QuoteScope,
  manager: EntityManager,
  { quote, method, choice, of }: { quote: PortQuote; method: PortMethod; choice: ShippingChoice; of: number },
): Promise<void> {
  const { app, shop, storefrontOrder, printOrder, lines, recipient } = scope;
  const { currency, returnAddress } = readSettings(shop);
  const { address, customerReferenceId } = recipient;
  const { shipmentMethodUid, promise } = method;
  const delivery = parseDeliveryDays(method);
  const body = toCreateRequest({
    printOrder,
    lines,
    recipient: address,
    customerReferenceId,
    currency,
    shipmentMethodUid,
    promise,
    shop: shop.domain,
    orderName: storefrontOrder.name,
    returnAddress,
  });
  const oneOf = of > 1 ? ` (one of ${of} quotes)` : '';
  const recipientEncrypted =
    of > 1 ? sealRecipientWithRule(app, printOrder.reference, recipient, choice) : printOrder.recipientEncrypted;
  await changeState(manager, printOrder, {
    to: 'quoted',
    kind: 'quoted',
    message: `${printOrder.reference}${oneOf}: ${describeChoice(method, choice)}`,
    data: {
      quoteId: quote.id,
      shipmentMethodUid,
      rule: choice.way.rule,
      passedOver: choice.passedOver,
      offered: quote.shipmentMethods.map((offered) => offered.shipmentMethodUid),
    },
    set: {
      planSha256: hashPlan(lines, address, { currency, returnAddress }, recipient.shippingLines),
      quote: toStoredQuote(quote, method, choice),
      recipientEncrypted,
      shipmentMethodUid,
      minDeliveryDate: delivery.from,
      maxDeliveryDate: delivery.to,
      bodyEncrypted: sealBody(app, printOrder.reference, body),
      bodySha256: hashBody(body),
    },
  });
  await enqueueSubmit(manager, printOrder);
}
