import { afterAll, beforeAll, expect, test } from 'vitest';
import { StorefrontOrders } from '../../../src/database/entities/orders.ts';
import { SubmitAttempts } from '../../../src/database/entities/print-orders.ts';
import { showOrder } from '../../../src/orders/manual-actions/show-order.ts';
import { toTasks } from '../../../src/tasks.ts';
import { openTestShop, type TestShop } from '../../shipments/test-shop.ts';
import { buyPlanned } from '../waits/buy-planned.ts';

let shop: TestShop;
beforeAll(async () => void (shop = await openTestShop()));
afterAll(() => shop.close());

/** The message that the stand-in returns with an injected error. */
const WORDS = 'The request failed.';

test.each([
  ['draft', 423],
  ['draft', 409],
  ['direct', 423],
  ['direct', 409],
])(
  "if a create request (%s) fails with the status %i, the order and any later hold show the service's message",
  async (submit, status) => {
    const { app } = shop;
    await shop.inPrint('/reset', {});
    await shop.set({ submit });
    const { storefrontOrder, printOrder } = await buyPlanned(shop);
    const tasks = toTasks(app);
    await tasks.quote_order({ storefrontOrderId: storefrontOrder.id });
    await shop.inPrint('/faults', [{ method: 'POST', path: '/v3/orders', rate: 1, kind: 'status', status }]);
    const run = () => tasks.submit_print_order({ printOrderId: printOrder.id });
    const shown = async () =>
      showOrder(app, await app.db.manager.findOneByOrFail(StorefrontOrders, { id: storefrontOrder.id }));
    await run();
    const attempts = { printOrderId: printOrder.id };
    expect(await app.db.manager.findBy(SubmitAttempts, attempts)).toMatchObject([{ outcome: 'unclear' }]);
    expect((await shown()).waits.map(({ message }) => message)).toContainEqual(expect.stringContaining(WORDS));
    // The service created nothing, but the timeline records the attempt.
    const doing = submit === 'draft' ? 'creates a draft at the print service' : 'sends the order';
    expect((await shown()).timeline.map(({ message }) => message)).toContain(
      `${printOrder.reference}: Platen ${doing} (attempt 1).`,
    );
    for (let tries = 2; tries <= 4; tries += 1) await run();
    shop.later(16 * 60);
    await run();
    expect((await shown()).holds.map(({ message }) => message)).toContainEqual(expect.stringContaining(WORDS));
  },
);
