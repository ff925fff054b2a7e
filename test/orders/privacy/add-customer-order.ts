import { randomUUID } from 'node:crypto';
import type { App } from '../../../src/app.ts';
import { Deliveries } from '../../../src/database/entities/deliveries.ts';
import { Holds, type StorefrontOrder } from '../../../src/database/entities/orders.ts';
import {
  PrintOrderLines,
  PrintOrders,
  ServiceOrders,
  type PrintOrder,
} from '../../../src/database/entities/print-orders.ts';
import type { Shop } from '../../../src/database/entities/shops.ts';
import type { PrintOrderBody } from '../../../src/print/port.ts';
import {
  decryptBody,
  decryptRecipient,
  sealBody,
  sealRecipient,
  type Recipient,
} from '../../../src/orders/facts/recipient-column.ts';
import { addOrder, addPrintOrder } from '../add-rows.ts';

export interface OrderOf {
  order: StorefrontOrder;
  printOrder: PrintOrder;
}

/** Returns the recipient of an order placed by a person called `name`. */
export function recipientOf(name: string): Recipient {
  const address = {
    firstName: name,
    lastName: `Last${name}`,
    addressLine1: `1 ${name} Street`,
    city: `${name}ville`,
    postCode: '11203',
    country: 'US',
    email: `${name.toLowerCase()}@person.example`,
    phone: '+12015550123',
  };
  const changes = [{ field: 'addressLine1', from: `1  ${name} Street`, to: address.addressLine1, why: 'spaces' }];
  return {
    address,
    changes,
    customerReferenceId: 'demo-guest',
    shippingLines: [],
    productTags: {},
    fileUrls: { 'gid://shopify/LineItem/1': `https://files.example/${name}.pdf` },
    shippingWay: null,
  };
}

/**
 * Adds an order of a person with one print order in the given state, as Platen would store them. Also adds an event of the print service
 * about the print order, and a hold whose message repeats the person's name.
 */
export async function addCustomerOrder(
  app: App,
  shop: Shop,
  name: string,
  number: number,
  changes: Partial<PrintOrder> = {},
): Promise<OrderOf> {
  const { manager } = app.db;
  const shopifyOrderId = `gid://shopify/Order/${number}`;
  const order = await addOrder(app, shop, { shopifyOrderId, name: `#${number}`, outcome: 'planned' });
  const reference = `plabcd-${shop.id}-${number}-1-abcdefghijkl`;
  const { address, customerReferenceId } = recipientOf(name);
  const body = {
    orderReferenceId: reference,
    customerReferenceId,
    currency: 'USD' as const,
    items: [],
    shippingAddress: address,
    shipmentMethodUid: 'normal',
    metadata: [],
  };
  const printOrder = await addPrintOrder(app, order, {
    printAccountId: shop.printAccountId,
    reference,
    planSha256: 'plan',
    bodySha256: 'body',
    recipientEncrypted: sealRecipient(app, reference, recipientOf(name)),
    bodyEncrypted: sealBody(app, reference, body),
    ...changes,
  });
  const printOrderId = printOrder.id;
  const { printAccountId, serviceOrderId } = printOrder;
  await Promise.all([
    manager.insert(PrintOrderLines, {
      printOrderId,
      itemReferenceId: '1',
      shopifyLineItemId: `gid://shopify/LineItem/${number}`,
      productUid: 'poster',
      quantity: 1,
    }),
    serviceOrderId !== null &&
      printAccountId !== null &&
      manager.insert(ServiceOrders, { printOrderId, printAccountId, serviceOrderId, role: 'chosen' }),
    manager.insert(Holds, {
      shopId: shop.id,
      storefrontOrderId: order.id,
      printOrderId,
      code: 'create_refused',
      field: 'firstName',
      message: `The print service refused it. It says: ${name} is not allowed.`,
    }),
    addEvent(app, shop, printOrder, name),
  ]);
  return { order, printOrder };
}

/** Adds a handled event of the print service about a print order, received at the address of `shop`. The event repeats the name. */
export async function addEvent(app: App, shop: Shop, { reference }: PrintOrder, name: string): Promise<void> {
  await app.db.manager.insert(Deliveries, {
    source: 'print',
    shopId: shop.id,
    dedupeKey: randomUUID(),
    topic: 'order_status_updated',
    bodySha256: '0',
    body: { event: 'order_status_updated', orderReferenceId: reference, comment: `for ${name}` } as never,
    receivedAt: app.clock.now(),
    handledAt: app.clock.now(),
    result: 'handled',
  });
}

/** Returns every row of every table as text, including the queue: everything that someone who steals the database could read. */
export async function dumpTables(app: App): Promise<string> {
  const tables: { name: string }[] = await app.db.query(
    `select format('%I.%I', table_schema, table_name) as name from information_schema.tables
     where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema') order by 1`,
  );
  const dumped: string[] = [];
  for (const { name } of tables) {
    const rows: { row: string }[] = await app.db.query(`select t::text as row from ${name} t`);
    dumped.push(...rows.map(({ row }) => `${name} ${row}`));
  }
  return dumped.join('\n');
}

/** Returns the decrypted personal data of the print orders of one shop, or of all shops. */
export async function decryptPersonalData(app: App, shop?: Pick<Shop, 'id'>): Promise<(Recipient | PrintOrderBody)[]> {
  const printOrders = await app.db.manager.find(PrintOrders, {
    where: shop ? { shopId: shop.id } : {},
    order: { id: 'ASC' },
  });
  return printOrders.flatMap((printOrder) => [
    ...(printOrder.recipientEncrypted === null ? [] : [decryptRecipient(app, printOrder)]),
    ...(printOrder.bodyEncrypted === null ? [] : [decryptBody(app, printOrder)]),
  ]);
}

/** Returns the content of the whole database, with encrypted data decrypted. */
export async function readEverything(app: App): Promise<string> {
  return `${await dumpTables(app)}\n${JSON.stringify(await decryptPersonalData(app))}`;
}
