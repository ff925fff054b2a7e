import { expect, onTestFinished, test } from 'vitest';
import { PrintOrderLines } from '../../../src/database/entities/print-orders.ts';
import { startService, type ReceivedRequest } from '../../print/servers.ts';
import { startPlaten, type Platen } from '../../helpers/platen.ts';
import { entriesOf, liveOrders, pollPrintOrders, untilSubmitted } from '../submit/earlier-interface.ts';
import { printOrdersOf, untilNoDueJobs } from '../submit/submit-helpers.ts';
import { eventually } from '../../helpers/eventually.ts';

interface Status {
  orderItems: { itemReferenceId: string; status: string }[];
}

/** Starts Platen on v2 behind a proxy that shows only these items as failed. */
async function startWithFailedItems(failed: ReadonlySet<string>): Promise<Platen> {
  let printUrl = '';
  async function forward({ method, url, headers, body }: ReceivedRequest): Promise<{ status: number; text: string }> {
    const kept = { 'content-type': 'application/json', 'x-api-key': String(headers['x-api-key']) };
    const init = { method, headers: kept, ...(body === '' ? {} : { body }) };
    const answer = await fetch(printUrl + url, init);
    const text = await answer.text();
    if (!answer.ok || !url.startsWith('/v2/order/status/')) return { status: answer.status, text };
    const shown = JSON.parse(text) as Status;
    for (const item of shown.orderItems) if (failed.has(item.itemReferenceId)) item.status = 'failed';
    return { status: answer.status, text: JSON.stringify(shown) };
  }
  const { url } = await startService((request, response) => {
    const answer = async (): Promise<void> => {
      const { status, text } = await forward(request);
      response.writeHead(status, { 'content-type': 'application/json' }).end(text);
    };
    // Requests fail until `printUrl` is set.
    answer().catch(() => response.destroy());
  });
  const environment = { PRINT_LEGACY_URL: url };
  const platen = await startPlaten({ advanceSeconds: null, environment, settings: { printInterface: 'v2' } });
  onTestFinished(() => platen.stop());
  printUrl = platen.printUrl;
  return platen;
}

test('a failed item causes one hold that names the item’s SKU, and the other items are fulfilled with their tracking code', async () => {
  const failed = new Set<string>();
  const platen = await startWithFailedItems(failed);
  const order = await platen.placeSkus({ 'MUG-11OZ': 1, 'TSHIRT-M': 2 });
  const printOrder = await untilSubmitted(platen, order);
  const lines = await platen.app.db.manager.findBy(PrintOrderLines, { printOrderId: printOrder.id });
  const itemOf = (sku: string) => lines.find((line) => line.sku === sku)?.itemReferenceId ?? '';
  const [live] = await liveOrders(platen, order);
  const advance = (to: string, more: object = {}) =>
    platen.control('print', 'POST', `/orders/${live?.id}/advance`, { to, ...more });
  const follow = async () => {
    await pollPrintOrders(platen);
    await untilNoDueJobs(platen, order);
  };
  const holds = async () => (await platen.listed(order.id)).holds.map(({ code, message }) => ({ code, message }));
  const ofMug = [{ code: 'service_failed', message: 'The print service reports "failed" for MUG-11OZ.' }];

  failed.add(itemOf('MUG-11OZ'));
  await advance('passed');
  const pollHolds = async () => {
    await follow();
    return holds();
  };
  await eventually(pollHolds).toEqual(ofMug);
  expect(await printOrdersOf(platen, order)).toMatchObject([{ state: 'in_production' }]);

  await advance('shipped', { packages: [{ items: [itemOf('TSHIRT-M')], trackingCode: 'SHIRT-CODE' }] });
  const fulfillments = async () => {
    await follow();
    return (await platen.storeOrder(order.id)).fulfillments;
  };
  await eventually(fulfillments).toMatchObject([
    { lines: [{ sku: 'TSHIRT-M', quantity: 2 }], trackingCodes: ['SHIRT-CODE'] },
  ]);
  await follow();
  expect(await holds()).toEqual(ofMug);
  expect(await entriesOf(platen, printOrder, 'item_failed')).toHaveLength(1);
});
