import { startPrintService } from '../../sandbox/print/start.ts';
import { createSessionToken } from '../../sandbox/demo.ts';
import { startStore } from '../../sandbox/store/start.ts';
import { Shops } from '../../src/database/entities/shops.ts';
import { installDemoShop } from '../../src/demo/install-demo-shop.ts';
import { removeOldData } from '../../src/orders/remove-old-data.ts';
import { findShop } from '../../src/shops/find-shop.ts';
import { installShop } from '../../src/shops/install/install.ts';
import { changeSettings } from '../../src/shops/settings/settings.ts';
import type { ChaosRandom } from '../chaos/orders/random.ts';
import { createApp } from '../helpers/boot-app.ts';
import { enqueuePolls } from '../helpers/enqueue-polls.ts';
import { findRefusedEvent, recordAnswer } from './judge/find-forgotten.ts';
import type { Finding } from './judge/judge.ts';
import { FOREVER_MS, type Moment, type SeedPlan } from './plan-seed.ts';
import { drawCallFault, drawFaultOfBlindness, drawQueryFault, isCreate } from './profile.ts';
import { APP_URL, createConfig, killReplica, startReplica, type Addresses, type Replica } from './replicas.ts';
import { Refused, type Platen } from './scene.ts';
import type { Call } from './world/network.ts';
import { createPlace, runAt, type Place } from './world/place.ts';
import type { World } from './world/world.ts';

/** If more steps than this pass without an end, something never rests. */
export const MAX_STEPS = 30_000;

const MAX_PROCESSES = 3;
const NO_FAULT = { kind: 'none' } as const;

/** The processes of Platen and both stand-ins of one seed, and what goes wrong between them. */
export class Stage {
  readonly replicas: Replica[] = [];
  world!: World;
  platen!: Platen;
  /** Whether calls, queries and processes fail. */
  isFaulty = false;
  /** The print service does not respond until this time. */
  outageUntil = 0;
  /** What goes wrong after a step of the scheduler. */
  #planned: { step: number; go: () => Promise<void> }[] = [];
  /** What goes wrong after a call, in the process that calls. */
  #atCalls: { moment: Moment; go: (caller: Replica) => Promise<void> }[] = [];
  /** The webhooks that Platen has answered, by source and ID. */
  readonly webhooks = new Map<string, string>();
  /** The processes that have accepted an event of the print service. */
  readonly #knowing = new Set<Place>();
  readonly #plan: SeedPlan;
  readonly #findings: Finding[];
  readonly #home: string;
  readonly #faults: ChaosRandom;
  readonly #fate: ChaosRandom;
  readonly #closing: (() => Promise<void>)[] = [];
  #addresses!: Addresses;
  #isBlind = false;
  #started = 0;

  constructor(plan: SeedPlan, findings: Finding[], random: ChaosRandom, home: string) {
    this.#plan = plan;
    this.#findings = findings;
    this.#home = home;
    this.#faults = random.fork('faults');
    this.#fate = random.fork('fate');
  }

  drawCallFault(call: Parameters<typeof drawCallFault>[2]): ReturnType<typeof drawCallFault> {
    if (!this.isFaulty) return NO_FAULT;
    this.#noticeCall(call);
    const isPrint = Number(call.url.port) === this.#addresses.printPort;
    if (isPrint && this.world.scheduler.clock.ticks() < this.outageUntil) return { kind: 'hang', when: 'before' };
    const own = this.#isBlind && isPrint ? drawFaultOfBlindness(this.#faults, call) : NO_FAULT;
    return own.kind === 'none' ? drawCallFault(this.#plan.profile, this.#faults, call) : own;
  }

  /** Without faults, no server may fail. */
  answered(to: Place, call: Call, status: number): void {
    const { method, url } = call;
    if (url.port === new URL(APP_URL).port) {
      recordAnswer(this.webhooks, call, status);
      this.#findings.push(...findRefusedEvent(this.#knowing, to, call, status));
    }
    if (!this.isFaulty && status === 500)
      this.#findings.push({ rule: 'server-error', evidence: `${method} ${url.pathname} returned 500` });
  }

  drawQueryFault(): ReturnType<typeof drawQueryFault> {
    return this.isFaulty ? drawQueryFault(this.#plan.profile, this.#faults) : 'none';
  }

  arrivesAtOnce(): boolean {
    return !this.isFaulty || !this.#faults.chance(this.#plan.profile.lingering);
  }

  /** Starts both stand-ins and the first process, and installs the shop. */
  async open(): Promise<void> {
    const { scheduler, judge, network } = this.world;
    const { clock } = scheduler;
    const { extended, settings } = this.#plan.way;
    const outside = createPlace('outside');
    const [print, store] = await this.drive(
      runAt(outside, () =>
        Promise.all([
          startPrintService({
            clock,
            home: this.#home,
            port: 0,
            advanceSeconds: null,
            extended,
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
    const first = this.start();
    while (first.app === null) await this.step(Infinity);
    const app = first.app;
    const shop = await this.drive(
      runAt(first.place, async () => {
        const { id } = await installDemoShop(app, store.url);
        await changeSettings(app, { id }, { gatherSeconds: 0, ...settings });
        return app.db.manager.findOneByOrFail(Shops, { id });
      }),
    );
    const judged = await this.drive(
      runAt(judge, () =>
        createApp({
          clock,
          config: createConfig(this.world, this.#addresses),
          url: this.world.databaseUrl,
          destination: 2,
        }),
      ),
    );
    this.#closing.push(() => runAt(judge, () => judged.close()));
    const urls = { print: print.url, store: store.url };
    this.platen = {
      app: judged.app,
      shop,
      async control(of, method, path, body) {
        const answer = await network.call(`${urls[of]}/_control${path}`, method, body);
        if (answer.status >= 300) throw new Error(`${method} ${path} returned ${answer.status}: ${answer.text}`);
        return answer.text === '' ? null : JSON.parse(answer.text);
      },
    };
    // Otherwise, the store would hide orders after 60 days.
    await this.ask('store', 'POST', `/shops/${shop.domain}/scopes`, { grant: ['read_all_orders'] });
    const variants = (await this.ask('store', 'GET', '/variants')) as { sku: string; variantId: string }[];
    for (const { variantId } of variants.filter(({ sku }) => this.#plan.atMerchant.includes(sku)))
      await this.ask('store', 'POST', `/variants/${encodeURIComponent(variantId)}/stock`, { location: 'own' });
    if (this.#plan.profile.processes === 2) this.start();
  }

  ask(...given: Parameters<Platen['control']>): Promise<unknown> {
    return this.drive(runAt(this.world.judge, () => this.platen.control(...given)));
  }

  async setWebhooks(settings: object): Promise<void> {
    for (const side of ['print', 'store'] as const) await this.ask(side, 'POST', '/webhooks', settings);
  }

  /** Sets after how many milliseconds the print service's searches show a new order. */
  async setSearchLag(searchLagMs: number): Promise<void> {
    this.#isBlind = searchLagMs === FOREVER_MS;
    await this.ask('print', 'POST', '/faults', [{ searchLagMs }]);
  }

  start(): Replica {
    this.#started += 1;
    const replica = startReplica(this.world, this.#addresses, `platen-${this.#started}`, () => {
      // A process manager starts it again.
      this.world.scheduler.hold({
        place: this.world.judge,
        label: `${replica.place.name} could not start`,
        go: () => this.kill(replica, 30_000),
      });
    });
    this.replicas.push(replica);
    return replica;
  }

  #restart(dead: Replica, milliseconds: number): void {
    const index = this.replicas.indexOf(dead);
    if (index !== -1) this.replicas.splice(index, 1);
    this.world.scheduler.startTimer(milliseconds, () => this.start(), this.world.judge);
  }

  /** Kills a process. Another one starts after some time. */
  async kill(replica: Replica, milliseconds = this.#fate.pick([100, 2_000, 30_000, 600_000])): Promise<void> {
    if (!replica.place.isAlive) return;
    await killReplica(this.world, replica);
    this.#restart(replica, milliseconds);
  }

  suspend({ place }: Replica, milliseconds: number, cutOffMs: number | null): void {
    const { scheduler, judge } = this.world;
    place.suspendedUntil = scheduler.clock.ticks() + milliseconds;
    if (cutOffMs !== null) scheduler.startTimer(cutOffMs, () => this.#later(0, () => this.#cutOff(place)), judge);
  }

  async #cutOff(place: Place): Promise<void> {
    this.world.scheduler.record(`the database ends the connections of ${place.name}`);
    await this.world.database.cutOff(place);
    // A process manager starts another process in place of one that does not respond.
    if (this.replicas.length < MAX_PROCESSES) this.start();
  }

  /** Does something at a moment, with the process that then calls, or else with this one. */
  at(moment: Moment, replica: Replica, go: (replica: Replica) => Promise<void>): void {
    if (moment.call === null) this.#later(moment.steps, () => go(replica));
    else this.#atCalls.push({ moment, go });
  }

  #later(steps: number, go: () => Promise<void>): void {
    this.#planned.push({ step: this.world.scheduler.steps() + steps, go });
  }

  #noticeCall(call: Call): void {
    const caller = this.replicas.find(({ place }) => place === call.from);
    if (!caller) return;
    const due = this.#atCalls.find(({ moment }) => moment.call === 'any' || isCreate(call));
    if (!due) return;
    this.#atCalls.splice(this.#atCalls.indexOf(due), 1);
    this.#later(due.moment.steps, () => due.go(caller));
  }

  /** Nothing goes wrong anymore. */
  endFaults(): void {
    this.isFaulty = false;
    this.#planned = [];
    this.#atCalls = [];
    for (const { place } of this.replicas) place.suspendedUntil = 0;
    this.world.database.open();
  }

  /** Lets one thing happen, and what is planned for this step. */
  async step(end: number): Promise<boolean> {
    const { scheduler } = this.world;
    const due = this.#planned.filter((one) => one.step <= scheduler.steps());
    this.#planned = this.#planned.filter((one) => !due.includes(one));
    for (const { go } of due) {
      await scheduler.settle();
      await go();
    }
    return scheduler.step(end);
  }

  async close(): Promise<void> {
    for (const { place } of this.replicas) place.isAlive = false;
    for (const { place } of this.replicas) {
      this.world.network.disconnect(place);
      await this.world.database.disconnect(place);
    }
    for (const close of this.#closing.reverse()) await this.drive(close());
    await this.world.database.disconnect(this.world.judge);
  }

  async runUntil(end: number): Promise<void> {
    while (await this.step(end));
    this.world.scheduler.pass(end);
  }

  /** Lets things happen until the work is done. */
  async drive<Result>(work: Promise<Result>): Promise<Result> {
    let isOver = false;
    const over = work.finally(() => (isOver = true));
    over.catch(() => undefined);
    for (let steps = 0; ; steps += 1) {
      await this.world.scheduler.settle();
      if (isOver) return over;
      if (steps > MAX_STEPS || !(await this.step(Infinity)))
        throw new Error('The work waits for something that can never happen.');
    }
  }

  enqueuePolls(): Promise<void> {
    return runAt(this.world.judge, () => enqueuePolls(this.platen.app));
  }

  removeOldData(): Promise<void> {
    return this.inApp(removeOldData);
  }

  /** Opens the app in the store's admin if the shop must sign in, as after a restore that brings back used tokens. */
  async signIn(): Promise<boolean> {
    const { app, shop } = this.platen;
    const { state } = await this.drive(runAt(this.world.judge, () => findShop(app, shop.id)));
    if (state !== 'needs_sign_in') return false;
    // A process whose clock is wrong by hours accepts no session token.
    for (const { place } of this.replicas) place.aheadMs = 0;
    const sessionToken = runAt(this.world.judge, () => createSessionToken(app.config.shopify));
    const install = (running: Platen['app']) => installShop(running, { domain: shop.domain, sessionToken });
    await this.drive(this.inApp(install));
    return true;
  }

  async inApp<Result>(act: (app: Platen['app']) => Promise<Result>): Promise<Result> {
    const running = this.replicas.filter(({ app, place }) => app !== null && place.isAlive);
    const replica = running[this.#fate.below(running.length || 1)];
    const app = replica?.app;
    if (!replica || !app) throw new Refused('No process of Platen is running.');
    return runAt(replica.place, () => act(app));
  }
}
