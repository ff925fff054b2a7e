import type { Action } from '../../../../src/orders/manual-actions/hold-actions.ts';
import { copyLink } from '../../../../src/products/links/copy-link.ts';
import type { LinkTarget } from '../../../../src/products/links/parse-link.ts';
import { findShop } from '../../../../src/shops/find-shop.ts';
import { changeSettings, readSettings } from '../../../../src/shops/settings/settings.ts';
import { toOtherAddressOf } from '../../../chaos/orders/addresses.ts';
import { liveOrders, readPrinted, readStore, type StoreView } from '../../../simulate/judge/read-books.ts';
import { takeAction } from '../../../simulate/moves/manual-moves.ts';
import { callOrder, cancelFulfillment, fulfillByHand } from '../../../simulate/moves/store-moves.ts';
import { ask, Refused, type Scene } from '../../../simulate/scene.ts';

export const [MUG, SHIRT, BOOK] = ['MUG-11OZ', 'TSHIRT-M', 'BOOK-28'];

/** How far an order is. */
export const STAGES = ['none', 'waiting', 'sent', 'printed', 'shipped'] as const;
export type Stage = (typeof STAGES)[number];

type Step = (scene: Scene) => Promise<unknown>;

/** What happens to an order, and at which stage. */
export interface Event {
  words: string;
  at: Stage;
  /** Whether the order must have a second fulfillment order. */
  needsParts?: true;
  /** Whether it concerns the whole shop, so that it happens to all of the shop's orders or to none. */
  isOfShop?: true;
  /** Platen handles each step before the next one begins. */
  steps: readonly Step[];
}

const onLine =
  (path: string, toBody: (line: { id: string; quantity: number }) => object) =>
  async (scene: Scene): Promise<unknown> => {
    const [line] = (await readStore(scene)).lines;
    return callOrder(scene, path, toBody({ id: line?.id ?? '', quantity: 1 }));
  };

const onFirstOpen =
  (act: (scene: Scene, one: StoreView['fulfillmentOrders'][number]) => Promise<unknown>) =>
  async (scene: Scene): Promise<unknown> => {
    const { fulfillmentOrders } = await readStore(scene);
    const one = fulfillmentOrders.find(({ status }) => status !== 'CLOSED' && status !== 'CANCELLED');
    return one ? act(scene, one) : undefined;
  };

export async function advance(scene: Scene, to: string): Promise<void> {
  for (const { id } of liveOrders(await readPrinted(scene))) await ask(scene, 'print', `/orders/${id}/advance`, { to });
}

const choose =
  (action: Action) =>
  (scene: Scene): Promise<unknown> =>
    takeAction(scene, action, null);

async function readVariants(scene: Scene): Promise<{ sku: string; variantId: string }[]> {
  return (await ask(scene, 'store', '/variants', undefined, 'GET')) as { sku: string; variantId: string }[];
}

async function addMug(scene: Scene): Promise<unknown> {
  const variantId = (await readVariants(scene)).find(({ sku }) => sku === MUG)?.variantId;
  return callOrder(scene, 'edit', { add: [{ variantId, quantity: 1 }] });
}

/** Prints the mug as the t-shirt from now on. */
async function changeLink(scene: Scene): Promise<unknown> {
  const variants = await readVariants(scene);
  const toTarget = (sku: string): LinkTarget => ({
    shopifyVariantId: variants.find((one) => one.sku === sku)?.variantId ?? '',
    sku: null,
  });
  const { app, shop } = scene.platen;
  return copyLink(app, shop, { from: toTarget(SHIRT), to: toTarget(MUG) });
}

/** Does what may be refused. */
export async function quietly(act: () => Promise<unknown>): Promise<void> {
  await act().catch((error: unknown) => {
    if (!(error instanceof Refused)) throw error;
  });
}

/** As a merchant who confirms drafts at the print service. Drafts of a held order count as wanted. */
export async function confirmDrafts(scene: Scene): Promise<void> {
  const left = (await readPrinted(scene)).filter(({ orderType, deleted }) => orderType === 'draft' && deleted !== true);
  for (const { id } of left) await ask(scene, 'print', `/orders/${id}/advance`, { to: 'created' });
}

const inStore =
  (path: string, body: object = {}): Step =>
  (scene) =>
    callOrder(scene, path, body);

const pay = inStore('pay');
const changeAddress = inStore('address', { shippingAddress: toOtherAddressOf('US', 'Buyer') });
const shorten = (line: { id: string }): object => ({ remove: [line] });
const refundOne = onLine('refund', (line) => ({ lines: [line] }));
const failAndPrintAgain: readonly Step[] = [confirmDrafts, (scene) => advance(scene, 'failed'), choose('print-again')];

/** What the database forgets last. Everything between the backup and this is forgotten with it. */
export const EVENTS: readonly Event[] = [
  { words: 'was sent', at: 'sent', steps: [] },
  { words: 'was being printed', at: 'printed', steps: [] },
  { words: 'had shipped', at: 'shipped', steps: [] },
  { words: 'was canceled before it was sent', at: 'waiting', steps: [inStore('cancel')] },
  { words: 'was canceled in the store', at: 'sent', steps: [inStore('cancel')] },
  { words: 'was canceled in the store while it was printed', at: 'printed', steps: [inStore('cancel')] },
  { words: 'was canceled in Platen', at: 'sent', steps: [choose('cancel')] },
  { words: 'was held in Platen', at: 'waiting', steps: [choose('hold')] },
  { words: 'was canceled at the service', at: 'sent', steps: [(scene) => advance(scene, 'canceled')] },
  { words: 'failed at the service', at: 'printed', steps: [(scene) => advance(scene, 'failed')] },
  { words: 'failed at the service and was printed again', at: 'printed', steps: failAndPrintAgain },
  {
    words: 'failed at the service twelve times and was printed again each time',
    at: 'sent',
    steps: Array.from({ length: 12 }, () => failAndPrintAgain).flat(),
  },
  {
    words: 'was approved',
    at: 'waiting',
    isOfShop: true,
    steps: [
      async (scene) => {
        await changeSettings(scene.platen.app, scene.platen.shop, { release: 'by_hand' });
        await pay(scene);
      },
      choose('approve'),
    ],
  },
  {
    words: 'got another unit, whose hold was resolved',
    at: 'printed',
    steps: [addMug, (scene) => quietly(() => takeAction(scene, 'continue', null))],
  },
  {
    words: 'lost a unit, whose hold was resolved',
    at: 'printed',
    steps: [onLine('edit', shorten), (scene) => quietly(() => takeAction(scene, 'continue', null))],
  },
  {
    words: 'got an address that fits',
    at: 'waiting',
    steps: [
      async (scene) => {
        const shippingAddress = { ...toOtherAddressOf('US', 'Buyer'), address1: 'A very long street '.repeat(6) };
        await callOrder(scene, 'address', { shippingAddress });
        await pay(scene);
      },
      changeAddress,
    ],
  },
  {
    words: 'was sent by another method than the shop uses now',
    at: 'sent',
    isOfShop: true,
    steps: [
      async ({ platen: { app, shop } }) => {
        const { submit, printInterface, extendedCalls } = readSettings(await findShop(app, shop.id));
        if (printInterface !== 'current' || !extendedCalls) return;
        await changeSettings(app, shop, { submit: submit === 'draft' ? 'direct' : 'draft', leavesDrafts: false });
      },
    ],
  },
  { words: 'was sent with another print link', at: 'waiting', isOfShop: true, steps: [changeLink, pay] },
  { words: 'was sent before its print link changed', at: 'sent', isOfShop: true, steps: [changeLink] },
  {
    words: 'was printed again after it had shipped',
    at: 'shipped',
    steps: [(scene) => takeAction(scene, 'print-again', 0)],
  },
  {
    words: 'got another address before it was confirmed',
    at: 'waiting',
    isOfShop: true,
    steps: [
      async (scene) => {
        const refused = { method: 'PATCH', path: '/v4/orders/', kind: 'status', status: 422, rate: 1 };
        await ask(scene, 'print', '/faults', [refused]);
        await pay(scene);
      },
      changeAddress,
    ],
  },
  { words: 'got another address', at: 'sent', steps: [changeAddress] },
  { words: 'lost a unit by a refund', at: 'waiting', steps: [refundOne] },
  { words: 'lost a sent unit by a refund', at: 'sent', steps: [refundOne] },
  { words: 'lost a printed unit by a refund', at: 'printed', steps: [refundOne] },
  { words: 'was refunded', at: 'sent', steps: [inStore('refund')] },
  { words: 'got another unit', at: 'sent', steps: [addMug] },
  { words: 'got another unit after it had shipped', at: 'shipped', steps: [addMug] },
  { words: 'lost a unit by an edit', at: 'sent', steps: [onLine('edit', shorten)] },
  {
    words: 'was split',
    at: 'waiting',
    steps: [
      onFirstOpen(async (scene, { id, lines }) => {
        const line = lines.find(({ remaining }) => remaining > 1);
        if (line) await callOrder(scene, 'split', { fulfillmentOrderId: id, lines: [{ id: line.id, quantity: 1 }] });
      }),
    ],
  },
  {
    words: 'was released and merged',
    at: 'waiting',
    needsParts: true,
    steps: [
      async (scene) => {
        await callOrder(scene, 'release');
        await callOrder(scene, 'merge');
      },
    ],
  },
  {
    words: "was moved to the merchant's location",
    at: 'waiting',
    steps: [onFirstOpen((scene, { id }) => callOrder(scene, 'move', { fulfillmentOrderId: id, to: 'own' }))],
  },
  {
    words: 'was moved to another app',
    at: 'waiting',
    steps: [onFirstOpen((scene, { id }) => callOrder(scene, 'move', { fulfillmentOrderId: id, to: 'other' }))],
  },
  {
    words: 'lost its fulfillment in the store',
    at: 'shipped',
    steps: [
      async (scene) => {
        const [one] = (await readStore(scene)).fulfillments;
        if (one) await cancelFulfillment(scene, one.id);
      },
    ],
  },
  {
    words: 'was fulfilled by hand',
    at: 'sent',
    steps: [onFirstOpen((scene, { id }) => fulfillByHand(scene, id, null))],
  },
  {
    words: 'was fulfilled by hand before it was sent',
    at: 'waiting',
    steps: [onFirstOpen((scene, { id }) => fulfillByHand(scene, id, null))],
  },
  {
    words: 'had one unit fulfilled by hand before it was sent',
    at: 'waiting',
    steps: [onFirstOpen((scene, { id }) => fulfillByHand(scene, id, null, 1)), pay],
  },
  {
    words: 'had one unit fulfilled by hand after it was sent',
    at: 'sent',
    steps: [onFirstOpen((scene, { id }) => fulfillByHand(scene, id, null, 1))],
  },
  {
    words: 'lost its fulfillment in the store and was printed again',
    at: 'shipped',
    steps: [
      async (scene) => {
        const [one] = (await readStore(scene)).fulfillments;
        if (one) await cancelFulfillment(scene, one.id);
      },
      (scene) => quietly(() => takeAction(scene, 'print-again', null)),
    ],
  },
  { words: 'was released in the store', at: 'sent', needsParts: true, steps: [inStore('release')] },
  {
    words: 'was released in the store after its first part had shipped',
    at: 'shipped',
    needsParts: true,
    steps: [inStore('release')],
  },
];
