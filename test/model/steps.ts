import fc from 'fast-check';
import { enqueuePlan } from '../../src/orders/enqueue/enqueue-plan.ts';
import { beginQuietTimeAfterRestore } from '../../src/shops/install/installation.ts';
import { receivePrintEvent } from '../../src/orders/follow/receive/receive-print-event.ts';
import { SPARE_CODE } from './check.ts';
import type { Run, Worker } from './run.ts';
import type { Call, Effect, Ending } from './service.ts';
import { CONTROL, type Way } from './world.ts';

/** The maximum number of calls and jobs that succeed while a step waits for a specific call. */
const MAX_FLOW_LENGTH = 8;

/** What happens to a call for which a worker is waiting, or to that worker. `late` is the delay of a late effect, in seconds. */
type Fate =
  | { is: 'ended'; effect: Effect; ending: Ending; late: number }
  | { is: 'dead'; effect: Effect; late: number }
  | { is: 'frozen' | 'taken' };

/** Something that happens during the run. */
export type Step =
  /** All calls and jobs succeed `times` times: a call gets its response, or time passes until the next job. */
  | { do: 'flow'; times: number }
  /** All calls and jobs succeed until a worker calls this operation. The fate then applies to that call. */
  | { do: 'at'; operation: Call['operation'] | 'anything'; fate: Fate }
  /** The fate applies to a frozen worker or its call. */
  | { do: 'thaw'; which: number; fate: Fate }
  | { do: 'wait'; seconds: number }
  /** The service sends events about the last order in its books, or about an earlier order. */
  | { do: 'event'; which: number; status: string; times: number }
  | { do: 'queue'; seconds: number }
  | { do: 'blind'; isBlind: boolean }
  | { do: 'poll'; task: 'catch_up_uncertain' | 'catch_up_print_orders' }
  | { do: 'change'; what: 'address' | 'more' | 'fewer' | 'cancel the order' | 'cancel the fulfillment' }
  | { do: 'index' | 'late' | 'plan' | 'sweep' | 'save' | 'restore' | 'progress' };

const effect = fc.constantFrom<Effect>('now', 'never', 'late');
const late = fc.constantFrom(1, 8, 40, 90, 4000);
const which = fc.nat({ max: 3 });
const ending = fc.constantFrom<Ending>('lost', 'lost', 'error 500', 'error 500', 'error 429', 'not sent', 'repeated');
/** The requests that a step can wait for. Important requests are listed more often. */
const OPERATIONS = {
  draft: ['createOrder', 'createOrder', 'createOrder', 'patchOrder', 'patchOrder', 'deleteDraft', 'cancelOrder'],
  direct: ['createOrder', 'createOrder', 'createOrder', 'createOrder', 'searchOrders', 'cancelOrder'],
  any: ['searchOrders', 'getOrder', 'anything', 'anything'],
} as const;
const fate: fc.Arbitrary<Fate> = fc.oneof(
  { weight: 4, arbitrary: stepOf({ is: fc.constant('ended' as const), effect, ending, late }) },
  { weight: 2, arbitrary: stepOf({ is: fc.constant('dead' as const), effect, late }) },
  { weight: 3, arbitrary: stepOf({ is: fc.constant('frozen' as const) }) },
  { weight: 1, arbitrary: stepOf({ is: fc.constant('taken' as const) }) },
);
const thawed: fc.Arbitrary<Fate> = fc.oneof(
  stepOf({ is: fc.constant('ended' as const), effect, ending: fc.constantFrom<Ending>('answered', 'lost'), late }),
  stepOf({ is: fc.constant('taken' as const) }),
);

/** Returns an arbitrary for one kind of step or fate, whose counterexamples are easy to read. */
function stepOf<Shape>(shape: { [Key in keyof Shape]: fc.Arbitrary<Shape[Key]> }): fc.Arbitrary<Shape> {
  return fc.record(shape, { noNullPrototype: true });
}

function only<Name extends Step['do']>(name: Name) {
  return fc.constant({ do: name });
}

/** Returns the arbitraries for faults of the service and the workers, with their weights. */
function faultsOf(way: Way, kind: Kind) {
  const isDraft = way === 'draft';
  const operations = [...(isDraft ? OPERATIONS.draft : OPERATIONS.direct), ...OPERATIONS.any];
  const operation = fc.constantFrom<Call['operation'] | 'anything'>(...operations);
  return [
    { weight: 6, arbitrary: stepOf({ do: fc.constant('flow'), times: fc.integer({ min: 1, max: 8 }) }) },
    { weight: 14, arbitrary: stepOf({ do: fc.constant('at'), operation, fate }) },
    { weight: 5, arbitrary: stepOf({ do: fc.constant('thaw'), which, fate: thawed }) },
    { weight: 3, arbitrary: stepOf({ do: fc.constant('wait'), seconds: fc.constantFrom(1, 6, 20, 70, 130, 900) }) },
    { weight: 1, arbitrary: stepOf({ do: fc.constant('queue'), seconds: fc.constantFrom(0, 3, 10) }) },
    {
      weight: 1,
      arbitrary: stepOf({
        do: fc.constant('poll'),
        task: fc.constantFrom('catch_up_uncertain', 'catch_up_print_orders'),
      }),
    },
    ...(isDraft
      ? [
          { weight: 1, arbitrary: only('index') },
          { weight: 1, arbitrary: only('late') },
        ]
      : []),
    ...(isDraft || kind === 'restores' ? [] : [blind]),
  ];
}

/**
 * Makes the search return empty results. In direct mode, only the search shows which orders exist, so an empty result must not count as
 * proof. Runs with a restore exclude this step, because Platen then depends on the first search.
 */
const blind = {
  weight: 3,
  arbitrary: stepOf({ do: fc.constant('blind'), isBlind: fc.constantFrom(true, true, false) }),
};

/** Other events that affect an order. */
const otherEvents = [
  {
    weight: 3,
    arbitrary: stepOf({
      do: fc.constant('event'),
      which,
      status: fc.constantFrom('created', 'canceled', 'shipped'),
      times: fc.integer({ min: 1, max: 2 }),
    }),
  },
  { weight: 2, arbitrary: only('sweep') },
  { weight: 1, arbitrary: only('plan') },
  { weight: 1, arbitrary: only('progress') },
];

const changes = [
  {
    weight: 4,
    arbitrary: stepOf({
      do: fc.constant('change'),
      what: fc.constantFrom('address', 'more', 'fewer', 'cancel the order', 'cancel the fulfillment'),
    }),
  },
];

const restores = [
  { weight: 3, arbitrary: only('save') },
  { weight: 3, arbitrary: only('restore') },
];

/** The kinds of runs: `faults` has only faults, `changes` also changes the order, and `restores` also restores the database. */
export type Kind = 'faults' | 'changes' | 'restores';

/** Generates runs with up to `maxLength` steps. */
export function arbitrarySteps(way: Way, kind: Kind, maxLength: number): fc.Arbitrary<Step[]> {
  const weighted = [
    ...faultsOf(way, kind),
    ...otherEvents,
    ...(kind === 'faults' ? [] : changes),
    ...(kind === 'restores' ? restores : []),
  ];
  return fc.array(fc.oneof(...weighted), { minLength: 3, maxLength, size: 'max' });
}

/** Performs a step, or does nothing if the step is currently impossible. `mostLate` is the longest delay of a late effect, in seconds. */
export async function take(run: Run, step: Step, mostLate: number): Promise<void> {
  if (step.do === 'flow') for (let count = 0; count < step.times; count += 1) await flow(run);
  if (step.do === 'at') await applyFate(run, await flowUntil(run, step.operation), step.fate, mostLate);
  if (step.do === 'thaw') {
    const frozen = run.waiting().filter(({ isFrozen }) => isFrozen);
    await applyFate(run, frozen[step.which % Math.max(1, frozen.length)], step.fate, mostLate);
  }
  if (step.do === 'wait') await run.advance(step.seconds);
  if (step.do === 'index') run.service.catchUpIndex(0);
  if (step.do === 'late' && run.lagMs === Infinity) run.service.runLate(Infinity);
  if (step.do === 'queue') run.service.queueMs = step.seconds * 1000;
  if (step.do === 'blind') run.service.isBlind = step.isBlind;
  if (step.do === 'poll') await run.poll(step.task);
  if (step.do === 'progress') run.service.progress();
  if (step.do === 'plan') await plan(run);
  if (step.do === 'sweep') await sweep(run);
  if (step.do === 'event') await sendEvents(run, step);
  if (step.do === 'change') await change(run, step.what);
  if (step.do === 'save') await save(run);
  if (step.do === 'restore') await restore(run);
}

async function applyFate(run: Run, worker: Worker | undefined, fate: Fate, mostLate: number): Promise<void> {
  if (!worker) return;
  if (fate.is === 'ended') await run.end(worker, fate.effect, fate.ending, Math.min(fate.late, mostLate));
  else if (fate.is === 'dead') await run.kill(worker, fate.effect, Math.min(fate.late, mostLate));
  else if (fate.is === 'frozen') await run.freeze(worker);
  else run.take(worker);
}

/** Responds to one call correctly. If no worker is waiting for a response, lets time pass until the next job. */
async function flow(run: Run): Promise<void> {
  await run.startDue();
  const worker = run.waiting().find(({ isFrozen }) => !isFrozen);
  if (worker) await run.end(worker, 'now', 'answered', 0);
  else await run.advance(Math.max(0, (await run.nextJobIn()) ?? 0));
  await run.startDue();
}

async function flowUntil(run: Run, wanted: Call['operation'] | 'anything'): Promise<Worker | undefined> {
  for (let count = 0; count <= MAX_FLOW_LENGTH; count += 1) {
    await run.startDue();
    const isMatch = ({ isFrozen, call }: Worker): boolean =>
      !isFrozen && (wanted === 'anything' || call?.operation === wanted);
    const worker = run.waiting().find(isMatch);
    if (worker) return worker;
    if (run.waiting().every(({ isFrozen }) => isFrozen) && (await run.nextJobIn()) === null) return undefined;
    await flow(run);
  }
  return undefined;
}

/** Enqueues a plan, as the store's webhooks and the poll for the store's orders do. */
export async function plan(run: Run): Promise<void> {
  await enqueuePlan(run.db.manager, run.world.storefrontOrderId);
}

async function sweep(run: Run): Promise<void> {
  const app = run.openApp(() => undefined);
  const rows: { id: string }[] = await run.db.query('select id from print_orders where storefront_order_id = $1', [
    run.world.storefrontOrderId,
  ]);
  const options = { queue: `order:${run.world.storefrontOrderId}` };
  for (const { id } of rows)
    await app.jobs.enqueue(run.db, 'sweep_drafts', { printOrderId: id }, { ...options, key: `sweep:${id}` });
}

/** Sends an event about an order or draft in the books, once or twice. Only events about spare drafts contain a tracking code. */
async function sendEvents(run: Run, { which: number, status, times }: Extract<Step, { do: 'event' }>): Promise<void> {
  const about = run.service.books.filter(({ id }) => id !== CONTROL).at(-1 - number);
  if (!about) return;
  const chosen: unknown[] = await run.db.query(
    'select from service_orders where service_order_id = $1 and role <> $2',
    [about.id, 'spare'],
  );
  const isSpare = chosen.length === 0 && about.orderType === 'draft';
  if (!isSpare && status === 'canceled') return;
  const item = { itemReferenceId: about.body.items[0]?.itemReferenceId ?? '', fulfillmentStatus: status };
  const fulfillment = {
    trackingCode: SPARE_CODE,
    trackingUrl: null,
    shipmentMethodName: null,
    shipmentMethodUid: null,
    fulfillmentCountry: null,
    fulfillmentStateProvince: null,
    fulfillmentFacilityId: null,
  };
  run.say(`${times} events about ${about.id}: ${status}`);
  for (let count = 0; count < times; count += 1) {
    await receivePrintEvent(
      run.openApp(() => undefined),
      run.world.shop,
      {
        kind: 'order_status_updated',
        id: `event-${about.id}-${status}`,
        orderId: about.id,
        orderReferenceId: about.reference,
        storeId: null,
        fulfillmentStatus: status,
        comment: isSpare ? 'of a spare draft' : null,
        items: isSpare ? [{ ...item, fulfillments: [fulfillment] }] : [{ ...item, fulfillments: [] }],
      },
    );
  }
}

async function change(run: Run, what: Extract<Step, { do: 'change' }>['what']): Promise<void> {
  const { store } = run;
  if (store.isCanceled || store.requestStatus !== 'ACCEPTED') return;
  run.say(`in the store: ${what}`);
  run.causes.add(what);
  if (what === 'address') store.address += 1;
  if (what === 'more') store.setQuantity(store.quantity + 1);
  if (what === 'fewer') store.setQuantity(Math.max(1, store.quantity - 1));
  if (what === 'cancel the order') store.isCanceled = true;
  if (what === 'cancel the fulfillment') store.requestStatus = 'CANCELLATION_REQUESTED';
  await plan(run);
}

async function save(run: Run): Promise<void> {
  run.say('the database is backed up');
  await run.world.save();
}

/** Follows the backup guide: stops the processes, restores the backup and runs `platen restored` before any process starts. */
async function restore(run: Run): Promise<void> {
  run.say('the database is restored');
  run.causes.add('restore');
  await run.restore();
  await beginQuietTimeAfterRestore(run.openApp(() => undefined));
  await plan(run);
}
