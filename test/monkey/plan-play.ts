import { createChaosRandom, type ChaosRandom } from '../chaos/orders/random.ts';
import { serviceMoves } from './moves/service-moves.ts';
import { manualMoves } from './moves/manual-moves.ts';
import { storeMoves } from './moves/store-moves.ts';
import { faultMoves } from './moves/fault-moves.ts';
import type { Move, Step } from './moves/step.ts';

/** How a shop submits its orders, and whether its print account has the extended calls. */
export interface Way {
  words: string;
  /** Whether the print account has the extended calls. */
  extended: boolean;
  settings: Record<string, unknown>;
}

/** An order and the steps that affect it. */
export interface Play {
  way: Way;
  cart: Record<string, number>;
  isPaid: boolean;
  /** SKUs that Platen prints although they are stocked at the merchant's location. */
  atMerchant: readonly string[];
  steps: readonly Step[];
}

export const WAYS = {
  draft: { words: 'by draft', extended: true, settings: { submit: 'draft' } },
  direct: { words: 'directly', extended: true, settings: { submit: 'direct' } },
  'page-alone': {
    words: 'directly, without the extended calls',
    extended: false,
    settings: { submit: 'direct', extendedCalls: false },
  },
  mistaken: {
    words: 'by draft, to a service that lacks the extended calls',
    extended: false,
    settings: { submit: 'draft', extendedCalls: true },
  },
} as const satisfies Record<string, Way>;
export type WayName = keyof typeof WAYS;

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

/** Plans the order with this number. The same seed and number always give the same plan. */
export function planPlay(
  seed: number,
  index: number,
  { steps, ways }: { steps: number; ways: readonly WayName[] },
): Play {
  const random = createChaosRandom(seed).fork(`play ${index}`);
  const way: Way = WAYS[random.pick(ways)];
  const isDirect = way.settings['submit'] === 'direct';
  // The setting `leavesDrafts` needs draft mode.
  const more = pickWeighted(
    random,
    SETTINGS.filter(({ settings }) => !(isDirect && 'leavesDrafts' in settings)),
  );
  return {
    way: {
      ...way,
      words: more.words === '' ? way.words : `${way.words}, ${more.words}`,
      settings: { delayMinutes: 0, gatherSeconds: 0, ...way.settings, ...more.settings },
    },
    cart: random.pick(CARTS),
    isPaid: random.chance(0.9),
    atMerchant: random.chance(0.25) ? ['CARDS', 'TSHIRT-M', 'MUG-11OZ'] : [],
    // Each step has a separate random generator, so that adding or dropping a step does not change the other steps.
    steps: Array.from({ length: steps }, (_, nth) => drawStep(random.fork(`step ${nth}`))),
  };
}

/** The tables of moves and their relative frequencies. */
const ACTORS: readonly { weight: number; moves: readonly Move[] }[] = [
  { weight: 10, moves: storeMoves },
  { weight: 8, moves: serviceMoves },
  { weight: 4, moves: manualMoves },
  { weight: 8, moves: faultMoves },
];

function drawStep(random: ChaosRandom): Step {
  const { moves } = pickWeighted(random, ACTORS);
  return pickWeighted(random, moves).draw(random);
}

function pickWeighted<One extends { weight: number }>(random: ChaosRandom, all: readonly One[]): One {
  let left = random.between(0, 1) * all.reduce((total, { weight }) => total + weight, 0);
  const picked = all.find(({ weight }) => (left -= weight) < 0) ?? all.at(-1);
  if (!picked) throw new Error('nothing to pick from');
  return picked;
}
