import { expect, onTestFinished, test } from 'vitest';
import { readInstallation } from '../../../src/shops/install/installation.ts';
import { startPlaten, type PlacedOrder, type Platen } from '../../helpers/platen.ts';
import { backUpDatabase } from '../../helpers/restore-database.ts';
import { shippedOf } from '../follow/place-at-service.ts';
import { advance } from '../changes/order-stages.ts';
import { attemptsOf, injectFaults, untilPrintedOnce, untilPrintOrder } from '../submit/submit-helpers.ts';
import { eventually } from '../../helpers/eventually.ts';

const QUIET_SECONDS = 6;
const ENVIRONMENT = {
  PRINT_TIMEOUT_SECONDS: '1',
  SUBMIT_DEADLINE_SECONDS: '0.5',
  SUBMIT_QUIET_SECONDS: String(QUIET_SECONDS),
  // Only polls can find changes that were made after the backup. The deliveries of these changes were acknowledged before the restore
  // removed them, so nobody resends them.
  POLL_SECONDS: '2',
};
const POSTER = 'POSTER-30X40';
const MUG = 'MUG-11OZ';

let platen: Platen;

async function placePrinted(skus: Record<string, number>): Promise<PlacedOrder> {
  const order = await platen.placeSkus(skus);
  await untilPrintedOnce(platen, [order]);
  return order;
}

async function ship(order: PlacedOrder): Promise<void> {
  await advance(platen, order, 'shipped');
  await platen.untilState(order.id, 'fulfilled');
}

const quantitiesOf = async ({ name }: PlacedOrder) =>
  (await platen.printedFor(name)).map(({ items }) => items.map(({ quantity }) => quantity));

const sum = (units: number[]): number => units.reduce((total, one) => total + one, 0);

const endpoint = ({ id }: PlacedOrder, act: string, body: object = {}) =>
  platen.control('store', 'POST', `/orders/${encodeURIComponent(id)}/${act}`, body);

/** Returns the orders and existing drafts at the print service. */
async function readService(): Promise<string[]> {
  const printed = await platen.printed();
  return printed
    .filter(({ deleted }) => deleted !== true)
    .map(({ id, orderType }) => `${orderType} ${id}`)
    .toSorted();
}

async function codesAtService({ name }: PlacedOrder): Promise<string[]> {
  const printed = (await platen.printedFor(name)) as unknown as {
    shipment: { packages: { trackingCode: string }[] };
  }[];
  return printed.flatMap(({ shipment }) => shipment.packages.map(({ trackingCode }) => trackingCode)).toSorted();
}

test.each(['draft', 'direct'])(
  'after a restore without `platen restored`, nothing is printed, shipped or emailed twice, and nothing is lost: %s',
  async (submit) => {
    platen = await startPlaten({ time: 'real', advanceSeconds: null, environment: ENVIRONMENT, settings: { submit } });
    onTestFinished(() => platen.stop());
    const { app } = platen;
    if (app.config.databaseUrl === null) throw new Error('The test has no database URL.');
    const done = await placePrinted({ [POSTER]: 1 });
    await ship(done);
    const shippedLater = await placePrinted({ [POSTER]: 1, [MUG]: 2 });
    const inProduction = await placePrinted({ [POSTER]: 2 });
    await advance(platen, inProduction, 'printed');
    const canceledLater = await placePrinted({ [POSTER]: 1 });
    await injectFaults(platen, [{ method: 'POST', path: '/v4/orders:search', rate: 1, kind: 'status', status: 503 }]);
    const quoted = await platen.placeSkus({ [POSTER]: 1 });
    const edited = await platen.placeSkus({ [POSTER]: 1 });
    for (const order of [quoted, edited]) await untilPrintOrder(platen, order, ({ state }) => state === 'quoted');

    const restore = await backUpDatabase(app.config.databaseUrl);

    await endpoint(edited, 'edit', { add: [{ variantId: edited.lines[0]?.variantId, quantity: 2 }] });
    await injectFaults(platen, []);
    await untilPrintedOnce(platen, [quoted]);
    await eventually(async () => sum((await quantitiesOf(edited)).flat())).toBe(3);
    await ship(shippedLater);
    await endpoint(canceledLater, 'cancel');
    await eventually(async () =>
      (await platen.printedFor(canceledLater.name)).map(({ fulfillmentStatus }) => fulfillmentStatus),
    ).toEqual(['canceled']);
    const unknown = await placePrinted({ [MUG]: 1 });
    const unknownShipped = await placePrinted({ [POSTER]: 3 });
    await ship(unknownShipped);
    const all = [done, shippedLater, inProduction, quoted, edited, unknown, unknownShipped];
    const service = await readService();
    const editedUnits = await quantitiesOf(edited);
    const shipped = await Promise.all(all.map((order) => shippedOf(platen, { order })));
    const restoredAt = Date.now();

    await restore();

    const placedAfter = await platen.placeSkus({ [POSTER]: 1 });
    const quietUntil = async (): Promise<number> =>
      readInstallation(app).then(
        (installation) => installation.quietUntil?.getTime() ?? 0,
        () => 0,
      );
    await eventually(quietUntil).toBeGreaterThan(restoredAt + QUIET_SECONDS * 1000);
    // Platen finds every existing order at the service and creates only the new order.
    await untilPrintedOnce(platen, [placedAfter]);
    const [attempt] = await attemptsOf(platen, placedAfter);
    expect(attempt?.begunAt.getTime()).toBeGreaterThan(await quietUntil());
    for (const order of [done, shippedLater, unknownShipped]) await platen.untilState(order.id, 'fulfilled');
    await untilPrintedOnce(platen, [quoted, inProduction, unknown]);
    await eventually(() => platen.listed(edited.id).then(({ holds }) => holds)).toEqual([]);
    const [fresh] = await platen.printedFor(placedAfter.name);
    expect(await readService()).toEqual([...service, `order ${fresh?.id}`].toSorted());
    expect(await Promise.all(all.map((order) => shippedOf(platen, { order })))).toEqual(shipped);
    expect(await quantitiesOf(edited)).toEqual(editedUnits);

    const open = [inProduction, quoted, edited, unknown, placedAfter];
    for (const order of open) await advance(platen, order, 'shipped');
    for (const order of open) await platen.untilState(order.id, 'fulfilled');
    for (const order of [...all, placedAfter]) {
      const fulfillments = await shippedOf(platen, { order });
      expect(fulfillments.flatMap(({ codes }) => codes).toSorted(), order.name).toEqual(await codesAtService(order));
      expect(
        fulfillments.map(({ mails }) => mails),
        order.name,
      ).toEqual(fulfillments.map(() => 1));
    }
    expect(await readService()).toEqual([...service, `order ${fresh?.id}`].toSorted());
    expect(await shippedOf(platen, { order: canceledLater })).toEqual([]);
    expect((await platen.listed(canceledLater.id)).state).not.toBe('fulfilled');
  },
  600_000,
);
