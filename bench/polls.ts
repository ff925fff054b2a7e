import type { PrintRecord } from '../test/chaos/books/read-books.ts';
import { printedVariants } from '../test/chaos/orders/catalog.ts';
import { say } from '../test/chaos/say.ts';
import { copyOrders } from './copy-orders.ts';
import { countConfirmed, placeOrder, placeOrders, untilCount, untilFulfilled, untilStill } from './orders.ts';
import { measurePass, type PassCost } from './passes.ts';
import { openShops, type BenchShop } from './shops.ts';
import { openStage, type Stage } from './stage.ts';

/** The cost of polls that check many orders: when nothing has changed, and when a few orders have changed. */
interface Polls {
  printOrders: { open: number; changed: number; nothingChanged: PassCost; someChanged: PassCost };
  storefrontOrders: { stored: number; changed: number; nothingChanged: PassCost; someChanged: PassCost };
}

const OPEN = 10_000;
/** Stored storefront orders for each open print order. */
const STORED_PER_OPEN_ORDER = 10;
const CHANGED = 50;
const CONCURRENCY = 8;

/** Measures both polls on a separate stage, where no webhook reports the changes. */
export async function measurePolls(orders = OPEN): Promise<Polls> {
  const stage = await openStage({ advanceSeconds: null });
  try {
    const shops = await stage.withApp((app) => openShops(stage, app, 'polls', 3));
    const [printing, finished, changing] = shops;
    if (!printing || !finished || !changing) throw new Error('There are no shops.');
    const app = await stage.startApp('all');
    const changed = Math.min(CHANGED, orders);
    say('polls: orders that are changed later');
    await finishOrder(stage, finished);
    await placeConfirmed(stage, printing, 1);
    const toChange = await placeConfirmed(stage, changing, changed);
    say(`polls: ${orders} open print orders`);
    const serviceOrderIds = await bookPrintOrders(stage, printing, orders);
    await copyOrders(stage, { from: printing.id, copies: orders, to: [printing.id], serviceOrderIds });
    const stored = orders * STORED_PER_OPEN_ORDER;
    await copyOrders(stage, { from: finished.id, copies: stored, to: [finished.id], start: orders });
    await stage.query('vacuum (analyze)');
    await stage.control('print', 'POST', '/webhooks', { drop: 1 });
    await stage.control('store', 'POST', '/webhooks', { drop: 1 });

    say('polls: nothing has changed');
    // The first pass of each poll reads the orders that have not been read yet, so it is not measured.
    await measurePass(stage, app, 'catch_up_print_orders');
    await measurePass(stage, app, 'catch_up_storefront_orders');
    const unchangedPrints = await measurePass(stage, app, 'catch_up_print_orders');
    const unchangedOrders = await measurePass(stage, app, 'catch_up_storefront_orders');
    say(`polls: ${changed} have changed`);
    for (const id of serviceOrderIds.slice(0, changed))
      await stage.control('print', 'POST', `/orders/${id}/advance`, { to: 'passed' });
    const changedPrints = await measurePass(stage, app, 'catch_up_print_orders');
    for (const id of toChange)
      await stage.control('store', 'POST', `/orders/${encodeURIComponent(id)}/risk`, { risk: 'medium' });
    const changedOrders = await measurePass(stage, app, 'catch_up_storefront_orders');
    return {
      printOrders: { open: orders, changed, nothingChanged: unchangedPrints, someChanged: changedPrints },
      storefrontOrders: { stored, changed, nothingChanged: unchangedOrders, someChanged: changedOrders },
    };
  } finally {
    await stage.close();
  }
}

/** Places one order in the shop and waits until it has been printed, shipped and fulfilled. */
async function finishOrder(stage: Stage, shop: BenchShop): Promise<void> {
  await placeOrder(stage, shop, 'Finished');
  await untilCount(() => countConfirmed(stage, [shop]), 1);
  const printed = (await stage.control('print', 'GET', '/orders')) as PrintRecord[];
  const order = printed.find(({ orderType }) => orderType === 'order');
  await stage.control('print', 'POST', `/orders/${order?.id}/advance`, { to: 'shipped' });
  await untilFulfilled(stage, '0', 1);
  await untilStill(stage);
}

/** Places orders in the shop that stay unchanged once they are confirmed. Returns their IDs in the store. */
async function placeConfirmed(stage: Stage, shop: BenchShop, count: number): Promise<string[]> {
  const placed = await placeOrders(stage, [shop], { count, prefix: `Open${shop.id}x` });
  await untilCount(() => countConfirmed(stage, [shop]), count);
  await untilStill(stage);
  return placed.map(({ id }) => id);
}

/** Creates orders only in the print service's books, for the shop's account. Returns their IDs at the service. */
async function bookPrintOrders(stage: Stage, shop: BenchShop, count: number): Promise<string[]> {
  const [variant] = printedVariants;
  const ids: string[] = [];
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < count) {
      const number = next++;
      const item = { itemReferenceId: '1', productUid: variant?.productUid, quantity: 1 };
      const order = {
        orderReferenceId: `booked-${number}`,
        customerReferenceId: 'bench',
        currency: 'EUR',
        items: [{ ...item, fileUrl: 'https://files.example/print.pdf' }],
        shippingAddress: ADDRESS,
      };
      const booked = await stage.control('print', 'POST', '/orders', { key: shop.printKey, order });
      ids.push((booked as { id: string }).id);
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, worker));
  return ids;
}

const ADDRESS = {
  firstName: 'Marigold',
  lastName: 'Booked',
  addressLine1: 'Invalidenstr. 44',
  city: 'Berlin',
  postCode: '10115',
  country: 'DE',
  email: 'booked@example.com',
};
