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
  const start = indexInChain(from === 'in_production' ? 'passed' : WAITING.includes(from) ? 'created' : from);
  const end = indexInChain(to);
  return start >= 0 && end > start ? CHAIN.slice(start + 1, end + 1) : null;
}

function indexInChain(status: string): number {
  return CHAIN.findIndex((step) => step === status);
}
