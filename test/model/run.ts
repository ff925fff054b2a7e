import type { DataSource } from 'typeorm';
import type { App } from '../../src/app.ts';
import { toClassSql } from '../../src/jobs/priorities.ts';
import type { TaskName, TaskPayloads } from '../../src/jobs/tasks.ts';
import { toTasks } from '../../src/tasks.ts';
import { advanceClock } from './clock.ts';
import { ReferenceService, type Call, type Effect, type Ending } from './service.ts';
import { ReferenceStore } from './store.ts';
import { CONTROL, type Way, type World } from './world.ts';

/** A replica's worker and its job. */
export interface Worker {
  name: string;
  task: TaskName;
  jobId: string | null;
  /**
   * `waiting`: the worker is waiting for the response to `call`. `dead`: the worker was killed while waiting, so its code no longer runs.
   */
  state: 'running' | 'waiting' | 'ended' | 'dead';
  call: Call | null;
  /** The worker is frozen, and another worker has its job. The frozen worker may resume at any time. */
  isFrozen: boolean;
}

interface Job {
  id: string;
  task: TaskName;
  payload: never;
}

/** The tasks involved in submitting. All other tasks only write to the store and are skipped. */
const TASKS: ReadonlySet<TaskName> = new Set([
  'plan_order',
  'quote_order',
  'submit_print_order',
  'follow_print_order',
  'sweep_drafts',
]);
/**
 * A worker that neither waits for a response nor ends within this real time is blocked by another worker that holds a lock during its call.
 */
const STUCK_MS = 20_000;
const MAX_FROZEN = 2;

/** A violated invariant, with the steps that led to it. */
class Violation extends Error {}

/**
 * One run. The order's jobs run Platen's real code against the reference service and the reference store, and the run controls the workers'
 * pending calls.
 */
export class Run {
  readonly world: World;
  readonly way: Way;
  readonly service: ReferenceService;
  readonly store: ReferenceStore;
  readonly story: string[] = [];
  readonly workers: Worker[] = [];
  /** Actions in this run that may explain a hold. */
  readonly causes = new Set<string>();
  /** The number of create requests before the last restore, which may have removed the rows of their attempts. */
  createsBeforeRestore = 0;
  /** The maximum lag of the search. */
  lagMs = Infinity;
  #names = 0;
  #wake: () => void = () => undefined;
  #failure: Violation | null = null;

  constructor(world: World, way: Way) {
    this.world = world;
    this.way = way;
    const say = (line: string): void => this.say(line);
    this.service = new ReferenceService(world.clock, say);
    this.store = new ReferenceStore(say);
    this.service.book({
      id: CONTROL,
      reference: CONTROL,
      orderType: 'order',
      status: 'shipped',
      body: { items: [] } as never,
    });
  }

  say(line: string): void {
    this.story.push(`${(this.world.clock.ticks() / 1000).toFixed(0).padStart(6)} s  ${line}`);
  }

  fail(what: string): never {
    throw new Violation(`${what}\n${this.story.join('\n')}`);
  }

  get db(): DataSource {
    return this.world.db;
  }

  /** Workers that are waiting for a response, including frozen ones, oldest first. */
  waiting(): Worker[] {
    return this.workers.filter(({ state }) => state === 'waiting');
  }

  /** Starts the order's due jobs one after another until a job is waiting for a response or none is due. */
  async startDue(): Promise<void> {
    for (;;) {
      await this.#settle();
      if (this.workers.some((one) => one.jobId !== null && !one.isFrozen && one.state === 'waiting')) return;
      const job = await this.#takeJob();
      if (!job) return;
      if (TASKS.has(job.task)) this.#start(job.task, job.payload, job.id);
      else await this.#finishJob(job.id);
    }
  }

  /** Runs a poll while the jobs of the order's queue may be waiting for responses. */
  async poll(task: 'catch_up_uncertain' | 'catch_up_print_orders'): Promise<void> {
    if (this.workers.some((one) => one.task === task && one.state === 'waiting')) return;
    this.#start(task, {}, null);
    await this.#settle();
  }

  /** Ends a worker's call with this effect and ending. `lateSeconds` is the delay of a late effect. */
  async end(worker: Worker, effect: Effect, ending: Ending, lateSeconds: number): Promise<void> {
    const { call } = worker;
    if (!call) return;
    this.say(`${worker.name}: ${call.operation} ${call.about}: ${describe(call, effect, ending, lateSeconds)}`);
    worker.call = null;
    worker.state = 'running';
    this.service.end(call, effect, ending, lateSeconds * 1000);
    await this.#settle();
  }

  /** Kills the worker while it is waiting, and gives its job to another worker. */
  async kill(worker: Worker, effect: Effect, lateSeconds: number): Promise<void> {
    const { call } = worker;
    if (!call) return;
    this.say(
      `${worker.name} dies at ${call.operation} ${call.about}, which takes effect ${describeEffect(call, effect, lateSeconds)}`,
    );
    worker.state = 'dead';
    this.service.abandon(call, effect, lateSeconds * 1000);
    await this.#releaseJob(worker);
  }

  /** Freezes the worker while it is waiting, and gives its job to another worker. The frozen worker may resume later. */
  async freeze(worker: Worker): Promise<void> {
    if (worker.isFrozen || this.waiting().filter(({ isFrozen }) => isFrozen).length >= MAX_FROZEN) return;
    this.say(`${worker.name} freezes at ${worker.call?.operation} ${worker.call?.about}`);
    worker.isFrozen = true;
    await this.#releaseJob(worker);
  }

  /** Makes the service carry out the worker's call. The worker receives the response only when the call ends. */
  take(worker: Worker): void {
    if (!worker.call || worker.call.taken) return;
    this.say(
      `${worker.name}: ${worker.call.operation} ${worker.call.about} has taken effect, and its response is on its way`,
    );
    this.service.take(worker.call);
  }

  async advance(seconds: number): Promise<void> {
    await advanceClock(this.world.clock, this.db, seconds);
    this.service.runLate();
    this.service.catchUpIndex(this.lagMs);
  }

  /** Returns the seconds until this run's next job, or null if no job is waiting. */
  async nextJobIn(): Promise<number | null> {
    const [row]: { seconds: number | null }[] = await this.db.query(
      `select extract(epoch from min(run_at) - clock.now())::float as seconds from graphile_worker._private_jobs where is_available`,
    );
    return row?.seconds ?? null;
  }

  /** Kills all workers and restores the rows of the last backup. */
  async restore(): Promise<void> {
    for (const worker of this.waiting()) await this.kill(worker, 'never', 0);
    await this.world.restoreRows();
    await this.db.query('update graphile_worker._private_jobs set locked_at = null, locked_by = null');
    this.createsBeforeRestore = this.service.creates.length;
  }

  /** Returns the app for a worker of this run, with the reference service and store. */
  openApp(wait: (call: Call) => void): App {
    return { ...this.world.app, print: this.service.client(wait), shopify: this.store.shopify() };
  }

  #start<T extends TaskName>(task: T, payload: TaskPayloads[T], jobId: string | null): void {
    this.#names += 1;
    const worker: Worker = { name: `w${this.#names}`, task, jobId, state: 'running', call: null, isFrozen: false };
    this.workers.push(worker);
    this.say(`${worker.name} begins ${task}`);
    const app = this.openApp((call) => {
      worker.call = call;
      worker.state = 'waiting';
      this.#wake();
    });
    void this.#work(worker, () => toTasks(app)[task](payload));
  }

  async #work(worker: Worker, act: () => Promise<void>): Promise<void> {
    try {
      await act();
      if (worker.jobId !== null) await this.#finishJob(worker.jobId);
    } catch (error) {
      this.#failure = new Violation(
        `${worker.name} failed: ${String((error as Error).stack)}\n${this.story.join('\n')}`,
      );
    }
    worker.state = 'ended';
    this.#wake();
  }

  async #settle(): Promise<void> {
    while (this.workers.some(({ state }) => state === 'running')) {
      let timer: NodeJS.Timeout | undefined;
      const woken = new Promise<void>((resolve) => {
        this.#wake = resolve;
        timer = setTimeout(resolve, STUCK_MS, undefined);
      });
      const startedAt = Date.now();
      await woken;
      clearTimeout(timer);
      if (Date.now() - startedAt >= STUCK_MS) this.fail('a worker neither waits for the service nor ends');
    }
    if (this.#failure) throw this.#failure;
    const { totalCount, idleCount } = (
      this.db.driver as unknown as { master: { totalCount: number; idleCount: number } }
    ).master;
    if (totalCount !== idleCount) this.fail('a database connection is held during a call to the service');
  }

  async #takeJob(): Promise<Job | null> {
    const [rows]: [{ id: string; task: TaskName; payload: never }[], number] = await this.db.query(
      `update graphile_worker._private_jobs j set locked_at = clock.now(), locked_by = 'model', attempts = attempts + 1
       from graphile_worker._private_tasks t
       where t.id = j.task_id and j.id = (select id from graphile_worker._private_jobs
         where is_available and run_at <= clock.now() order by ${toClassSql('priority')}, run_at, id limit 1)
       returning j.id, t.identifier as task, j.payload`,
    );
    return rows[0] ?? null;
  }

  async #finishJob(id: string): Promise<void> {
    await this.db.query('delete from graphile_worker._private_jobs where id = $1', [id]);
  }

  async #releaseJob({ jobId }: Worker): Promise<void> {
    if (jobId === null) return;
    await this.db.query('update graphile_worker._private_jobs set locked_at = null, locked_by = null where id = $1', [
      jobId,
    ]);
  }
}

function describe(call: Call, effect: Effect, ending: Ending, lateSeconds: number): string {
  if (ending === 'answered') return 'answered';
  if (call.taken) return `done, ${ending}`;
  if (ending !== 'lost' && ending !== 'error 500') return ending;
  return `${ending}, takes effect ${describeEffect(call, effect, lateSeconds)}`;
}

function describeEffect(call: Call, effect: Effect, lateSeconds: number): string {
  if (call.taken) return 'before';
  return effect === 'late' ? `in ${lateSeconds} s` : effect;
}
