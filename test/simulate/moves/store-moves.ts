import { readOrderForPlan } from '../../../src/shopify/calls/orders.ts';
import { openAdmin } from '../../../src/shops/tokens/tokens.ts';
import { toOtherAddressOf } from '../../chaos/orders/addresses.ts';
import type { ChaosRandom } from '../../chaos/orders/random.ts';
import { countUnits, toNumericId } from '../judge/count-units.ts';
import { addUnits } from '../judge/ledger.ts';
import { readBooks, readStore, type StoreView } from '../judge/read-books.ts';
import { ask, Refused, type Scene } from '../scene.ts';
import type { Move, Step } from './step.ts';

const PRINTED = ['POSTER-30X40', 'MUG-11OZ', 'TSHIRT-M', 'CARDS', 'BOOK-28'];

/** Does something to the order in the store, for example `callOrder(scene, 'cancel')`. */
export const callOrder = (scene: Scene, path: string, body: object = {}): Promise<unknown> =>
  ask(scene, 'store', `/orders/${encodeURIComponent(scene.order.id)}/${path}`, body);

const simple = (weight: number, words: string, path: string, body: object = {}): Move => ({
  weight,
  draw: () => ({ words, act: async (scene) => void (await callOrder(scene, path, body)) }),
});

/** Creates a step for units in the order's nth line. */
const ofLine = (
  weight: number,
  words: (quantity: string, nth: number) => string,
  act: (scene: Scene, line: { id: string; quantity: number }) => Promise<unknown>,
): Move => ({
  weight,
  draw(random) {
    const [nth, isWhole] = [random.below(3), random.chance(0.4)];
    return {
      words: words(isWhole ? 'all' : 'one', nth + 1),
      async act(scene) {
        const { lines } = await readStore(scene);
        const line = lines[nth % lines.length];
        if (!line) throw new Refused('The order has no line.');
        await act(scene, { id: line.id, quantity: isWhole ? line.quantity : 1 });
      },
    };
  },
});

/** Creates a step for the nth open fulfillment order. */
const ofFulfillmentOrder = (
  weight: number,
  words: (nth: number) => string,
  act: (scene: Scene, one: StoreView['fulfillmentOrders'][number]) => Promise<unknown>,
): Move => ({ weight, draw: (random) => onFulfillmentOrder(random, words, act) });

function onFulfillmentOrder(
  random: ChaosRandom,
  words: (nth: number) => string,
  act: (scene: Scene, one: StoreView['fulfillmentOrders'][number]) => Promise<unknown>,
): Step {
  const nth = random.below(3);
  return {
    words: words(nth + 1),
    async act(scene) {
      const { fulfillmentOrders } = await readStore(scene);
      const open = fulfillmentOrders.filter(({ status }) => !['CLOSED', 'CANCELLED'].includes(status));
      const one = open[nth % open.length];
      if (!one) throw new Refused('No fulfillment order is open.');
      await act(scene, one);
    },
  };
}

const moveTo = (to: 'service' | 'own' | 'other', weight: number): Move =>
  ofFulfillmentOrder(
    weight,
    (nth) =>
      `fulfillment order ${nth} is moved to ${{ service: 'Platen', own: 'the merchant', other: 'another app' }[to]}`,
    (scene, { id }) => callOrder(scene, 'move', { fulfillmentOrderId: id, to }),
  );

const FULFILL = `mutation MerchantFulfills($fulfillment: FulfillmentInput!) {
  fulfillmentCreate(fulfillment: $fulfillment) { fulfillment { id } userErrors { message } }
}`;
const CANCEL = `mutation MerchantCancelsFulfillment($id: ID!) { fulfillmentCancel(id: $id) { userErrors { message } } }`;

/** Runs a merchant's mutation through the Admin API, for actions that have no control endpoint in the stand-in. */
async function mutate(scene: Scene, name: string, text: string, variables: Record<string, unknown>) {
  const { app, shop } = scene.platen;
  try {
    const admin = await openAdmin(app, shop);
    return await admin.request({ name, kind: 'mutation', text } as never, variables as never);
  } catch (error) {
    throw new Refused(error instanceof Error ? error.message : String(error));
  }
}

/** Fulfills all units of a fulfillment order, or some units of its first line. */
export async function fulfillByHand(
  scene: Scene,
  fulfillmentOrderId: string,
  code: string | null,
  quantity: number | null = null,
): Promise<void> {
  const { ledger } = scene;
  const some = quantity === null ? null : [{ id: await readFirstLine(scene, fulfillmentOrderId), quantity }];
  const known = new Set((await readStore(scene)).fulfillments.map(({ id }) => id));
  await mutate(scene, 'MerchantFulfills', FULFILL, {
    fulfillment: {
      lineItemsByFulfillmentOrder: [
        { fulfillmentOrderId, ...(some === null ? {} : { fulfillmentOrderLineItems: some }) },
      ],
      ...(code === null ? {} : { trackingInfo: { numbers: [code] } }),
    },
  });
  const after = await readBooks(scene);
  const made = after.store.fulfillments.filter(({ id }) => !known.has(id));
  for (const { id } of made) ledger.byHand.add(id);
  // If steps overlap, the units that the merchant fulfills may have been sent to print a moment earlier.
  const lines = new Map(countUnits(after, ledger).map((line) => [line.id, line]));
  for (const one of made) {
    for (const { id, quantity } of one.lines) {
      const line = lines.get(id);
      const printed = line ? line.live - line.done - (ledger.markedByHand.get(toNumericId(id)) ?? 0) : 0;
      addUnits(ledger.markedByHand, toNumericId(id), Math.max(0, Math.min(quantity, printed)));
    }
  }
}

async function readFirstLine({ platen: { app, shop }, order }: Scene, fulfillmentOrderId: string) {
  const read = await readOrderForPlan(await openAdmin(app, shop), order.id, { withCustomer: false });
  return read?.fulfillmentOrders.find(({ id }) => id === fulfillmentOrderId)?.lines[0]?.id;
}

export async function cancelFulfillment(scene: Scene, id: string): Promise<void> {
  await mutate(scene, 'MerchantCancelsFulfillment', CANCEL, { id });
}

/** A merchant who wants the units again may also request them from Platen, as for a first fulfillment. */
export const cancelsFulfillment: Move = {
  weight: 3,
  draw(random) {
    const [nth, wantsAgain] = [random.below(3), random.chance(0.5)];
    return {
      words: `fulfillment ${nth + 1} is canceled in the store${wantsAgain ? ', and its units are requested again' : ''}`,
      async act(scene) {
        const { cancelledAt, fulfillments } = await readStore(scene);
        const one = fulfillments[nth % Math.max(1, fulfillments.length)];
        if (!one) throw new Refused('There is no fulfillment.');
        await cancelFulfillment(scene, one.id);
        // The fulfillment showed that its units had shipped. On a canceled order, nothing is left to decide about them.
        if (cancelledAt !== null) scene.ledger.settled = true;
        if (wantsAgain) await callOrder(scene, 'request-fulfillment');
      },
    };
  },
};

/** Actions by buyers and merchants on an order in the store. */
export const storeMoves: readonly Move[] = [
  simple(3, 'the order is paid', 'pay'),
  {
    weight: 5,
    draw(random) {
      const [sku, quantity] = [random.pick([...PRINTED, 'VASE']), 1 + random.below(2)];
      return {
        words: `${quantity} ${sku} is added to the order`,
        async act(scene) {
          const variants = (await ask(scene, 'store', '/variants', undefined, 'GET')) as {
            sku: string;
            variantId: string;
          }[];
          const variantId = variants.find((one) => one.sku === sku)?.variantId;
          await callOrder(scene, 'edit', { add: [{ variantId, quantity }] });
        },
      };
    },
  },
  ofLine(
    6,
    (quantity, nth) => `${quantity} of line ${nth} is taken out of the order`,
    (scene, line) => callOrder(scene, 'edit', { remove: [line] }),
  ),
  ofLine(
    4,
    (quantity, nth) => `${quantity} of line ${nth} is refunded and restocked`,
    (scene, line) => callOrder(scene, 'refund', { lines: [line] }),
  ),
  ofLine(
    2,
    (quantity, nth) => `${quantity} of line ${nth} is refunded without restocking`,
    (scene, line) => callOrder(scene, 'refund', { lines: [line], restock: false }),
  ),
  simple(1, 'everything is refunded', 'refund'),
  simple(1, 'an amount is refunded without a line', 'refund', { amount: '1.00' }),
  {
    weight: 3,
    draw: () => ({
      words: 'the address is changed',
      act: async (scene) =>
        void (await callOrder(scene, 'address', { shippingAddress: toOtherAddressOf('US', 'Buyer') })),
    }),
  },
  simple(3, 'the cancellation of the fulfillment is requested', 'request-cancellation'),
  simple(2, 'fulfillment is requested', 'request-fulfillment'),
  simple(1, 'the request for fulfillment is withdrawn', 'withdraw'),
  simple(2, 'the order is canceled', 'cancel'),
  ofFulfillmentOrder(
    4,
    (nth) => `fulfillment order ${nth} is put on hold`,
    (scene, { id }) => callOrder(scene, 'hold', { fulfillmentOrderId: id }),
  ),
  simple(4, 'the holds of the fulfillment orders are released', 'release'),
  ofFulfillmentOrder(
    3,
    (nth) => `fulfillment order ${nth} is split`,
    (scene, { id, lines }) => {
      const line = lines.find(({ remaining }) => remaining > 0);
      if (!line) throw new Refused('The fulfillment order has no line to split.');
      return callOrder(scene, 'split', { fulfillmentOrderId: id, lines: [{ id: line.id, quantity: 1 }] });
    },
  ),
  simple(2, 'the fulfillment orders are merged', 'merge'),
  moveTo('other', 2),
  moveTo('own', 2),
  moveTo('service', 4),
  ofFulfillmentOrder(
    3,
    (nth) => `the merchant fulfills fulfillment order ${nth} by hand`,
    (scene, { id }) => fulfillByHand(scene, id, null),
  ),
  ofFulfillmentOrder(
    1,
    (nth) => `the merchant fulfills fulfillment order ${nth} by hand with a code`,
    (scene, { id }) => fulfillByHand(scene, id, 'BYHAND1'),
  ),
  cancelsFulfillment,
  simple(1, 'the fraud analysis says high', 'risk', { risk: 'high' }),
  simple(1, 'the fraud analysis says low', 'risk', { risk: 'low' }),
];
