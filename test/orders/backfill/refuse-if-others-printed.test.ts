import { afterEach, beforeEach, expect, test } from 'vitest';
import { Shops, type Shop } from '../../../src/database/entities/shops.ts';
import { refuseIfOthersPrinted } from '../../../src/orders/backfill/refuse-if-others-printed.ts';
import { openScriptedPrint, type ScriptedPrint } from '../../faults/scripted-print.ts';

let print: ScriptedPrint;
let shop: Shop;
beforeEach(async () => {
  print = await openScriptedPrint();
  [shop] = (await print.app.db.manager.find(Shops)) as [Shop];
});
afterEach(() => print.close());

const SINCE = new Date(Date.now() - 86_400_000);
const RECORDS = 100;

/** Makes the service return this many pages of orders that Platen did not create and that belong to no store. */
function answerPages(pages: number): void {
  let made = 0;
  print.answer = (_, { offset = 0 }) => {
    const orders = Array.from({ length: offset < pages * RECORDS ? RECORDS : 0 }, () => ({
      id: `order-${(made += 1)}`,
      orderReferenceId: `by-hand-${made}`,
      orderType: 'order',
      fulfillmentStatus: 'created',
      channel: 'api',
    }));
    return { body: JSON.stringify({ orders }) };
  };
}

test('a backfill is refused if the account has more orders than Platen checks', async () => {
  answerPages(2);
  await refuseIfOthersPrinted(print.app, shop, SINCE);
  answerPages(60);
  const refused = refuseIfOthersPrinted(print.app, shop, SINCE);
  await expect(refused).rejects.toMatchObject({
    code: 'another_app_printed',
    message: expect.stringMatching(/more than 5000 orders .*--beside-other-app/),
  });
}, 60_000);
