import { In, IsNull, type EntityManager } from 'typeorm';
import type { App } from '../app.ts';
import { StorefrontOrders, type StorefrontOrder } from '../database/orders.ts';
import {
  PrintOrderLines,
  PrintOrders,
  SubmitAttempts,
  type PrintOrder,
  type PrintOrderLine,
} from '../database/print-orders.ts';
import { Shops, type Shop } from '../database/shops.ts';
import type { PortQuote, ShippingPromise } from '../print/port.ts';
import { readInstallation, type InstallationSecrets } from '../shops/installation.ts';
import { openPrintPort } from '../shops/print-account.ts';
import { readSettings } from '../shops/settings.ts';
import { answerPrintError } from './answer-print-error.ts';
import { changeState } from './change-state.ts';
import { chooseShipping, type ChosenMethod } from './choose-shipping.ts';
import { enqueueQuote } from './enqueue-quote.ts';
import { enqueueSubmit } from './enqueue-submit.ts';
import { hashBody } from './hash-body.ts';
import { hashPlan } from './hash-plan.ts';
import { holdPrintOrder } from './hold-print-order.ts';
import { makeReference } from './make-reference.ts';
import { isPromiseOver } from './quote-anew.ts';
import { openRecipient, sealBody, sealRecipient, type Recipient } from './recipient-column.ts';
import { toCreateRequest } from './to-create-request.ts';
import { toQuoteRequest } from './to-quote-request.ts';

/** What quoting one print order works on. */
interface QuoteScope {
  app: App;
  shop: Shop;
  storefrontOrder: StorefrontOrder;
  printOrder: PrintOrder;
  lines: PrintOrderLine[];
  recipient: Recipient;
  /** How often it was asked in vain, one after another. */
  tries: number;
}

/**
 * Asks the print service for the price and shipping of each planned print order of a storefront order and chooses a method.
 * Several quotes make several print orders: the first keeps the reference, the others get the next parts.
 */
export async function quoteStorefrontOrder(
  app: App,
  { storefrontOrderId, tries = 0 }: { storefrontOrderId: string; tries?: number },
): Promise<void> {
  const { manager } = app.db;
  const storefrontOrder = await manager.findOneBy(StorefrontOrders, { id: storefrontOrderId });
  const shop = storefrontOrder && (await manager.findOneBy(Shops, { id: storefrontOrder.shopId }));
  if (!storefrontOrder || shop?.state !== 'installed') return;
  const planned = await manager.findBy(PrintOrders, { storefrontOrderId, state: 'planned', closedAt: IsNull() });
  for (const printOrder of planned) {
    const lines = await manager.find(PrintOrderLines, { where: { printOrderId: printOrder.id }, order: { id: 'ASC' } });
    await quoteOne({ app, shop, storefrontOrder, printOrder, lines, recipient: openRecipient(app, printOrder), tries });
  }
}

async function quoteOne(scope: QuoteScope): Promise<void> {
  const { app, shop, storefrontOrder, printOrder, lines, recipient } = scope;
  if (printOrder.printAccountId === null) return;
  const { currency, extendedCalls } = readSettings(shop);
  const { port } = await openPrintPort(app, printOrder.printAccountId, { ...printOrder, extendedCalls });
  const { address, customerReferenceId } = recipient;
  let quotes: PortQuote[];
  try {
    quotes = await port.quote(toQuoteRequest({ printOrder, lines, recipient: address, customerReferenceId, currency }));
  } catch (error) {
    const again = (manager: EntityManager, runAt: Date, tries: number): Promise<void> =>
      enqueueQuote(app, manager, storefrontOrder.id, runAt, tries);
    return answerPrintError(app, printOrder, error, { refused: 'quote_refused', again, tries: scope.tries });
  }
  const chosen = chooseMethods(quotes, recipient);
  const fault = findFault(app, quotes, chosen, lines);
  const installation = await readInstallation(app);
  await app.db.transaction(async (manager) => {
    if (fault)
      return holdPrintOrder(manager, printOrder, {
        code: 'no_shipment_method',
        field: fault.field,
        message: fault.message,
      });
    await writeQuotes(scope, manager, installation, quotes, chosen);
  });
}

/** What a promise binds: the method chosen with it. */
type Chosen = ChosenMethod & { promise: ShippingPromise | null };

function chooseMethods(quotes: PortQuote[], { shippingClass, address }: Recipient): (Chosen | null)[] {
  const wish = { class: shippingClass, isBusiness: address.isBusiness ?? false };
  const chosen = chooseShipping(
    quotes.map(({ shipmentMethods }) => shipmentMethods),
    wish,
  );
  return chosen.map((one, index) => {
    const offered = quotes[index]?.shipmentMethods.find((method) => method === one?.method);
    return one && { ...one, promise: offered?.promise ?? null };
  });
}

/** A quote must offer a way to ship, and the quotes together must hold each line once. */
function findFault(
  app: App,
  quotes: PortQuote[],
  chosen: (Chosen | null)[],
  lines: PrintOrderLine[],
): { field: string; message: string } | null {
  const quoted = quotes.flatMap(({ itemReferenceIds }) => itemReferenceIds).toSorted();
  const wanted = lines.map(({ itemReferenceId }) => itemReferenceId).toSorted();
  if (JSON.stringify(quoted) !== JSON.stringify(wanted)) {
    return { field: 'itemReferenceId', message: 'The print service did not quote every line of the order once.' };
  }
  if (chosen.some((method) => method === null)) {
    return {
      field: 'shipmentMethodUid',
      message: 'The print service offers no way to ship this order to this address.',
    };
  }
  if (chosen.some((method) => isPromiseOver(app, method?.promise))) {
    return {
      field: 'promiseExpirationDateTime',
      message: "The print service's offer was over as it came: the clock of this server may be wrong.",
    };
  }
  return null;
}

/**
 * One transaction writes all parts: the first quote stays with this print order, each further one becomes a part of its own. A
 * promise belongs to the reference that it was quoted under: a further part is then quoted again under its own.
 */
async function writeQuotes(
  scope: QuoteScope,
  manager: EntityManager,
  installation: InstallationSecrets,
  quotes: PortQuote[],
  chosen: (Chosen | null)[],
): Promise<void> {
  const current = await manager.findOne(PrintOrders, {
    where: { id: scope.printOrder.id },
    lock: { mode: 'for_no_key_update' },
  });
  const isBegun = await manager.existsBy(SubmitAttempts, { printOrderId: scope.printOrder.id });
  // Closed or begun meanwhile: a reference stands for one body.
  if (current?.state !== 'planned' || current.closedAt !== null || isBegun) return;
  for (const [index, quote] of quotes.entries()) {
    const method = chosen[index];
    if (!method) return;
    const lines = scope.lines.filter(({ itemReferenceId }) => quote.itemReferenceIds.includes(itemReferenceId));
    const printOrder = index === 0 ? current : await splitOff(scope, manager, installation, lines, chosen);
    if (index > 0 && method.promise) await enqueueQuote(scope.app, manager, printOrder.storefrontOrderId);
    else await writeQuote({ ...scope, printOrder, lines }, manager, quote, method, quotes.length);
  }
}

/** A further part: the same plan, account and recipient under the next reference. */
async function splitOff(
  { app, shop, printOrder, recipient }: QuoteScope,
  manager: EntityManager,
  installation: InstallationSecrets,
  lines: PrintOrderLine[],
  chosen: (Chosen | null)[],
): Promise<PrintOrder> {
  const order = await manager.findOneOrFail(StorefrontOrders, {
    where: { id: printOrder.storefrontOrderId },
    lock: { mode: 'for_no_key_update' },
  });
  const part = order.nextPart;
  await manager.update(StorefrontOrders, { id: order.id }, { nextPart: part + 1 });
  const source = {
    installation: installation.code,
    key: installation.referenceKey,
    shop: shop.domain,
    shopifyOrderId: order.shopifyOrderId,
    orderName: order.name,
  };
  const reference = makeReference(source, part, printOrder.printInterface);
  const { shopId, storefrontOrderId, printAccountId, shopifyFulfillmentOrderId } = printOrder;
  const { submitWay, printInterface, legacyHost } = printOrder;
  // Quoted alone it keeps to the class that was chosen for the whole.
  const isExpress = chosen.every((one) => one?.method.type === 'express');
  const shippingClass = isExpress ? recipient.shippingClass : 'normal';
  const { identifiers } = await manager.insert(PrintOrders, {
    shopId,
    storefrontOrderId,
    printAccountId,
    shopifyFulfillmentOrderId,
    submitWay,
    printInterface,
    legacyHost,
    planSha256: hashPlan(lines, recipient.address),
    part,
    reference,
    state: 'planned',
    recipientEncrypted: sealRecipient(app, reference, { ...recipient, shippingClass }),
  });
  const id = String(identifiers[0]?.['id']);
  await manager.update(PrintOrderLines, { id: In(lines.map((line) => line.id)) }, { printOrderId: id });
  return manager.findOneByOrFail(PrintOrders, { id });
}

async function writeQuote(
  scope: QuoteScope,
  manager: EntityManager,
  quote: PortQuote,
  { method, rule, promise }: Chosen,
  quotes: number,
): Promise<void> {
  const { app, shop, storefrontOrder, printOrder, lines, recipient } = scope;
  const { currency, returnAddress } = readSettings(shop);
  const { address, customerReferenceId } = recipient;
  const { shipmentMethodUid } = method;
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
  const offered = quote.shipmentMethods.map(
    ({ shipmentMethodUid: uid, name, type, price, currency: priceCurrency, minDeliveryDate, maxDeliveryDate }) => ({
      uid,
      name,
      type,
      price,
      currency: priceCurrency,
      minDeliveryDate,
      maxDeliveryDate,
    }),
  );
  const of = quotes > 1 ? ` (one of ${quotes} quotes)` : '';
  await changeState(manager, printOrder, {
    to: 'quoted',
    kind: 'quoted',
    message: `${printOrder.reference}: ${method.name ?? shipmentMethodUid} for ${method.price} ${method.currency}${of}, the ${rule}.`,
    data: { quoteId: quote.id, shipmentMethodUid, rule, offered: offered.map(({ uid }) => uid) },
    set: {
      planSha256: hashPlan(lines, address),
      quote: { id: quote.id, fulfillmentCountry: quote.fulfillmentCountry, products: quote.products, offered, rule },
      shipmentMethodUid,
      bodyEncrypted: sealBody(app, printOrder.reference, body),
      bodySha256: hashBody(body),
    },
  });
  await enqueueSubmit(app, manager, printOrder);
}
