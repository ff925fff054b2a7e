import { afterEach, beforeEach, expect, test } from 'vitest';
import type { App } from '../../../src/app.ts';
import { listOrders, type ListedOrder } from '../../../src/orders/lists/list-orders.ts';
import { beginQuietTimeAfterRestore } from '../../../src/shops/install/installation.ts';
import { changeSettings } from '../../../src/shops/settings/settings.ts';
import { enqueuePolls } from '../../helpers/enqueue-polls.ts';
import { startPlaten, type PlacedOrder, type Platen } from '../../helpers/platen.ts';
import { signInAgain } from '../../helpers/sign-in-again.ts';
import { startTwin } from '../../helpers/start-twin.ts';
import { advance, placeAtStage, printedOnce, stages } from '../changes/order-stages.ts';
import { shippedOf } from '../follow/place-at-service.ts';
import { atService, injectFaults } from '../submit/submit-helpers.ts';
import { isFencedOff } from './two-databases.ts';

// What one case leaves behind does not affect the others.
let platen: Platen;
beforeEach(async () => void (platen = await startPlaten({ advanceSeconds: null })));
afterEach(() => platen.stop());

const [MINUTE, HOUR] = [60_000, 3_600_000];
const WAYS = { draft: 'by draft', direct: 'directly' } as const;
type Way = keyof typeof WAYS;

/** How far an order is when the database is copied. `reach` returns the order, or null before it is placed. */
interface Moment {
  name: string;
  reach: () => Promise<PlacedOrder | null>;
}

/** The stages that only one of the two ways reaches, and the stage at which the order waits for the merchant. */
const FOREIGN = { draft: /directly|not confirmed/, direct: /draft|confirm/ };

function momentsOf(submit: Way): Moment[] {
  const reached = stages
    .filter(({ name }) => !FOREIGN[submit].test(name))
    .map((stage) => ({
      name: stage.name,
      reach: () => placeAtStage(platen, { ...stage, settings: { ...stage.settings, submit } }),
    }));
  const last = reached.at(-1);
  const fulfill = async (): Promise<PlacedOrder | null> => {
    const order = (await last?.reach()) ?? null;
    await use([platen.app], submit);
    await live([platen.app], [2 * HOUR]);
    return order;
  };
  return [{ name: 'not placed yet', reach: async () => null }, ...reached, { name: 'fulfilled', reach: fulfill }];
}

const CASES = (['draft', 'direct'] as const).flatMap((submit) =>
  momentsOf(submit).map(({ name, reach }) => ({ name, reach, submit, way: WAYS[submit] })),
);

/** Ends the faults and the settings that keep orders at a stage. */
async function use(apps: readonly App[], submit: Way): Promise<void> {
  await injectFaults(platen, [{ searchLagMs: 0 }]);
  for (const app of apps) await changeSettings(app, platen.shop, { submit, delayMinutes: 0, gatherSeconds: 0 });
}

/** Lets time pass, and runs all polls of both databases before each stretch. */
async function live(apps: readonly App[], stretches: readonly number[]): Promise<void> {
  for (const stretch of stretches) {
    for (const app of apps) {
      await signInAgain(app, platen.shop);
      await enqueuePolls(app);
    }
    await platen.pass(stretch);
  }
}

async function statesIn(app: App): Promise<Map<string, ListedOrder['state']>> {
  const states = new Map<string, ListedOrder['state']>();
  for await (const { orderId, state } of listOrders(app, platen.shop)) states.set(orderId, state);
  return states;
}

async function shipAll(orders: readonly PlacedOrder[]): Promise<void> {
  for (const order of orders) {
    const [printed] = await printedOnce(platen, order);
    if (printed?.fulfillmentStatus !== 'shipped') await advance(platen, order, 'shipped');
  }
}

/** Checks both stand-ins' books, and what the database says that acts for the store. */
async function expectFulfilledOnce(acting: App, orders: readonly PlacedOrder[]): Promise<void> {
  const states = await statesIn(acting);
  for (const order of orders) {
    const left = (await atService(platen, order)).filter(({ deleted }) => deleted !== true);
    const about = `${order.name} is ${states.get(order.id)}`;
    expect(
      left.map(({ orderType }) => orderType),
      about,
    ).toEqual(['order']);
    expect(
      (await shippedOf(platen, { order })).map(({ mails }) => mails),
      about,
    ).toEqual([1]);
    expect(about).toBe(`${order.name} is fulfilled`);
  }
}

test.each(CASES)(
  'if the database is copied while an order is $name, each order is printed and emailed once, and one database stops: $way',
  async ({ submit, reach }) => {
    await use([platen.app], submit);
    const first = await reach();
    const twin = await startTwin(platen);
    const apps = [platen.app, twin];
    await use(apps, submit);
    const orders = first === null ? [] : [first];
    /** One database takes over with the first order that it reads. The other one stops with the next order. */
    const findActing = async (): Promise<App> => {
      for (let count = 0; count < 2; count += 1) {
        orders.push(await platen.placeSkus({ 'POSTER-30X40': 1 }));
        await live(apps, [5 * MINUTE, 5 * MINUTE]);
      }
      const areOff = await Promise.all(apps.map(({ db }) => isFencedOff(db)));
      expect(areOff.filter(Boolean)).toHaveLength(1);
      return areOff[0] === true ? twin : platen.app;
    };
    const acting = await findActing();
    await live(apps, [HOUR, HOUR]);
    await shipAll(orders);
    await live(apps, [HOUR, HOUR, HOUR]);
    await expectFulfilledOnce(acting, orders);

    const stopped = acting === twin ? platen.app : twin;
    await beginQuietTimeAfterRestore(stopped);
    expect(await findActing()).toBe(stopped);
    await live(apps, [HOUR, HOUR]);
    await shipAll(orders);
    await live(apps, [HOUR, HOUR, HOUR]);
    await expectFulfilledOnce(stopped, orders);
  },
);
