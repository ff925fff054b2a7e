import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPrintService } from '../../sandbox/print/start.ts';
import { startStore } from '../../sandbox/store/start.ts';
import { Shops } from '../../src/database/entities/shops.ts';
import { installDemoShop } from '../../src/demo/install-demo-shop.ts';
import { enqueue } from '../../src/jobs/enqueue.ts';
import type { TaskName, TaskPayloads } from '../../src/jobs/tasks.ts';
import { changeSettings } from '../../src/shops/settings/settings.ts';
import { createChaosRandom, type ChaosRandom } from '../chaos/orders/random.ts';
import { toAddressOf } from '../chaos/orders/addresses.ts';
import { createApp } from '../helpers/boot-app.ts';
import type { Databases, SeedDatabase } from './databases.ts';
import { describeBooks } from './judge/describe-books.ts';
import { findFailedJobs } from './judge/find-failed-jobs.ts';
import { judgeAtRest, judgePrinting, judgeTotal, type Finding } from './judge/judge.ts';
import { openLedger } from './judge/ledger.ts';
import { readBooks, readPrinted, readStore, type Books } from './judge/read-books.ts';
import { shipAll } from './moves/ship-all.ts';
import type { Step } from './moves/step.ts';
import { planSeed, type SeedPlan } from './plan-seed.ts';
import { drawCallFault, drawQueryFault } from './profile.ts';
import { APP_URL, createConfig, killReplica, startReplica, type Addresses, type Replica } from './replicas.ts';
import { Refused, type Platen, type Scene } from './scene.ts';
import type { Call } from './world/network.ts';
import { createPlace, runAt } from './world/place.ts';
import { openWorld, type World } from './world/world.ts';

/** The result of a seed. */
export interface SeedOutcome {
  seed: number;
  findings: Finding[];
  /** The hash of everything that happened. */
  hash: string;
  steps: number;
  /** Simulated days. */
  days: number;
  /** The number of planned events that were carried out. */
  events: number;
  /** What people and the service did, and what failed, one per line. */
  story: string[];
}

export interface SeedOptions {
  seed: number;
  orders: number;
  /** Carries out only the first planned events, then lets everything settle. Null: all of them. */
  limit: number | null;
  /** Whether the database also loses its last commits. */
  restore?: boolean;
  /** Receives everything that happens. */
  write?: (line: string) => void;
}

const HOUR = 3_600_000;
/** A call takes effect at most this long after the reading of the store that it is based on, even if faults delay it. */
const LATE_MS = 600_000;
const DAY = 24 * HOUR;
/** If more steps than this pass within one period of rest, Platen never rests. */
const MAX_REST_STEPS = 100_000;

/** Runs a seed on its own database. Its outcome depends only on the options and the code. */
export async function runSeed(databases: Databases, options: SeedOptions): Promise<SeedOutcome> {
  const { seed, orders } = options;
  const plan = planSeed(seed, orders, options);
  const outcome: SeedOutcome = { seed, findings: [], hash: '', steps: 0, days: 0, events: 0, story: [] };
  await using opened = new AsyncDisposableStack();
  const database = await databases.create();
  opened.defer(() => database.drop());
  const home = await mkdtemp(join(tmpdir(), 'platen-simulate-'));
  opened.defer(() => rm(home, { recursive: true, force: true }));
  const random = createChaosRandom(seed).fork('run');
  const stage = new Stage(plan, outcome, random, home);
  const world = await openWorld({
    random,
    databaseUrl: database.url,
    showTime: databases.showTime,
    write: options.write ?? (() => undefined),
    drawCallFault: (call) => stage.drawCallFault(call),
    answered: (call, status) => stage.answered(call, status),
    drawQueryFault: () => stage.drawQueryFault(),
    arrivesAtOnce: () => stage.arrivesAtOnce(),
  });
  opened.defer(() => world.close());
  try {
    await stage.play(world, database, options.limit ?? plan.events.length);
  } catch (error) {
    const evidence = error instanceof Error ? (error.stack ?? error.message) : String(error);
    outcome.findings.push({ rule: error instanceof NeverIdleError ? 'restless' : 'error', evidence });
  }
  outcome.hash = world.scheduler.hash();
  outcome.steps = world.scheduler.steps();
  outcome.days = world.scheduler.clock.ticks() / DAY;
  await stage.close();
  return outcome;
}

class NeverIdleError extends Error {}

const POLLS: readonly [TaskName, TaskPayloads[TaskName]][] = [
  ['catch_up_shops', { pass: 'catch_up_storefront_orders' }],
  ['catch_up_shops', { pass: 'catch_up_fulfillment_requests' }],
  ['catch_up_print_orders', {}],
  ['catch_up_uncertain', {}],
  ['catch_up_packages', {}],
  ['catch_up_store_updates', {}],
  ['catch_up_lost_jobs', {}],
];
const DAILY: readonly [TaskName, TaskPayloads[TaskName]][] = [
  ['audit_print_accounts', {}],
  ['check_stuck', {}],
];

/** An order, and its books immediately before and after everything that was done to it. */
type Watched = Scene & { history: Books[] };

/** Platen, the stand-ins and the people of one seed. */
class Stage {
  readonly #plan: SeedPlan;
  readonly #outcome: SeedOutcome;
  readonly #home: string;
  readonly #faults: ChaosRandom;
  readonly #fate: ChaosRandom;
  readonly #replicas: Replica[] = [];
  readonly #scenes: (Watched | null)[] = [];
  readonly #closing: (() => Promise<void>)[] = [];
  #world!: World;
  #database!: SeedDatabase;
  #addresses!: Addresses;
  #platen!: Platen;
  #isFaulty = false;
  #outageUntil = 0;
  #hasBackup = false;
  #deaths: { replica: Replica; step: number }[] = [];
  #started = 0;

  constructor(plan: SeedPlan, outcome: SeedOutcome, random: ChaosRandom, home: string) {
    this.#plan = plan;
    this.#outcome = outcome;
    this.#home = home;
    this.#faults = random.fork('faults');
    this.#fate = random.fork('fate');
  }

  drawCallFault(call: Parameters<typeof drawCallFault>[2]): ReturnType<typeof drawCallFault> {
    if (!this.#isFaulty) return { kind: 'none' };
    const isPrint = Number(call.url.port) === this.#addresses.printPort;
    if (isPrint && this.#world.scheduler.clock.ticks() < this.#outageUntil) return { kind: 'hang', when: 'before' };
    return drawCallFault(this.#plan.profile, this.#faults, call);
  }

  /** Without faults, no server may fail. */
  answered({ method, url }: Call, status: number): void {
    if (!this.#isFaulty && status === 500)
      this.#outcome.findings.push({ rule: 'server-error', evidence: `${method} ${url.pathname} returned 500` });
  }

  drawQueryFault(): ReturnType<typeof drawQueryFault> {
    return this.#isFaulty ? drawQueryFault(this.#plan.profile, this.#faults) : 'none';
  }

  arrivesAtOnce(): boolean {
    return !this.#isFaulty || !this.#faults.chance(this.#plan.profile.lingering);
  }

  async play(world: World, database: SeedDatabase, limit: number): Promise<void> {
    this.#world = world;
    this.#database = database;
    await this.#open();
    const { profile, events } = this.#plan;
    const { scheduler } = world;
    scheduler.mood.isCalm = false;
    scheduler.mood.haste = profile.haste;
    this.#isFaulty = true;
    await this.#setWebhooks(profile.webhooks);
    await this.#setFaults(profile.searchLagMs > 0 ? [{ searchLagMs: profile.searchLagMs }] : []);
    const begun = scheduler.clock.ticks();
    for (const event of events.slice(0, limit)) {
      await this.#runUntil(begun + event.at);
      this.#outcome.events += 1;
      await scheduler.settle();
      await this.#carryOut(event);
      if (this.#outcome.findings.length > 0) return;
    }
    await this.#rest();
  }

  async close(): Promise<void> {
    for (const { place } of this.#replicas) place.isAlive = false;
    for (const { place } of this.#replicas) {
      this.#world.network.disconnect(place);
      await this.#world.database.disconnect(place);
    }
    for (const close of this.#closing.reverse()) await this.#drive(close());
    await this.#world.database.disconnect(this.#world.judge);
  }

  /** Starts both stand-ins and the first process, and installs the shop. */
  async #open(): Promise<void> {
    const { scheduler, judge, network } = this.#world;
    const { clock } = scheduler;
    const { extended, settings } = this.#plan.way;
    const outside = createPlace('outside');
    const [print, store] = await this.#drive(
      runAt(outside, () =>
        Promise.all([
          startPrintService({
            clock,
            home: this.#home,
            port: 0,
            advanceSeconds: null,
            extended,
            webhookRetryMs: 60_000,
          }),
          startStore({
            clock,
            home: this.#home,
            port: 0,
            appUrl: APP_URL,
            apiKey: 'sandbox-app',
            apiSecret: 'sandbox-secret',
          }),
        ]),
      ),
    );
    this.#closing.push(
      () => runAt(judge, () => print.close()),
      () => runAt(judge, () => store.close()),
    );
    this.#addresses = { home: this.#home, printPort: print.port, storePort: store.port, extended };
    const first = this.#start();
    while (first.app === null) await this.#step(Infinity);
    const app = first.app;
    const shop = await this.#drive(
      runAt(first.place, async () => {
        const { id } = await installDemoShop(app, store.url);
        await changeSettings(app, { id }, { gatherSeconds: 0, ...settings });
        return app.db.manager.findOneByOrFail(Shops, { id });
      }),
    );
    const judged = await this.#drive(
      runAt(judge, () =>
        createApp({
          clock,
          config: createConfig(this.#world, this.#addresses),
          url: this.#world.databaseUrl,
          destination: 2,
        }),
      ),
    );
    this.#closing.push(() => runAt(judge, () => judged.close()));
    const urls = { print: print.url, store: store.url };
    this.#platen = {
      app: judged.app,
      shop,
      async control(of, method, path, body) {
        const answer = await network.call(`${urls[of]}/_control${path}`, method, body);
        if (answer.status >= 300) throw new Error(`${method} ${path} returned ${answer.status}: ${answer.text}`);
        return answer.text === '' ? null : JSON.parse(answer.text);
      },
    };
    const variants = (await this.#ask('store', 'GET', '/variants')) as { sku: string; variantId: string }[];
    for (const { variantId } of variants.filter(({ sku }) => this.#plan.atMerchant.includes(sku)))
      await this.#ask('store', 'POST', `/variants/${encodeURIComponent(variantId)}/stock`, { location: 'own' });
    if (this.#plan.profile.processes === 2) this.#start();
  }

  #ask(...given: Parameters<Platen['control']>): Promise<unknown> {
    return this.#drive(runAt(this.#world.judge, () => this.#platen.control(...given)));
  }

  async #setWebhooks(settings: object): Promise<void> {
    for (const side of ['print', 'store'] as const) await this.#ask(side, 'POST', '/webhooks', settings);
  }

  async #setFaults(faults: object[]): Promise<void> {
    await this.#ask('print', 'POST', '/faults', faults);
  }

  #start(): Replica {
    this.#started += 1;
    const replica = startReplica(this.#world, this.#addresses, `platen-${this.#started}`, () => {
      // A process manager starts it again.
      this.#world.scheduler.hold({
        place: this.#world.judge,
        label: `${replica.place.name} could not start`,
        go: () => this.#kill(replica, 5_000),
      });
    });
    this.#replicas.push(replica);
    return replica;
  }

  #restart(dead: Replica, milliseconds: number): void {
    const index = this.#replicas.indexOf(dead);
    if (index !== -1) this.#replicas.splice(index, 1);
    this.#world.scheduler.startTimer(milliseconds, () => this.#start(), this.#world.judge);
  }

  async #kill(replica: Replica, milliseconds: number): Promise<void> {
    if (!replica.place.isAlive) return;
    await killReplica(this.#world, replica);
    this.#restart(replica, milliseconds);
  }

  /** Lets one thing happen, and kills a process whose time has come. */
  async #step(end: number): Promise<boolean> {
    const { scheduler } = this.#world;
    for (const death of this.#deaths) {
      if (death.step > scheduler.steps()) continue;
      this.#deaths.splice(this.#deaths.indexOf(death), 1);
      await scheduler.settle();
      await this.#kill(death.replica, this.#fate.pick([100, 2_000, 30_000, 600_000]));
    }
    return scheduler.step(end);
  }

  async #runUntil(end: number): Promise<void> {
    while (await this.#step(end));
    this.#world.scheduler.pass(end);
  }

  /** Lets things happen until the work is done. */
  async #drive<Result>(work: Promise<Result>): Promise<Result> {
    let isOver = false;
    const over = work.finally(() => (isOver = true));
    over.catch(() => undefined);
    for (let steps = 0; ; steps += 1) {
      await this.#world.scheduler.settle();
      if (isOver) return over;
      if (steps > MAX_REST_STEPS || !(await this.#step(Infinity)))
        throw new Error('The work waits for something that can never happen.');
    }
  }

  async #enqueuePolls(isDaily: boolean): Promise<void> {
    await runAt(this.#world.judge, async () => {
      for (const [task, payload] of isDaily ? [...POLLS, ...DAILY] : POLLS)
        await enqueue(this.#platen.app.db, task as 'check_stuck', payload as never);
    });
  }

  #tell(line: string): void {
    this.#outcome.story.push(`${(this.#world.scheduler.clock.ticks() / HOUR).toFixed(3).padStart(9)} h  ${line}`);
    this.#world.scheduler.record(line);
  }

  async #carryOut(event: SeedPlan['events'][number]): Promise<void> {
    const { scheduler, judge } = this.#world;
    const replica = this.#replicas[event.nth % Math.max(1, this.#replicas.length)];
    switch (event.kind) {
      case 'place':
        await this.#place(event.order);
        return;
      case 'step': {
        const scene = this.#scenes[event.order];
        if (!scene) return;
        await this.#look(scene);
        void runAt(judge, () => this.#take(scene, event.step)).catch((error: unknown) =>
          this.#outcome.findings.push({ rule: 'error', evidence: String((error as Error).stack) }),
        );
        await scheduler.settle();
        await this.#look(scene);
        return;
      }
      case 'death':
        if (replica) this.#deaths.push({ replica, step: scheduler.steps() + event.steps });
        return;
      case 'suspension':
        if (replica) {
          this.#tell(`${replica.place.name} is suspended for ${event.milliseconds / 1000} s`);
          replica.place.suspendedUntil = scheduler.clock.ticks() + event.milliseconds;
        }
        return;
      case 'jump':
        if (replica) {
          this.#tell(`the clock of ${replica.place.name} jumps by ${event.milliseconds / 1000} s`);
          replica.place.aheadMs += event.milliseconds;
        }
        return;
      case 'outage':
        this.#tell(`the print service does not respond for ${event.milliseconds / 60_000} min`);
        this.#outageUntil = scheduler.clock.ticks() + event.milliseconds;
        return;
      case 'polls':
        await this.#drive(this.#enqueuePolls(true));
        return;
      case 'backup':
        this.#hasBackup = true;
        this.#tell('the database is copied');
        await this.#world.database.restart(() => this.#database.backUp());
        return;
      case 'restore':
        if (!this.#hasBackup) return;
        this.#tell('the database returns to its copy');
        await this.#world.database.restart(() => this.#database.restore());
    }
  }

  async #take(scene: Scene, { words, act }: Step): Promise<void> {
    try {
      const result = await act(scene);
      this.#tell(`${scene.order.name}: ${words}${result ? ` (${result})` : ''}`);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      this.#tell(`${scene.order.name}: ${words} (refused: ${error.message})`);
    }
  }

  async #place(index: number): Promise<void> {
    const order = this.#plan.orders[index];
    if (!order) return;
    const variants = (await this.#ask('store', 'GET', '/variants')) as { sku: string; variantId: string }[];
    const lines = Object.entries(order.cart).map(([sku, quantity]) => ({
      variantId: variants.find((one) => one.sku === sku)?.variantId,
      quantity,
    }));
    const { id, name } = (await this.#ask('store', 'POST', '/orders', {
      lines,
      shippingAddress: toAddressOf('US', 'Buyer'),
      financialStatus: order.isPaid ? 'paid' : 'pending',
    })) as { id: string; name: string };
    this.#tell(`${name}: ${JSON.stringify(order.cart)}${order.isPaid ? '' : ', not paid yet'}`);
    this.#scenes[index] = {
      platen: this.#platen,
      order: { id, name },
      ledger: openLedger({ overlaps: true }),
      showsItems: this.#plan.way.extended,
      inApp: (act) => this.#inApp(act),
      history: [],
    };
  }

  /** Checks that the store wanted everything that was sent to print since the last look. */
  async #look(scene: Watched): Promise<void> {
    const { ledger, history, showsItems } = scene;
    const at = this.#world.scheduler.clock.now().getTime();
    const books = await this.#drive(
      runAt(this.#world.judge, async () => ({
        at,
        store: await readStore(scene),
        printed: await readPrinted(scene),
        showsItems,
        shown: null,
      })),
    );
    ledger.lateSince = at - LATE_MS;
    const found = judgePrinting(history, books, ledger);
    history.push(books);
    this.#outcome.findings.push(
      ...found.map(({ rule, evidence }) => ({ rule, evidence: `${scene.order.name} ${evidence}` })),
    );
  }

  async #inApp<Result>(act: (app: Platen['app']) => Promise<Result>): Promise<Result> {
    const running = this.#replicas.filter(({ app, place }) => app !== null && place.isAlive);
    const replica = running[this.#fate.below(running.length || 1)];
    const app = replica?.app;
    if (!replica || !app) throw new Refused('No process of Platen is running.');
    return runAt(replica.place, () => act(app));
  }

  /** Ends all faults, lets days pass, ships everything, lets days pass again, and judges the books each time. */
  async #rest(): Promise<void> {
    const { scheduler } = this.#world;
    this.#isFaulty = false;
    this.#deaths = [];
    scheduler.mood.haste = 0;
    for (const { place } of this.#replicas) place.suspendedUntil = 0;
    await this.#setWebhooks({ drop: 0, duplicate: 0, shuffleMs: 0 });
    await this.#setFaults([]);
    this.#tell('every call gets a response again');
    await this.#pass(300_000, HOUR, DAY, 9 * DAY);
    if (await this.#judge()) return;
    for (const scene of this.#scenes) if (scene) await this.#drive(runAt(this.#world.judge, () => shipAll(scene)));
    this.#tell('the print service ships all its orders');
    await this.#pass(300_000, DAY, 9 * DAY);
    await this.#judge();
  }

  async #pass(...stretches: number[]): Promise<void> {
    const { scheduler } = this.#world;
    for (const stretch of stretches) {
      const [end, most] = [scheduler.clock.ticks() + stretch, scheduler.steps() + MAX_REST_STEPS];
      while (await this.#step(end))
        if (scheduler.steps() > most)
          throw new NeverIdleError(`More than ${MAX_REST_STEPS} steps within ${stretch / HOUR} h.`);
      scheduler.pass(end);
      await this.#drive(this.#enqueuePolls(stretch >= DAY));
      const settled = scheduler.clock.ticks() + 60_000;
      while (await this.#step(settled));
      scheduler.pass(settled);
    }
  }

  async #judge(): Promise<boolean> {
    const { findings, story } = this.#outcome;
    for (const scene of this.#scenes) {
      if (!scene) continue;
      await this.#look(scene);
      const books = await this.#drive(runAt(this.#world.judge, () => readBooks(scene)));
      const found = [...judgeTotal(books, scene.ledger), ...judgeAtRest(books, scene.ledger)];
      this.#world.scheduler.record(describeBooks(books));
      if (found.length > 0) story.push(`            ${scene.order.name}: ${describeBooks(books)}`);
      findings.push(...found.map(({ rule, evidence }) => ({ rule, evidence: `${scene.order.name} ${evidence}` })));
    }
    findings.push(...(await this.#drive(runAt(this.#world.judge, () => findFailedJobs(this.#platen)))));
    return findings.length > 0;
  }
}
