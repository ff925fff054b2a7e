import { beginQuietTimeAfterRestore } from '../../../../src/shops/install/installation.ts';
import { changeSettings } from '../../../../src/shops/settings/settings.ts';
import { toAddressOf } from '../../../chaos/orders/addresses.ts';
import { enqueuePolls } from '../../../helpers/enqueue-polls.ts';
import type { Platen } from '../../../helpers/platen.ts';
import { openSnapshots } from '../../../helpers/open-snapshots.ts';
import { signInAgain } from '../../../helpers/sign-in-again.ts';
import { describeBooks } from '../../../simulate/judge/describe-books.ts';
import { judgeAtRest, judgePrinting, judgeTotal, type Finding } from '../../../simulate/judge/judge.ts';
import { openLedger } from '../../../simulate/judge/ledger.ts';
import { liveOrders, readBooks, readPrinted, readStore, type Books } from '../../../simulate/judge/read-books.ts';
import { takeAction } from '../../../simulate/moves/manual-moves.ts';
import { shipAll } from '../../../simulate/moves/ship-all.ts';
import { callOrder } from '../../../simulate/moves/store-moves.ts';
import { ask, type Scene } from '../../../simulate/scene.ts';
import {
  advance,
  confirmDrafts,
  quietly,
  STAGES,
  type History,
  type Shape,
  type Stage,
  type Way,
} from './histories.ts';

const [MINUTE, HOUR, DAY] = [60_000, 3_600_000, 86_400_000];

/** The result of a history: violated rules, and the books after each part. */
export interface Played {
  findings: Finding[];
  story: string[];
}

/**
 * Plays a history in the worker's app: brings an order to the stage of the backup, lets more happen and restores the database. Then lets days
 * pass, releases what the store holds, performs the nth action that the holds offer, and ships everything. Both stand-ins' books decide.
 */
export async function playHistory(platen: Platen, way: Way, history: History, nth: number): Promise<Played> {
  const scene = await liveUntilRestore(platen, way, history);
  const played: Played = { findings: [], story: [] };
  const seen = [await readBooks(scene)];
  await ask(scene, 'print', '/faults', []);
  await live(platen, [20 * MINUTE, HOUR, DAY]);
  await judge('restored', scene, seen, played);
  await quietly(() => callOrder(scene, 'pay'));
  await quietly(() => callOrder(scene, 'release'));
  await live(platen, [HOUR, DAY]);
  const { shown } = await judge('released', scene, seen, played);
  const isUnknown = shown?.holds.some(({ code }) => code === 'unknown_print_order') === true;
  const isStopped = !isUnknown || (await cancelUnknown(scene, shown));
  const action = isStopped ? shown?.holds.flatMap(({ actions }) => actions)[nth] : 'cancel';
  if (action !== undefined) {
    await quietly(async () => void played.story.push(`${action}: ${await takeAction(scene, action, null)}`));
    await live(platen, [HOUR, DAY]);
    await judge(`after ${action}`, scene, seen, played);
  }
  if ('leavesDrafts' in way.settings) await confirmDrafts(scene);
  await live(platen, [HOUR]);
  await shipAll(scene);
  await live(platen, [HOUR, DAY]);
  await judge('shipped', scene, seen, played);
  return played;
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

/** Plays a history up to the restore. */
async function liveUntilRestore(platen: Platen, way: Way, history: History): Promise<Scene> {
  const { app, shop } = platen;
  const { shape, backup, event, isReported } = history;
  const settle = (): Promise<void> => live(platen, [5 * MINUTE]);
  const usual = { delayMinutes: 0, gatherSeconds: 0, release: 'automatic', leavesDrafts: false };
  await changeSettings(app, shop, { ...usual, ...way.settings });
  await settle();
  const { keep, putBack } = await openSnapshots(app.db);
  if (backup === 'none') await keep('backup');
  const scene = await place(platen, way, shape);
  await settle();
  await arrange(scene, shape);
  for (const stage of STAGES.slice(1, STAGES.indexOf(event.at) + 1)) {
    await reach(scene, stage);
    await settle();
    if (stage === backup) await keep('backup');
  }
  await event.act(scene, settle);
  await settle();
  await putBack('backup');
  if (isReported) await beginQuietTimeAfterRestore(app);
  else await app.db.query(`update installation set database_mark = 'another' || database_mark`);
  return scene;
}

async function place(platen: Platen, { extended, settings }: Way, { cart }: Shape): Promise<Scene> {
  const more = { shippingAddress: toAddressOf('US', 'Buyer'), financialStatus: 'pending' };
  const earlier = new Set((await platen.printed()).map((one) => one.id));
  const { id, name } = await platen.placeSkus(cart, more);
  return {
    platen: platen as Scene['platen'],
    inApp: (act) => act(platen.app),
    order: { id, name },
    ledger: openLedger(),
    owns: (record) => !earlier.has(record.id),
    showsItems: extended && !('printInterface' in settings && settings['printInterface'] !== 'current'),
  };
}

/** Moves units to a second fulfillment order, which is held. */
async function arrange(scene: Scene, { split }: Shape): Promise<void> {
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

async function reach(scene: Scene, stage: Stage): Promise<void> {
  if (stage === 'sent') await callOrder(scene, 'pay');
  if (stage === 'printed' || stage === 'shipped') await confirmDrafts(scene);
  if (stage === 'printed') await advance(scene, 'printed');
  if (stage === 'shipped') await advance(scene, 'shipped');
}

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

async function judge(when: string, scene: Scene, history: Books[], { findings, story }: Played): Promise<Books> {
  const books = await readBooks(scene);
  const found = [
    ...judgePrinting(history, books, scene.ledger),
    ...judgeTotal(books, scene.ledger),
    ...judgeAtRest(books, scene.ledger),
  ];
  history.push(books);
  story.push(`${when}: ${describeBooks(books)}`);
  findings.push(...found.map(({ rule, evidence }) => ({ rule, evidence: `${when}: ${evidence}` })));
  return books;
}
