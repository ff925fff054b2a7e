import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { StorefrontOrders, TimelineEntries, type TimelineEntry } from '../../../src/database/entities/orders.ts';
import { PrintLinks } from '../../../src/database/entities/products.ts';
import { startPlaten, type Platen, type PlacedOrder } from '../../helpers/platen.ts';
import { liveOrders, placePoster, untilSubmitted } from './earlier-interface.ts';
import {
  attemptsOf,
  runSubmitJobsNow,
  injectFaults,
  printOrdersOf,
  untilPrintOrder,
  untilNoDueJobs,
} from './submit-helpers.ts';
import { eventually } from '../../helpers/eventually.ts';

const QUICK = { PRINT_TIMEOUT_SECONDS: '1', SUBMIT_DEADLINE_SECONDS: '0.5', SUBMIT_QUIET_SECONDS: '3' };

const fault = (printInterface: string, call: string) => ({ path: `/${printInterface}/${call}`, rate: 1 });

async function timelineOf({ app }: Platen, { id }: PlacedOrder): Promise<TimelineEntry[]> {
  const { id: storefrontOrderId } = await app.db.manager.findOneByOrFail(StorefrontOrders, { shopifyOrderId: id });
  return app.db.manager.find(TimelineEntries, { where: { storefrontOrderId }, order: { id: 'ASC' } });
}

describe.each(['v2', 'v1'] as const)('the interface %s', (printInterface) => {
  let platen: Platen;

  beforeAll(async () => {
    platen = await startPlaten({ advanceSeconds: null, environment: QUICK, settings: { printInterface } });
  });
  afterAll(() => platen.stop());
  afterEach(() => injectFaults(platen, []));

  test('if a create request loses its connection, Platen finds the order by its status and does not send it again', async () => {
    await injectFaults(platen, [{ ...fault(printInterface, 'order/create'), times: 1, kind: 'reset', effect: 'done' }]);
    const order = await placePoster(platen);
    const confirmed = async () => {
      await runSubmitJobsNow(platen, order);
      return (await printOrdersOf(platen, order))[0]?.confirmedAt;
    };
    await eventually(confirmed).toBeInstanceOf(Date);
    expect(await attemptsOf(platen, order)).toMatchObject([{ outcome: 'unclear' }]);
    expect(await liveOrders(platen, order)).toHaveLength(1);
  });

  test('the service’s production log is copied to the timeline once', async () => {
    const order = await placePoster(platen);
    const { id, storefrontOrderId } = await untilSubmitted(platen, order);
    const [live] = await liveOrders(platen, order);
    await platen.control('print', 'POST', `/orders/${live?.id}/advance`, { to: 'printed' });
    const countEntries = async () =>
      (await timelineOf(platen, order)).filter(({ kind }) => kind === 'production_log').length;
    await eventually(countEntries).toBeGreaterThan(1);
    await untilNoDueJobs(platen, order);
    const before = await countEntries();
    await platen.app.jobs.enqueue(platen.app.db, 'follow_print_order', { printOrderId: id }, { storefrontOrderId });
    await eventually(() =>
      platen.app.db.query(`select 1 from graphile_worker.jobs where key = $1`, [`follow:${id}`]),
    ).toEqual([]);
    expect(await countEntries()).toBe(before);
  });

  test('an order whose quote is refused is held', async () => {
    await injectFaults(platen, [{ ...fault(printInterface, 'quote'), times: 1, kind: 'status', status: 400 }]);
    const order = await placePoster(platen);
    const { holds } = await platen.untilState(order.id, 'held');
    expect(holds).toMatchObject([{ code: 'quote_refused' }]);
  });

  test('an order canceled in the store is canceled at the service if the interface can cancel orders', async () => {
    const order = await placePoster(platen);
    await untilSubmitted(platen, order);
    await platen.control('store', 'POST', `/orders/${encodeURIComponent(order.id)}/cancel`, {});
    if (printInterface === 'v1') {
      await eventually(() => liveOrders(platen, order)).toEqual([]);
      await untilPrintOrder(platen, order, ({ fencedAt }) => fencedAt !== null);
    } else {
      const codes = async () => (await platen.listed(order.id)).holds.map(({ code }) => code);
      await eventually(codes).toEqual(['cannot_cancel']);
      expect(await liveOrders(platen, order)).toHaveLength(1);
    }
  });

  test('a print link’s envelopes are ordered, or reported as left out if the interface lacks envelopes', async () => {
    const envelopes = { envelopeProductUid: 'blank-envelopes_pf_a7-env_pt_120-g-env', envelopesPerPiece: 10 };
    await platen.app.db.manager.update(PrintLinks, { sku: 'CARDS' }, envelopes);
    const order = await platen.placeSkus({ CARDS: 2 });
    await untilSubmitted(platen, order);
    const kinds = (await timelineOf(platen, order)).map(({ kind }) => kind);
    expect(kinds.includes('envelopes_left_out')).toBe(printInterface === 'v1');
    const lines = await platen.app.db.query(
      `select envelope_product_uid, envelope_quantity from print_order_lines l join print_orders p on p.id = l.print_order_id where p.reference = $1`,
      [(await printOrdersOf(platen, order))[0]?.reference],
    );
    expect(lines).toEqual([{ envelope_product_uid: envelopes.envelopeProductUid, envelope_quantity: 20 }]);
  });

  test('orders submitted to the test host do not appear on the live host', async () => {
    const settings = { legacyHost: 'test' };
    await platen.app.db.manager.query(`update shops set settings = settings || $1 where id = $2`, [
      JSON.stringify(settings),
      platen.shop.id,
    ]);
    const order = await placePoster(platen);
    const printOrder = await untilSubmitted(platen, order);
    expect(printOrder.legacyHost).toBe('test');
    expect(await liveOrders(platen, order)).toEqual([]);
    await platen.app.db.manager.query(`update shops set settings = settings - 'legacyHost' where id = $1`, [
      platen.shop.id,
    ]);
  });
});
