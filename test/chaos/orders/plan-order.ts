import { countries } from './addresses.ts';
import { OWN_STOCK_SKU, printedVariants } from './catalog.ts';
import { sumUnits } from '../books/order-books.ts';
import type { PlannedChange, Units } from './planned-order.ts';
import type { ChaosRandom } from './random.ts';
import type { ChaosShop } from './shops.ts';

interface Line {
  sku: string;
  quantity: number;
}

/** A planned change to an order: the store endpoint to call, and the delay after the order is placed. */
interface ChangePlan {
  kind: PlannedChange['kind'];
  act: {
    endpoint: 'remove' | 'add' | 'address' | 'refund' | 'cancel' | 'requestCancellation';
    lines?: Line[];
  };
  wants: Units;
  afterMs: number;
}

/** An order to be placed. */
export interface OrderPlan {
  shop: ChaosShop;
  buyer: string;
  country: string;
  lines: Line[];
  /** The number of the order's printed units. */
  wants: Units;
  change: ChangePlan | null;
}

const MAX_LINES = 4;
const MAX_UNITS = 3;
const OWN_STOCK_SHARE = 0.2;
/** Half of the changes happen before or while the order is sent. The other changes happen at any time, even long after shipping. */
const SOON_MS = 2_500;
const LATE_MS = 14_000;

/** The kinds of changes, with the share of orders that receive each kind. */
const CHANGES = [
  { share: 0.03, plan: takeUnitsOut },
  { share: 0.025, plan: addLine },
  { share: 0.025, plan: moveAway },
  { share: 0.06, plan: cancel },
  { share: 0.03, plan: refundUnit },
  { share: 0.03, plan: requestCancellation },
] as const;

/** Plans the order with this number. */
export function planOrder(shops: readonly ChaosShop[], index: number, random: ChaosRandom): OrderPlan {
  const printed = random.shuffle(printedVariants.map(({ sku }) => sku)).slice(0, 1 + random.below(MAX_LINES));
  const skus = random.chance(OWN_STOCK_SHARE) ? [...printed.slice(0, MAX_LINES - 1), OWN_STOCK_SKU] : printed;
  const lines = skus.map((sku) => ({ sku, quantity: 1 + random.below(MAX_UNITS) }));
  const ours = lines.filter(({ sku }) => sku !== OWN_STOCK_SKU);
  return {
    shop: random.pick(shops),
    buyer: `Buyer${index}`,
    country: random.pick(countries),
    lines,
    wants: toUnits(ours),
    change: planChange(ours, random),
  };
}

function planChange(lines: Line[], random: ChaosRandom): ChangePlan | null {
  let left = random.between(0, 1);
  const chosen = CHANGES.find(({ share }) => {
    left -= share;
    return left < 0;
  });
  if (!chosen) return null;
  const afterMs = random.chance(0.5) ? random.between(0, SOON_MS) : random.between(SOON_MS, LATE_MS);
  return { ...chosen.plan(lines, random), afterMs: Math.round(afterMs) };
}

type Change = Omit<ChangePlan, 'afterMs'>;

/** Removes a unit, or a whole line if other lines are left. */
function takeUnitsOut(lines: Line[], random: ChaosRandom): Change {
  const { sku, quantity } = random.pick(lines);
  const out = { sku, quantity: lines.length > 1 && random.chance(0.5) ? quantity : 1 };
  return { kind: 'edited', act: { endpoint: 'remove', lines: [out] }, wants: less(lines, out) };
}

function addLine(lines: Line[], random: ChaosRandom): Change {
  const added = { sku: random.pick(printedVariants).sku, quantity: 1 + random.below(2) };
  return { kind: 'edited', act: { endpoint: 'add', lines: [added] }, wants: toUnits([...lines, added]) };
}

function moveAway(lines: Line[]): Change {
  return { kind: 'address', act: { endpoint: 'address' }, wants: toUnits(lines) };
}

function cancel(): Change {
  return { kind: 'canceled', act: { endpoint: 'cancel' }, wants: {} };
}

function refundUnit(lines: Line[], random: ChaosRandom): Change {
  const back = { sku: random.pick(lines).sku, quantity: 1 };
  return { kind: 'refunded', act: { endpoint: 'refund', lines: [back] }, wants: less(lines, back) };
}

function requestCancellation(): Change {
  return { kind: 'cancellationRequested', act: { endpoint: 'requestCancellation' }, wants: {} };
}

function toUnits(lines: readonly Line[]): Units {
  return sumUnits(lines.map(({ sku, quantity }) => [sku, quantity]));
}

function less(lines: readonly Line[], { sku, quantity }: Line): Units {
  const units = toUnits(lines);
  return { ...units, [sku]: (units[sku] ?? 0) - quantity };
}
