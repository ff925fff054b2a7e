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
import type { QuoteResponse } from '../print/orders-v4.ts';
import { readInstallation, type InstallationSecrets } from '../shops/installation.ts';
import { openPrintAccount } from '../shops/print-account.ts';
import { readSettings } from '../shops/settings.ts';
import { answerPrintError } from './answer-print-error.ts';
import { changeState } from './change-state.ts';
import { chooseShipping, type ChosenMethod } from './choose-shipping.ts';
import { enqueueSubmit } from './enqueue-submit.ts';
import { hashBody } from './hash-body.ts';
import { hashPlan } from './hash-plan.ts';
import { holdPrintOrder } from './hold-print-order.ts';
import { makeReference } from './make-reference.ts';
import { openRecipient, sealBody, sealRecipient, type Recipient } from './recipient-column.ts';
import { toCreateRequest } from './to-create-request.ts';
import { toQuoteRequest } from './to-quote-request.ts';

type Quote = QuoteResponse['quotes'][number];

/** What quoting one print order works on. */
interface QuoteScope {
  app: App;
  shop: Shop;
  storefrontOrder: StorefrontOrder;
  printOrder: PrintOrder;
  lines: PrintOrderLine[];
  recipient: Recipient;
}

/**
 * Asks the print service for the price and shipping of each planned print order of a storefront order and chooses a method.
 * Several quotes make several print orders: the first keeps the reference, the others get the next parts.
 */
export async function quoteStorefrontOrder(
  app: App,
  { storefrontOrderId }: { storefrontOrderId: string },
): Promise<void> {
  const { manager } = app.db;
  const storefrontOrder = await manager.findOneBy(StorefrontOrders, { id: storefrontOrderId });
  const shop = storefrontOrder && (await manager.findOneBy(Shops, { id: storefrontOrder.shopId }));
  if (!storefrontOrder || shop?.state !== 'installed') return;
  const planned = await manager.findBy(PrintOrders, { storefrontOrderId, state: 'planned', closedAt: IsNull() });
  for (const printOrder of planned) {
    const lines = await manager.find(PrintOrderLines, { where: { printOrderId: printOrder.id }, order: { id: 'ASC' } });
    await quoteOne({ app, shop, storefrontOrder, printOrder, lines, recipient: openRecipient(app, printOrder) });
  }
}

async function quoteOne(scope: QuoteScope): Promise<void> {
  const { app, shop, storefrontOrder, printOrder, lines, recipient } = scope;
  if (printOrder.printAccountId === null) return;
  const { service } = await openPrintAccount(app, printOrder.printAccountId);
  const { currency } = readSettings(shop);
  const { address, customerReferenceId } = recipient;
  let answer: QuoteResponse;
  try {
    answer = await service.quote(
      toQuoteRequest({ printOrder, lines, recipient: address, customerReferenceId, currency }),
    );
  } catch (error) {
    const again = (manager: EntityManager, runAt: Date): Promise<void> =>
      app.jobs.enqueue(
        manager,
        'quote_order',
        { storefrontOrderId: storefrontOrder.id },
        { queue: `order:${storefrontOrder.id}`, key: `quote:${storefrontOrder.id}`, runAt },
      );
    return answerPrintError(app, printOrder, error, { refused: 'quote_refused', again });
  }
  const chosen = chooseMethods(answer.quotes, recipient);
  const fault = findFault(answer.quotes, chosen, lines);
  const installation = await readInstallation(app);
  await app.db.transaction(async (manager) => {
    if (fault)
      return holdPrintOrder(manager, printOrder, {
        code: 'no_shipment_method',
        field: fault.field,
        message: fault.message,
      });
    await writeQuotes(scope, manager, installation, answer.quotes, chosen);
  });
}

function chooseMethods(quotes: Quote[], { shippingClass, address }: Recipient): (ChosenMethod | null)[] {
  const wish = { class: shippingClass, isBusiness: address.isBusiness ?? false };
  return chooseShipping(
    quotes.map(({ shipmentMethods }) => shipmentMethods),
    wish,
  );
}

/** A quote must offer a way to ship, and the quotes together must hold each line once. */
function findFault(
  quotes: Quote[],
  chosen: (ChosenMethod | null)[],
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
  return null;
}

/** One transaction writes all parts: the first quote stays with this print order, each further one becomes a part of its own. */
async function writeQuotes(
  scope: QuoteScope,
  manager: EntityManager,
  installation: InstallationSecrets,
  quotes: Quote[],
  chosen: (ChosenMethod | null)[],
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
    const printOrder = index === 0 ? current : await splitOff(scope, manager, installation, lines);
    await writeQuote({ ...scope, printOrder, lines }, manager, quote, method, quotes.length);
  }
}

/** A further part: the same plan, account and recipient under the next reference. */
async function splitOff(
  { app, shop, printOrder, recipient }: QuoteScope,
  manager: EntityManager,
  installation: InstallationSecrets,
  lines: PrintOrderLine[],
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
  const reference = makeReference(source, part);
  const { shopId, storefrontOrderId, printAccountId, shopifyFulfillmentOrderId, submitWay, planSha256 } = printOrder;
  const { identifiers } = await manager.insert(PrintOrders, {
    shopId,
    storefrontOrderId,
    printAccountId,
    shopifyFulfillmentOrderId,
    submitWay,
    planSha256,
    part,
    reference,
    state: 'planned',
    recipientEncrypted: sealRecipient(app, reference, recipient),
  });
  const id = String(identifiers[0]?.['id']);
  await manager.update(PrintOrderLines, { id: In(lines.map((line) => line.id)) }, { printOrderId: id });
  return manager.findOneByOrFail(PrintOrders, { id });
}

async function writeQuote(
  scope: QuoteScope,
  manager: EntityManager,
  quote: Quote,
  { method, rule }: ChosenMethod,
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
