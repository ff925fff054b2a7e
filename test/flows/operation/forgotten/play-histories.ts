import { computeItemReference } from '../../../../src/orders/facts/compute-reference.ts';
import { beginQuietTimeAfterRestore } from '../../../../src/shops/install/installation.ts';
import { findShop } from '../../../../src/shops/find-shop.ts';
import { changeSettings } from '../../../../src/shops/settings/settings.ts';
import { toAddressOf } from '../../../chaos/orders/addresses.ts';
import { enqueuePolls } from '../../../helpers/enqueue-polls.ts';
import type { Platen } from '../../../helpers/platen.ts';
import { openSnapshots } from '../../../helpers/open-snapshots.ts';
import { signInAgain } from '../../../helpers/sign-in-again.ts';
import { describeBooks } from '../../../simulate/judge/describe-books.ts';
import { judgeAtRest, judgePrinting, judgeTotal } from '../../../simulate/judge/judge.ts';
import { openLedger } from '../../../simulate/judge/ledger.ts';
import { liveOrders, readBooks, readPrinted, readStore, type Books } from '../../../simulate/judge/read-books.ts';
import { takeAction } from '../../../simulate/moves/manual-moves.ts';
import { shipAll } from '../../../simulate/moves/ship-all.ts';
import { callOrder } from '../../../simulate/moves/store-moves.ts';
import { ask, type Scene } from '../../../simulate/scene.ts';
import { advance, confirmDrafts, quietly, STAGES, type Stage } from './events.ts';
import type { History, Shape, Way } from './histories.ts';

const [MINUTE, HOUR, DAY] = [60_000, 3_600_000, 86_400_000];

/** An order that lives through a history. */
interface Played extends Scene {
  history: History;
  stage: Stage;
  /** The items of the order's lines, as the print service knows them. */
  items: Set<string>;
  seen: Books[];
  /** Violated rules, and the books after each part. */
  findings: string[];
  story: string[];
}

/**
 * Plays histories in the worker's app, each with an order of its own: brings each order to the stage of the backup, lets more happen and
 * restores the database. Then lets days pass, releases what the store holds, performs one of the actions that the holds of each order offer,
 * and ships everything. Both stand-ins' books decide. Returns the violated rules, and the stories of the orders that violate one.
 */
export async function playHistories(platen: Platen, way: Way, histories: readonly History[]): Promise<string[]> {
  const all = await liveUntilRestore(platen, way, histories);
  for (const one of all) one.seen.push(await readBooks(one));
  await live(platen, [20 * MINUTE, HOUR, DAY]);
  for (const one of all) {
    await judge('restored', one);
    await quietly(() => callOrder(one, 'pay'));
    await quietly(() => callOrder(one, 'release'));
  }
  await live(platen, [HOUR, DAY]);
  for (const one of all) await actOnHold(one, await judge('released', one));
  await live(platen, [HOUR, DAY]);
  for (const one of all) {
    await judge('settled', one);
    if ('leavesDrafts' in way.settings) await confirmDrafts(one);
  }
  await live(platen, [HOUR]);
  for (const one of all) await shipAll(one);
  await live(platen, [HOUR, DAY]);
  for (const one of all) await judge('shipped', one);
  return all.flatMap(({ history, findings, story }) =>
    findings.length === 0 ? [] : [`${history.words}\n${[...findings, ...story].join('\n')}`],
  );
}

/** Performs one of the actions that the holds of an order offer. Each history of the table has another turn. */
async function actOnHold(one: Played, { shown }: Books): Promise<void> {
  const isUnknown = shown?.holds.some(({ code }) => code === 'unknown_print_order') === true;
  // While the unknown order is printed, "Continue" must not print its units again.
  if (isUnknown) await quietly(() => takeAction(one, 'continue', null));
  const isStopped = !isUnknown || (await cancelUnknown(one, shown));
  const action = isStopped ? shown?.holds.flatMap(({ actions }) => actions)[one.history.number % 3] : 'cancel';
  if (action === undefined) return;
  await quietly(async () => void one.story.push(`${action}: ${await takeAction(one, action, null)}`));
}

/**
 * Cancels the orders at the service that Platen does not know, as the remedy of their hold says. Returns false if one of them is printed
 * already, so that only "Cancel printing" is left.
 */
async function cancelUnknown(scene: Scene, { printOrders }: NonNullable<Books['shown']>): Promise<boolean> {
  const known = printOrders.map(({ reference }) => reference);
  const unknown = liveOrders(await readPrinted(scene)).filter(
    ({ orderReferenceId }) => !known.includes(orderReferenceId),
  );
  for (const { id } of unknown) await quietly(() => ask(scene, 'print', `/orders/${id}/advance`, { to: 'canceled' }));
  const live = liveOrders(await readPrinted(scene));
  return unknown.every(({ id }) => live.every((one) => one.id !== id));
}

/** Plays histories up to the restore that ends them. */
async function liveUntilRestore(platen: Platen, way: Way, histories: readonly History[]): Promise<Played[]> {
  const { app, shop } = platen;
  const usual = { delayMinutes: 0, gatherSeconds: 0, release: 'automatic', leavesDrafts: false };
  await changeSettings(app, shop, { ...usual, ...way.settings });
  await settle(platen);
  Object.assign(shop, await findShop(app, shop.id));
  const { keep, putBack } = await openSnapshots(app.db);
  const [copied, later] = [
    histories.filter(({ backup }) => backup !== 'none'),
    histories.filter(({ backup }) => backup === 'none'),
  ];
  const all = await placeAll(platen, way, copied);
  await reachAll(platen, all, ({ backup }) => backup);
  await keep('backup');
  all.push(...(await placeAll(platen, way, later)));
  await reachAll(platen, all, ({ event }) => event.at);
  const steps = Math.max(1, ...histories.map(({ event }) => event.steps.length));
  for (let step = 0; step < steps; step += 1) {
    for (const one of all) await one.history.event.steps[step]?.(one);
    await settle(platen);
    for (const one of all) await learnItems(one);
  }
  await putBack('backup');
  const [first] = all;
  if (first) await ask(first, 'print', '/faults', []);
  if (first?.history.isReported) await beginQuietTimeAfterRestore(app);
  else await app.db.query(`update installation set database_mark = 'another' || database_mark`);
  return all;
}

async function placeAll(platen: Platen, way: Way, histories: readonly History[]): Promise<Played[]> {
  const more = { shippingAddress: toAddressOf('US', 'Buyer'), financialStatus: 'pending' };
  const placed: Played[] = [];
  for (const history of histories) {
    const { id, name } = await platen.placeSkus(history.shape.cart, more);
    const items = new Set<string>();
    placed.push({
      platen: platen as Scene['platen'],
      inApp: (act) => act(platen.app),
      order: { id, name },
      ledger: openLedger(),
      owns: (record) => record.items.some(({ itemReferenceId }) => items.has(itemReferenceId)),
      showsItems: way.extended && !('printInterface' in way.settings),
      history,
      stage: 'none',
      items,
      seen: [],
      findings: [],
      story: [],
    });
  }
  await settle(platen);
  for (const one of placed) {
    await divide(one, one.history.shape);
    await learnItems(one);
  }
  return placed;
}

/** Remembers which items belong to an order, because the records of v1 and v2 do not name it. */
async function learnItems(one: Played): Promise<void> {
  const { lines } = await readStore(one);
  for (const { id } of lines) {
    one.items.add(computeItemReference(id, 'current'));
    one.items.add(computeItemReference(id, 'v1'));
  }
}

/** Moves units to a second fulfillment order, which is held. */
async function divide(scene: Scene, { split }: Shape): Promise<void> {
  if (split.length === 0) return;
  const before = await readStore(scene);
  const lines = before.lines.flatMap(({ id }, index) => {
    const quantity = split[index] ?? 0;
    return quantity > 0 ? [{ id, quantity }] : [];
  });
  const [whole] = before.fulfillmentOrders;
  await callOrder(scene, 'split', { fulfillmentOrderId: whole?.id, lines });
  const { fulfillmentOrders } = await readStore(scene);
  const added = fulfillmentOrders.find(({ id }) => before.fulfillmentOrders.every((one) => one.id !== id));
  await callOrder(scene, 'hold', { fulfillmentOrderId: added?.id });
}

/** Brings each order to its stage, one stage after the other. */
async function reachAll(platen: Platen, all: readonly Played[], to: (history: History) => Stage): Promise<void> {
  for (const stage of STAGES.slice(1)) {
    for (const one of all) {
      const isNext = STAGES.indexOf(one.stage) < STAGES.indexOf(stage);
      if (!isNext || STAGES.indexOf(stage) > STAGES.indexOf(to(one.history))) continue;
      await reach(one, stage);
      one.stage = stage;
    }
    await settle(platen);
  }
}

async function reach(scene: Scene, stage: Stage): Promise<void> {
  if (stage === 'sent') await callOrder(scene, 'pay');
  if (stage === 'printed' || stage === 'shipped') await confirmDrafts(scene);
  if (stage === 'printed') await advance(scene, 'printed');
  if (stage === 'shipped') await advance(scene, 'shipped');
}

/** Lets Platen handle what has happened. */
const settle = (platen: Platen): Promise<void> => live(platen, [5 * MINUTE]);

/** Lets time pass, and runs all polls after each stretch. Signs in again if the restored tokens had been used. */
async function live(platen: Platen, stretches: readonly number[]): Promise<void> {
  const { app, shop } = platen;
  for (const stretch of stretches) {
    await platen.pass(stretch);
    await signInAgain(app, shop);
    await enqueuePolls(app);
    await platen.pass(5 * MINUTE);
  }
}

async function judge(when: string, one: Played): Promise<Books> {
  const { seen, ledger } = one;
  const books = await readBooks(one);
  const found = [...judgePrinting(seen, books, ledger), ...judgeTotal(books, ledger), ...judgeAtRest(books, ledger)];
  seen.push(books);
  one.story.push(`${when}: ${describeBooks(books)}`);
  one.findings.push(...found.map(({ rule, evidence }) => `${rule}, ${when}: ${evidence}`));
  return books;
}
