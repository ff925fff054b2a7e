import { createChaosRandom, type ChaosRandom } from '../chaos/orders/random.ts';
import { manualMoves } from './moves/manual-moves.ts';
import { serviceMoves } from './moves/service-moves.ts';
import type { Move, Step } from './moves/step.ts';
import { cancelsFulfillment, storeMoves } from './moves/store-moves.ts';
import { drawProfile, type Profile } from './profile.ts';

/** How a shop submits its orders, and whether its print account has the extended calls. */
interface Way {
  words: string;
  extended: boolean;
  settings: Record<string, unknown>;
}

interface PlannedOrder {
  cart: Record<string, number>;
  isPaid: boolean;
  /** What happens weeks after the order is done, when its personal data is gone. */
  late: Step;
  /** What someone does a day after the order has shipped. */
  sequel: Step | null;
}

/**
 * When something goes wrong: some steps of the scheduler after its time has come or, if `call` is not null, some steps after the next call
 * of this kind. It then concerns the process that calls.
 */
export interface Moment {
  call: 'any' | 'create' | null;
  steps: number;
}

/** Something that happens at a time, in milliseconds from the beginning. `nth` names the process that it concerns. */
type Event = { at: number; nth: number } & (
  | { kind: 'place'; order: number }
  | { kind: 'step'; order: number; step: Step }
  | { kind: 'death'; moment: Moment }
  /** If `cutOffMs` is not null, the database's server ends the connections of the suspended process after this time. */
  | { kind: 'suspension'; moment: Moment; milliseconds: number; cutOffMs: number | null }
  | { kind: 'jump' | 'outage'; milliseconds: number }
  /** The database refuses connections. If it crashes, it loses the commits that were not synchronous. */
  | { kind: 'database outage'; moment: Moment; milliseconds: number; crashes: boolean }
  /** From now on, a new print order appears in searches only after this time. */
  | { kind: 'search lag'; milliseconds: number }
  /** The database is copied, and later replaced by its copy. */
  | { kind: 'backup' | 'restore' | 'polls' }
  /** The print service changes the delivery estimates of all its orders and drafts. */
  | { kind: 'estimates' }
);

/** Everything about a seed that does not depend on what Platen does. */
export interface SeedPlan {
  way: Way;
  profile: Profile;
  /** SKUs that Platen prints although they are stocked at the merchant's location. */
  atMerchant: readonly string[];
  orders: readonly PlannedOrder[];
  /** Whether the seed lasts 70 more days after its orders are done. */
  isLong: boolean;
  events: readonly Event[];
}

const WAYS: readonly Way[] = [
  { words: 'by draft', extended: true, settings: { submit: 'draft' } },
  { words: 'by draft', extended: true, settings: { submit: 'draft' } },
  { words: 'directly', extended: true, settings: { submit: 'direct' } },
  {
    words: 'directly, without the extended calls',
    extended: false,
    settings: { submit: 'direct', extendedCalls: false },
  },
  {
    words: 'by draft, to a service that lacks the extended calls',
    extended: false,
    settings: { submit: 'draft', extendedCalls: true },
  },
];

const SETTINGS: readonly { weight: number; words: string; settings: Record<string, unknown> }[] = [
  { weight: 12, words: '', settings: {} },
  { weight: 1, words: 'orders are released by hand', settings: { release: 'by_hand' } },
  { weight: 1, words: 'drafts are left in the dashboard', settings: { leavesDrafts: true } },
  { weight: 1, words: 'codes are gathered for ten minutes', settings: { gatherSeconds: 600 } },
  { weight: 1, words: 'orders wait for ten minutes', settings: { delayMinutes: 10 } },
  { weight: 1, words: 'the merchant requests fulfillment', settings: { submitsRequests: false } },
];

const CARTS: readonly Record<string, number>[] = [
  { 'POSTER-30X40': 1 },
  { 'MUG-11OZ': 2 },
  { 'MUG-11OZ': 2, 'TSHIRT-M': 1 },
  { 'POSTER-30X40': 3, CARDS: 2, 'BOOK-28': 1 },
  { CARDS: 2, VASE: 1 },
];

/** The actors and their relative frequencies. */
const ACTORS: readonly { weight: number; moves: readonly Move[] }[] = [
  { weight: 10, moves: storeMoves },
  { weight: 8, moves: serviceMoves },
  { weight: 4, moves: manualMoves },
];

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** Orders are placed in bursts of this size on average, so that they meet each other. Between the bursts are quiet weeks. */
const BURST_SIZE = 10;
const BURST_MS = 2 * DAY;
const MAX_BURSTS = 2;
const BURST_EVERY_MS = 20 * DAY;
/** When the polls may run after the beginning of a burst. At other times, webhooks and jobs have to suffice. */
const POLL_HOURS = [4, 14, 30, 52, 100, 300];
const POLL_CHANCE = 0.25;
/** When the polls always run, because the audit, which runs daily, looks back only seven days. */
const AUDIT_HOURS = 100;
const MAX_STEPS = 8;
/** How often a seed with one burst lasts 70 more days. */
const LONG_CHANCE = 0.3;
/** The lag of searches that find nothing. */
export const FOREVER_MS = 1_000 * DAY;

/** Plans a seed. The same seed always gives the same plan. In every second seed, the database loses its last commits. */
export function planSeed(seed: number, count: number): SeedPlan {
  const restores = seed % 2 === 0;
  const random = createChaosRandom(seed).fork('plan');
  const way = random.pick(WAYS);
  const isDirect = way.settings['submit'] === 'direct';
  const more = pickWeighted(
    random,
    SETTINGS.filter(({ settings }) => !(isDirect && 'leavesDrafts' in settings)),
  );
  const profile = drawProfile(random.fork('profile'));
  const events: Event[] = [];
  const bursts = Math.min(MAX_BURSTS, Math.ceil(count / BURST_SIZE));
  const orders = Array.from({ length: count }, (_, index) =>
    planOrder(random.fork(`order ${index}`), index, bursts, events),
  );
  planFaults(random.fork('faults'), profile, events);
  // Drafts, and orders that the database forgot, can be found only by searches.
  if (isDirect && !restores) planBlindness(random.fork('blindness'), profile, events);
  planPolls(random.fork('polls'), bursts, events);
  if (restores) planRestores(random.fork('restores'), events);
  return {
    way: {
      ...way,
      words: more.words === '' ? way.words : `${way.words}, ${more.words}`,
      settings: { delayMinutes: 0, gatherSeconds: 0, ...way.settings, ...more.settings },
    },
    profile,
    atMerchant: random.chance(0.25) ? ['CARDS', 'TSHIRT-M', 'MUG-11OZ'] : [],
    orders,
    isLong: bursts > 1 || random.chance(LONG_CHANCE),
    events: events.toSorted((one, other) => one.at - other.at),
  };
}

function planOrder(random: ChaosRandom, index: number, bursts: number, events: Event[]): PlannedOrder {
  let at = random.below(bursts) * BURST_EVERY_MS + random.below(BURST_MS);
  events.push({ at, nth: 0, kind: 'place', order: index });
  const steps = random.below(MAX_STEPS + 1);
  for (let nth = 0; nth < steps; nth += 1) {
    at += random.below(random.pick([500, 5_000, 60_000, HOUR, 8 * HOUR, DAY]));
    events.push({ at, nth: 0, kind: 'step', order: index, step: drawStep(random.fork(`step ${nth}`)) });
  }
  const [cart, isPaid] = [random.pick(CARTS), random.chance(0.9)];
  const sequel = random.chance(0.5) ? cancelsFulfillment.draw(random.fork('sequel')) : null;
  return { cart, isPaid, sequel, late: drawStep(random.fork('late')) };
}

function drawStep(random: ChaosRandom): Step {
  return pickWeighted(random, pickWeighted(random, ACTORS).moves).draw(random);
}

function planPolls(random: ChaosRandom, bursts: number, events: Event[]): void {
  for (let burst = 0; burst < bursts; burst += 1)
    for (const hours of POLL_HOURS)
      if (random.chance(POLL_CHANCE) || hours === AUDIT_HOURS)
        events.push({ at: burst * BURST_EVERY_MS + hours * HOUR, nth: 0, kind: 'polls' });
}

/** Plans faults of processes shortly after something has happened, because a process that does nothing cannot be disturbed. */
function planFaults(random: ChaosRandom, profile: Profile, events: Event[]): void {
  const moments = events.map(({ at }) => at);
  const draw = (count: number, create: () => Event): void => {
    for (let index = 0; index < count; index += 1) events.push(create());
  };
  const soon = (): { at: number; nth: number } => ({
    at: random.pick(moments) + random.below(random.pick([10, 1_000, 30_000])),
    nth: random.below(2),
  });
  // Calls take longer than anything else that a process does, and what they create cannot be taken back.
  const atCall = (call: 'any' | 'create'): Moment => ({ call, steps: random.below(random.pick([1, 5, 20])) });
  const moment = (): Moment => {
    const call = random.pick([null, 'any', 'create'] as const);
    return call === null ? { call, steps: random.below(random.pick([10, 60, 300])) } : atCall(call);
  };
  draw(profile.deaths, () => ({ ...soon(), kind: 'death', moment: moment() }));
  draw(profile.suspensions, () => {
    const milliseconds = random.pick([3_000, 15_000, 40_000, 120_000, 600_000]);
    return {
      ...soon(),
      kind: 'suspension',
      moment: moment(),
      milliseconds,
      cutOffMs: random.chance(0.5) ? random.below(random.pick([1, 1_000, milliseconds])) : null,
    };
  });
  // The database fails before something happens, so that webhooks arrive in the outage and calls follow.
  const before = (): { at: number; nth: number } => ({
    at: Math.max(0, random.pick(moments) - random.below(5_000)),
    nth: 0,
  });
  draw(profile.databaseOutages, () => ({
    ...before(),
    kind: 'database outage',
    moment: { call: null, steps: random.below(10) },
    milliseconds: random.pick([0, 3_000, 30_000]),
    crashes: false,
  }));
  draw(profile.crashes, () => ({
    ...before(),
    kind: 'database outage',
    moment: atCall(random.pick(['any', 'create', 'create'] as const)),
    milliseconds: random.pick([0, 3_000]),
    crashes: true,
  }));
  draw(profile.jumps, () => ({ ...soon(), kind: 'jump', milliseconds: random.pick([-1, 1]) * random.below(DAY) }));
  // Spare drafts exist only in the first minutes of an order.
  const placed = events.filter(({ kind }) => kind === 'place').map(({ at }) => at);
  draw(profile.estimates, () => ({
    at: random.pick(placed) + random.below(900_000),
    nth: 0,
    kind: 'estimates',
  }));
  draw(profile.outages, () => ({
    ...soon(),
    kind: 'outage',
    milliseconds: random.pick([60_000, 600_000, 6 * HOUR]),
  }));
}

/** Plans periods in which the print service's searches succeed but find nothing. They begin before something happens. */
function planBlindness(random: ChaosRandom, { blindness, searchLagMs }: Profile, events: Event[]): void {
  const moments = events.map(({ at }) => at);
  for (let left = blindness; left > 0; left -= 1) {
    const at = Math.max(0, random.pick(moments) - random.below(30_000));
    const end = at + random.pick([60_000, 600_000, 6 * HOUR]);
    events.push({ at, nth: 0, kind: 'search lag', milliseconds: FOREVER_MS });
    events.push({ at: end, nth: 0, kind: 'search lag', milliseconds: searchLagMs });
  }
}

/** Plans one or two restores, each a short time after the moment that the database returns to. */
function planRestores(random: ChaosRandom, events: Event[]): void {
  const moments = events.map(({ at }) => at);
  let from = 0;
  for (let left = 1 + random.below(2); left > 0; left -= 1) {
    const at = Math.max(from, random.pick(moments) + random.below(30_000));
    from = at + random.below(random.pick([5_000, 60_000, HOUR, 8 * HOUR]));
    events.push({ at, nth: 0, kind: 'backup' }, { at: from, nth: 0, kind: 'restore' });
  }
}

function pickWeighted<One extends { weight: number }>(random: ChaosRandom, all: readonly One[]): One {
  let left = random.between(0, 1) * all.reduce((total, { weight }) => total + weight, 0);
  const picked = all.find(({ weight }) => (left -= weight) < 0) ?? all.at(-1);
  if (!picked) throw new Error('nothing to pick from');
  return picked;
}
