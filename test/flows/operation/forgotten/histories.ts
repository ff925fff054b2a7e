import { BOOK, EVENTS, MUG, SHIRT, STAGES, type Event, type Stage } from './events.ts';

/** How the shop submits its orders. */
export interface Way {
  words: string;
  extended: boolean;
  settings: Record<string, unknown>;
}

export const WAYS = {
  draft: { words: 'by draft', extended: true, settings: { submit: 'draft' } },
  direct: { words: 'directly', extended: true, settings: { submit: 'direct' } },
  left: {
    words: 'as drafts that the merchant confirms',
    extended: true,
    settings: { submit: 'draft', leavesDrafts: true },
  },
  page: {
    words: "with the interface page's calls alone",
    extended: false,
    settings: { submit: 'direct', extendedCalls: false },
  },
  v2: { words: 'through v2', extended: true, settings: { printInterface: 'v2' } },
  v1: { words: 'through v1', extended: true, settings: { printInterface: 'v1' } },
} as const satisfies Record<string, Way>;

/** What the order contains, and how the merchant divides it before it is paid. Everything but the first part is held in the store. */
export interface Shape {
  words: string;
  cart: Record<string, number>;
  /** The units of the second fulfillment order, by line. */
  split: readonly number[];
}

const SHAPES = {
  whole: { words: 'an order', cart: { [MUG]: 2 }, split: [] },
  unit: { words: 'one unit of a line', cart: { [MUG]: 2 }, split: [1] },
  part: { words: 'one of two parts', cart: { [MUG]: 2, [SHIRT]: 1 }, split: [0, 1] },
  mixed: { words: 'two lines in two parts', cart: { [MUG]: 2, [SHIRT]: 2 }, split: [1, 1] },
  connected: { words: 'two lines that no facility prints together', cart: { [MUG]: 2, [BOOK]: 1 }, split: [] },
} as const satisfies Record<string, Shape>;

/** One case: at which stage the backup was made, what happened after it, and how Platen learns of the restore. */
export interface History {
  /** Its place in the table. */
  number: number;
  words: string;
  shape: Shape;
  backup: Stage;
  event: Event;
  isReported: boolean;
}

/** Each event with each shape and each earlier backup. */
const ALL: readonly History[] = EVENTS.flatMap((event) =>
  STAGES.slice(0, STAGES.indexOf(event.at) + 1).flatMap((backup) =>
    Object.values(SHAPES)
      .filter(({ split }) => event.needsParts !== true || split.length > 0)
      .flatMap((shape) => [true, false].map((isReported) => ({ shape, backup, event, isReported }))),
  ),
).map((history, number) => ({ ...history, number, words: describeHistory(number, history) }));

function describeHistory(number: number, { shape, backup, event, isReported }: Omit<History, 'number' | 'words'>) {
  const copied = backup === 'none' ? 'before it was placed' : `when it was ${backup}`;
  const reported = isReported ? ', with "platen restored"' : '';
  return `${number}: ${shape.words} that ${event.words}, from a backup ${copied}${reported}`;
}

/** The histories that one restore ends. */
const MAX_TOGETHER = 40;

/**
 * Returns every nth history of the table, grouped into those that one shop can live through at the same time, each with a title.
 * `PLATEN_HISTORY`, for example `7` or `0-79`, chooses others.
 */
export function pickHistories(nth: number): [string, History[]][] {
  const [first, last = first] = (process.env['PLATEN_HISTORY'] ?? '').split('-').map(Number);
  const isPicked = (number: number): boolean =>
    first ? first <= number && number <= (last ?? first) : number % nth === 0;
  const together = Map.groupBy(
    ALL.filter(({ number }) => isPicked(number)),
    describeShop,
  );
  return [...together].flatMap(([words, all]) =>
    chunk(all, MAX_TOGETHER).map((some): [string, History[]] => [
      `${some.length} orders from ${some[0]?.number}, ${words},`,
      some,
    ]),
  );
}

function describeShop({ event, isReported }: History): string {
  const events = event.isOfShop === true ? `each ${event.words}` : 'each with its own event';
  return `${events}${isReported ? ', with "platen restored"' : ''}`;
}

function chunk<Item>(items: readonly Item[], size: number): Item[][] {
  return items.flatMap((_, index) => (index % size === 0 ? [items.slice(index, index + size)] : []));
}
