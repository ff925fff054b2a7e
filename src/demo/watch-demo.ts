import type { App } from '../app.ts';
import type { DemoOrder } from '../../sandbox/demo.ts';

const WATCH_MS = 500;

/** Places the demo orders in a store that has none. */
export async function placeDemo(storeUrl: string, writeLine: (line: string) => void): Promise<void> {
  const { placeDemoOrders, readStoreOrders } = await import('../../sandbox/demo.ts');
  const existing = await readStoreOrders(storeUrl);
  if (existing.length > 0)
    writeLine(`The store already has ${existing.length} orders. Platen continues with these orders.`);
  else writeLine(`Placed ${(await placeDemoOrders(storeUrl)).map(({ name }) => name).join(', ')}.`);
}

/**
 * Reports each order once all its printed lines have tracking codes in the store, except orders that already had them. Runs until the
 * signal is aborted.
 */
export async function watchDemo(
  app: App,
  storeUrl: string,
  writeLine: (line: string) => void,
  signal: AbortSignal,
): Promise<void> {
  const { isTracked, readDemoVariants, readStoreOrders } = await import('../../sandbox/demo.ts');
  try {
    const existing = await readStoreOrders(storeUrl);
    const printed = new Set((await readDemoVariants(storeUrl)).map(({ sku }) => sku));
    const reported = new Set(existing.filter((order) => isTracked(order, printed)).map(({ id }) => id));
    while (!signal.aborted) {
      const arrived = (await readStoreOrders(storeUrl)).filter(
        (order) => !reported.has(order.id) && isTracked(order, printed),
      );
      const finished: DemoOrder[] = [];
      for (const order of arrived) if (await isFinished(app, order.id)) finished.push(order);
      // Waits so that the order's steps are shown first.
      await app.clock.sleep(WATCH_MS, signal).catch(() => undefined);
      for (const order of finished) {
        reported.add(order.id);
        describeOrder(order).forEach(writeLine);
      }
    }
  } catch (error) {
    if (!signal.aborted) app.log.error({ error }, 'the demo orders could not be watched');
  }
}

async function isFinished(app: App, shopifyOrderId: string): Promise<boolean> {
  const [row]: { finished: boolean }[] = await app.db.query(
    `select not exists (select from print_orders p join storefront_orders o on o.id = p.storefront_order_id
       where o.shopify_order_id = $1 and p.fenced_at is null and p.state <> 'fulfilled') as finished`,
    [shopifyOrderId],
  );
  return row?.finished ?? false;
}

function describeOrder(order: DemoOrder): string[] {
  return order.fulfillments.map(({ lines, trackingCodes, trackingUrls }) => {
    const what = lines.map(({ sku, quantity }) => `${quantity} × ${sku}`).join(', ');
    return `>> ${order.name} in the store: ${what} shipped with ${trackingCodes.join(', ')} ${trackingUrls.join(' ')}`;
  });
}
