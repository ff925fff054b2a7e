import type { App } from '../../../src/app.ts';
import { OrderSales, PrintReceipts } from '../../../src/database/entities/costs.ts';
import type { Shop } from '../../../src/database/entities/shops.ts';
import { addCustomerOrder } from '../privacy/add-customer-order.ts';

/**
 * Adds an order with one line of 20.00 and 5.00 for shipping, confirmed at the service at this time or at noon on this day of November. A
 * total of null means that the service has not shown a receipt yet.
 */
export async function addCosts(
  app: App,
  of: Shop,
  number: number,
  total: number | null,
  at: number | Date,
  currency = 'USD',
): Promise<void> {
  const { manager } = app.db;
  const { order, printOrder } = await addCustomerOrder(app, of, 'Ada', number, {
    state: 'submitted',
    serviceOrderId: `service-${number}`,
    confirmedAt: typeof at === 'number' ? new Date(Date.UTC(2026, 10, at, 12)) : at,
    quote: { chosen: { price: 4.5, currency }, products: [{ price: 7.5, currency }] },
  });
  const sale = {
    currency,
    lines: [
      {
        lineItemId: `gid://shopify/LineItem/${number}`,
        units: 1,
        paid: '20.00',
        unitPrice: '20.00',
        requiresShipping: true,
      },
    ],
    shipping: '5.00',
    adjustment: '0.00',
    tax: '2.00',
    refunded: '0.00',
  };
  await manager.insert(OrderSales, { storefrontOrderId: order.id, sale, mark: '', readAt: new Date() });
  if (total === null) return;
  await manager.insert(PrintReceipts, {
    printOrderId: printOrder.id,
    receiptId: 'r1',
    serviceOrderId: `service-${number}`,
    receipt: { transactionType: 'purchase', currency, productsPrice: total, total, totalVat: 0, totalInclVat: total },
    billingEntity: { companyName: 'Merchant', recipientName: 'Grace Hopper', email: 'grace@merchant.example' } as never,
    seenAt: new Date(),
  });
}
