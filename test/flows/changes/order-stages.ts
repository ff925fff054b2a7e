import type { PrintOrder } from '../../../src/database/entities/print-orders.ts';
import { changeSettings } from '../../../src/shops/settings/settings.ts';
import { untilIdle } from '../../helpers/until-idle.ts';
import type { Platen, PlacedOrder, PrintedOrder } from '../../helpers/platen.ts';
import { atService, injectFaults, printOrdersOf } from '../submit/submit-helpers.ts';
import { eventually } from '../../helpers/eventually.ts';

/** A stage of an order at which a test makes a change, such as an uninstall. */
export interface Stage {
  name: string;
  settings?: Record<string, unknown>;
  /** Faults of the print stand-in that keep the order at this stage. */
  faults?: object[];
  /** The status to advance the order to at the print service. */
  advanceTo?: string;
  /** Whether the order has reached this stage. */
  isReached: (printOrder: PrintOrder | undefined) => boolean;
  /** Faults to inject once the order has reached this stage, for the request that turns the draft into an order. */
  thenFaults?: object[];
  /** The service's data at this stage: nothing printable, an order, or an order that Platen does not know about. */
  service: 'nothing' | 'order' | 'unknown order';
}

const unavailable = (method: string, path: string) => ({ method, path, kind: 'status', status: 503, rate: 1 });
const lost = (method: string, path: string) => ({ method, path, kind: 'reset', effect: 'done', rate: 1 });
const SEARCH = unavailable('POST', '/v4/orders:search');

/** Every stage of an order, from its first reading to tracking codes that are not yet pushed. */
export const stages: Stage[] = [
  {
    name: 'waiting for the delay',
    settings: { delayMinutes: 60 },
    isReached: (printOrder) => printOrder === undefined,
    service: 'nothing',
  },
  {
    name: 'planned',
    faults: [unavailable('POST', '/v4/orders:quote')],
    isReached: (printOrder) => printOrder?.state === 'planned',
    service: 'nothing',
  },
  {
    name: 'quoted',
    faults: [SEARCH],
    isReached: (printOrder) => printOrder?.state === 'quoted',
    service: 'nothing',
  },
  {
    name: 'with a draft whose create response was lost',
    faults: [lost('POST', '/v3/orders')],
    isReached: (printOrder) => printOrder?.state === 'submitting',
    service: 'nothing',
  },
  {
    name: 'with a draft that was not confirmed',
    faults: [{ method: 'PATCH', path: '/v4/orders/', kind: 'status', status: 422, rate: 1 }],
    isReached: (printOrder) => printOrder?.serviceOrderId !== null && printOrder?.state === 'held',
    service: 'nothing',
  },
  {
    name: 'with an unfinished confirm request that failed',
    faults: [unavailable('PATCH', '/v4/orders/')],
    isReached: (printOrder) => Boolean(printOrder?.confirmStartedAt),
    service: 'nothing',
  },
  {
    name: 'with an unfinished confirm request that succeeded',
    faults: [unavailable('PATCH', '/v4/orders/')],
    isReached: (printOrder) => Boolean(printOrder?.confirmStartedAt),
    thenFaults: [lost('PATCH', '/v4/orders/'), unavailable('GET', '/v4/orders/'), { searchLagMs: 3_600_000 }],
    service: 'unknown order',
  },
  {
    name: 'sent directly without effect, with a lost response',
    settings: { submit: 'direct' },
    faults: [{ method: 'POST', path: '/v3/orders', kind: 'reset', effect: 'none', rate: 1 }],
    isReached: (printOrder) => printOrder?.state === 'uncertain',
    service: 'nothing',
  },
  {
    name: 'sent directly and created, with a lost response',
    settings: { submit: 'direct' },
    faults: [lost('POST', '/v3/orders'), { searchLagMs: 3_600_000 }],
    isReached: (printOrder) => printOrder?.state === 'uncertain',
    service: 'unknown order',
  },
  { name: 'submitted', isReached: (printOrder) => printOrder?.state === 'submitted', service: 'order' },
  {
    name: 'in production',
    advanceTo: 'printed',
    isReached: (printOrder) => printOrder?.state === 'in_production',
    service: 'order',
  },
  {
    name: 'shipped, with tracking codes not yet pushed',
    settings: { gatherSeconds: 3600 },
    advanceTo: 'shipped',
    isReached: (printOrder) => printOrder?.state === 'shipped',
    service: 'order',
  },
];

const USUAL = { delayMinutes: 0, gatherSeconds: 0, submit: 'draft' };

/** Places an order and brings it to a stage. The faults that stop it there remain active. */
export async function placeAtStage(platen: Platen, stage: Stage): Promise<PlacedOrder> {
  await changeSettings(platen.app, platen.shop, stage.settings ?? {});
  await injectFaults(platen, stage.faults ?? []);
  const order = await platen.placeSkus({ 'POSTER-30X40': 1 });
  await eventually(() =>
    platen.listed(order.id).then(
      ({ name }) => name,
      () => null,
    ),
  ).toBe(order.name);
  const reached = async (): Promise<boolean> => stage.isReached((await printOrdersOf(platen, order))[0]);
  if (stage.advanceTo) {
    await eventually(() => printedOnce(platen, order)).toHaveLength(1);
    await untilIdle(platen.app);
    await advance(platen, order, stage.advanceTo);
  }
  await eventually(reached).toBe(true);
  if (stage.thenFaults) {
    await injectFaults(platen, stage.thenFaults);
    const isMade = async (): Promise<number> => {
      await runScheduledJobs(platen, 1);
      return (await printedOnce(platen, order)).length;
    };
    await eventually(isMade).toBe(1);
  }
  if (stage.advanceTo === 'shipped') await eventually(() => hasTrackingCodes(platen)).toBe(true);
  return order;
}

/** Removes the faults and settings that stopped orders at a stage. */
export async function clearStage(platen: Platen): Promise<void> {
  await injectFaults(platen, [{ searchLagMs: 0 }]);
  await changeSettings(platen.app, platen.shop, USUAL);
}

/** Advances all print orders that the service has for a storefront order. */
export async function advance(platen: Platen, order: PlacedOrder, to: string): Promise<void> {
  for (const { id } of await printedOnce(platen, order))
    await platen.control('print', 'POST', `/orders/${id}/advance`, { to });
}

/**
 * Returns the print service's orders for an order of the demo shop. Excludes other shops' orders, because their order names may be the
 * same.
 */
export async function printedOnce(platen: Platen, { name }: PlacedOrder): Promise<PrintedOrder[]> {
  return (await platen.printedFor(name)).filter(({ metadata }) =>
    metadata.some(({ value }) => value === platen.shop.domain),
  );
}

async function hasTrackingCodes({ app }: Platen): Promise<boolean> {
  const rows: unknown[] = await app.db.query(
    'select from packages where confirmed_at is not null and pushed_at is null',
  );
  return rows.length > 0;
}

/**
 * Returns the service's data about an order as a string. Each create, confirm, cancel or delete request changes the string, so tests can
 * compare strings to detect requests.
 */
export async function readServiceState(platen: Platen, order: PlacedOrder): Promise<string> {
  const all = (await atService(platen, order)).filter(({ metadata }) =>
    metadata.some(({ value }) => value === platen.shop.domain),
  );
  return JSON.stringify(
    all.map(({ id, orderType, fulfillmentStatus, deleted }) => [id, orderType, fulfillmentStatus, deleted]),
  );
}

/** Runs all scheduled jobs immediately, in several rounds. */
export async function runScheduledJobs({ app }: Platen, rounds = 3): Promise<void> {
  for (let round = 0; round < rounds; round += 1) {
    await app.db.query(`select graphile_worker.reschedule_jobs(
      array(select id from graphile_worker.jobs where locked_at is null and run_at > now()), run_at => now())`);
    await untilIdle(app);
  }
}
