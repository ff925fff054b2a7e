/** The way of every order, in steps that come by themselves. */
const CHAIN = ['created', 'passed', 'printed', 'shipped', 'in_transit', 'delivered'] as const;
const WAITING = ['uploading', 'on_hold', 'pending_approval', 'not_connected', 'pending_personalization', 'digitizing'];
const ENDS = ['failed', 'canceled'];

/** Where an order may go from a status in one step. */
const MOVES: Readonly<Record<string, readonly string[]>> = {
  draft: ['created'],
  created: ['passed', 'in_production', ...WAITING, ...ENDS],
  ...Object.fromEntries(WAITING.map((status) => [status, ['created', 'passed', ...WAITING, ...ENDS]])),
  passed: ['printed', 'in_production', 'on_hold', ...ENDS],
  in_production: ['printed', ...ENDS],
  printed: ['shipped', 'failed'],
  shipped: ['in_transit', 'delivered', 'returned'],
  in_transit: ['delivered', 'returned'],
  delivered: ['returned'],
  failed: ['canceled'],
  canceled: [],
  returned: [],
};

/** Steps that an order takes by itself; from any other status it moves only by control. */
const BY_ITSELF: Readonly<Record<string, string>> = {
  created: 'passed',
  uploading: 'passed',
  passed: 'printed',
  in_production: 'printed',
  printed: 'shipped',
};

/** The status that comes next by itself, if one does. */
export function nextStatus(from: string): string | undefined {
  return BY_ITSELF[from];
}

/**
 * The statuses an order passes through on its way from one to another, the last included, or null for a move that is not legal.
 * Along created, passed, printed, shipped, in_transit and delivered one move may take several steps.
 */
export function stepsBetween(from: string, to: string): readonly string[] | null {
  if (MOVES[from]?.includes(to)) return [to];
  const start = indexInChain(toChain(from));
  const end = indexInChain(to);
  return start >= 0 && end > start ? CHAIN.slice(start + 1, end + 1) : null;
}

/** Whether an item goes along when its order moves: those that wait or ended before it stay, but nothing outlives the end of its order. */
export function takesPart(item: string, order: string, to: string): boolean {
  return item === order || (ENDS.includes(to) && MOVES[item]?.includes(to) === true);
}

/**
 * The status of an order when some of its items moved: theirs when all agree; else that of the slowest of those that have not ended, one
 * that waits counting as the first step, and never one before `current`.
 */
export function joinStatuses(current: string, items: readonly string[]): string {
  const going = items.filter((status) => !ENDS.includes(status));
  if (going.length === 0) return items.includes('failed') ? 'failed' : 'canceled';
  const [first = current] = going;
  if (going.every((status) => status === first) && indexInChain(first) < 0) return first;
  const steps = going.map((status) => Math.max(0, indexInChain(toChain(status))));
  const slowest = Math.max(Math.min(...steps), indexInChain(toChain(current)));
  return going.every((status) => status === first) && slowest <= indexInChain(first)
    ? first
    : (CHAIN[slowest] ?? current);
}

function toChain(status: string): string {
  if (status === 'in_production') return 'passed';
  if (status === 'returned') return 'delivered';
  return WAITING.includes(status) ? 'created' : status;
}

function indexInChain(status: string): number {
  return CHAIN.findIndex((step) => step === status);
}
