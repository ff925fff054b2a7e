import { PlatenError } from '../../../src/errors.ts';
import { performManualAction } from '../../../src/orders/manual-actions/perform-manual-action.ts';
import type { Action } from '../../../src/orders/manual-actions/hold-actions.ts';
import { addUnits } from '../judge/ledger.ts';
import { SHIPPED, liveOrders, readPrinted } from '../judge/read-books.ts';
import { Refused, type Scene } from '../scene.ts';
import type { Move } from './step.ts';

/** Creates a manual action on an order or on its nth print order. */
const byHand = (weight: number, action: Action): Move => ({
  weight,
  draw(random) {
    const nth = random.chance(0.3) ? random.below(2) : null;
    const about = nth === null ? 'the order' : `print order ${nth + 1}`;
    return {
      words: `the merchant chooses ${action} for ${about}`,
      act: (scene) => takeAction(scene, action, nth),
    };
  },
});

/**
 * Acts as the merchant on the order or, if `nth` is not null, on one of its print orders. Throws Refused. Someone who acts while a process dies does not learn the result, so the ledger counts on the action until Platen refuses it. */
export async function takeAction(scene: Scene, action: Action, nth: number | null): Promise<string> {
  const { platen, order, ledger } = scene;
  const printed = await readPrinted(scene);
  const references = [...new Set(printed.map(({ orderReferenceId }) => orderReferenceId))];
  const printOrder = nth === null ? null : (references[nth % Math.max(1, references.length)] ?? null);
  const again =
    action === 'print-again'
      ? liveOrders(printed)
          .filter(
            ({ orderReferenceId, fulfillmentStatus }) =>
              SHIPPED.includes(fulfillmentStatus) && (printOrder === null || orderReferenceId === printOrder),
          )
          .flatMap(({ items }) => items)
      : [];
  const count = (sign: 1 | -1): void => {
    for (const { itemReferenceId, quantity } of again) addUnits(ledger.reprints, itemReferenceId, sign * quantity);
  };
  const { settled, closed } = ledger;
  if (action === 'continue' || action === 'close' || action === 'cancel') ledger.settled = true;
  if (action === 'close') ledger.closed = true;
  count(1);
  try {
    const { done } = await scene.inApp((app) =>
      performManualAction(app, platen.shop, { order: order.id, action, printOrder, by: 'merchant' }),
    );
    return done.join(' ');
  } catch (error) {
    if (!(error instanceof PlatenError)) return 'the merchant got no response';
    Object.assign(ledger, { settled, closed });
    count(-1);
    throw new Refused(error.message);
  }
}

/** Manual actions in Platen. */
export const manualMoves: readonly Move[] = [
  byHand(3, 'approve'),
  byHand(3, 'retry'),
  byHand(3, 'continue'),
  byHand(2, 'hold'),
  byHand(2, 'cancel'),
  byHand(4, 'print-again'),
  byHand(2, 'close'),
];
