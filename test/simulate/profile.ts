import type { ChaosRandom } from '../chaos/orders/random.ts';
import type { Call, CallFault } from './world/network.ts';
import type { QueryFault } from './world/database.ts';

/** What goes wrong during a seed, and how often. */
export interface Profile {
  /** The number of Platen's processes. */
  processes: 1 | 2;
  /** How often a timer fires although other events could still happen. */
  haste: number;
  /** How often a query's answer arrives later than the next event. */
  lingering: number;
  /** How often a call fails, and in which ways. */
  calls: { rate: number; kinds: readonly CallFault['kind'][] };
  /** How often a request to create a print order fails, and takes effect later. */
  lateCreates: number;
  /** How often a query's connection is lost. */
  queries: number;
  /** How often a process dies. */
  deaths: number;
  /** How often a process is suspended. */
  suspensions: number;
  /** How often the own clock of a process jumps. */
  jumps: number;
  /** How often the database is restarted, and how often it crashes. */
  databaseOutages: number;
  crashes: number;
  /** How often the print service changes all its delivery estimates. */
  estimates: number;
  /** How often the print service does not respond at all for a while. */
  outages: number;
  /** How often the print service's searches find nothing for a while. */
  blindness: number;
  webhooks: { drop: number; duplicate: number; shuffleMs: number };
  searchLagMs: number;
}

const KINDS = ['refused', 'reset', 'hang', 'late', 'slow', 'status', 'half'] as const;

/** Draws what goes wrong. Some seeds are calm, some have one kind of fault, and some have many. */
export function drawProfile(random: ChaosRandom): Profile {
  const calm = random.chance(0.15);
  const often = random.pick([0.25, 0.5, 0.75]);
  const draw = <Value>(values: readonly Value[], none: Value): Value =>
    !calm && random.chance(often) ? random.pick(values) : none;
  return {
    processes: random.chance(0.5) ? 2 : 1,
    haste: draw([0.002, 0.01, 0.03], 0),
    lingering: random.pick([0.05, 0.2, 0.5]),
    calls: {
      rate: draw([0.01, 0.05, 0.15, 0.3], 0),
      kinds: random.chance(0.5) ? [random.pick(KINDS)] : KINDS,
    },
    queries: draw([0.0005, 0.002, 0.01], 0),
    deaths: draw([2, 5, 12], 0),
    suspensions: draw([2, 8, 20], 0),
    jumps: draw([2, 6], 0),
    outages: draw([1, 3], 0),
    blindness: draw([1, 3], 0),
    webhooks: {
      drop: draw([0.05, 0.3], 0),
      duplicate: draw([0.1, 1], 0),
      shuffleMs: draw([2_000, 60_000], 0),
    },
    searchLagMs: draw([500, 3_000], 0),
    databaseOutages: draw([1, 3], 0),
    lateCreates: draw([0.5], 0),
    estimates: random.pick([2, 4]),
    crashes: random.chance(0.5) ? draw([2, 4], 0) : 0,
  };
}

/** A call may take effect at most this long after it failed, because the submit protocol relies on it. */
const LATE_MS = 240_000;
const READS = /(:search|:quote)$|\/_control/;
const CREATES = /^\/v\d+\/orders$/;

/** Returns whether a call creates an order at the print service or a fulfillment in the store. */
export function isCreate({ method, url, body }: Call): boolean {
  return method === 'POST' && (CREATES.test(url.pathname) || /\bfulfillmentCreate\b/.test(body));
}

/** Draws what goes wrong with a call. The stand-ins themselves refuse most calls that are refused. */
export function drawCallFault({ calls, lateCreates }: Profile, random: ChaosRandom, call: Call): CallFault {
  if (lateCreates > 0 && call.method === 'POST' && CREATES.test(call.url.pathname) && random.chance(lateCreates))
    return { kind: 'late', milliseconds: random.below(LATE_MS) };
  if (calls.rate === 0 || !random.chance(calls.rate)) return { kind: 'none' };
  const when = random.pick(['before', 'after'] as const);
  const kind = random.pick(calls.kinds);
  switch (kind) {
    case 'late': {
      const writes = call.method !== 'GET' && !READS.test(call.url.pathname);
      return writes ? { kind, milliseconds: random.below(LATE_MS) } : { kind: 'reset', when };
    }
    case 'slow':
      return { kind, when, milliseconds: random.pick([50, 1_000, 8_000, 25_000]) };
    case 'status':
      if (call.method === 'POST' && CREATES.test(call.url.pathname) && random.chance(0.1))
        return { kind, when: 'before', status: 422 };
      return random.chance(0.3)
        ? { kind, when: 'before', status: 429, ...(random.chance(0.7) && { retryAfter: 1 + random.below(60) }) }
        : { kind, when, status: random.pick([500, 502, 503, 504]) };
    case 'reset':
    case 'hang':
      return { kind, when };
    default:
      return { kind };
  }
}

/** Draws what goes wrong with a call while searches find nothing. Half of the create requests take effect but get no usable response. */
export function drawFaultOfBlindness(random: ChaosRandom, { method, url }: Call): CallFault {
  if (method !== 'POST' || !CREATES.test(url.pathname) || !random.chance(0.5)) return { kind: 'none' };
  return random.pick([
    { kind: 'reset', when: 'after' },
    { kind: 'status', when: 'after', status: random.pick([500, 502, 503, 504]) },
  ] as const);
}

export function drawQueryFault({ queries }: Profile, random: ChaosRandom): QueryFault {
  if (queries === 0 || !random.chance(queries)) return 'none';
  return random.pick(['lost-before', 'lost-after'] as const);
}
