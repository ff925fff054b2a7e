import type { Action } from '../../../../src/orders/manual-actions/hold-actions.ts';
import { findShop } from '../../../../src/shops/find-shop.ts';
import { changeSettings, readSettings } from '../../../../src/shops/settings/settings.ts';
import { toOtherAddressOf } from '../../../chaos/orders/addresses.ts';
import { liveOrders, readPrinted, readStore, type StoreView } from '../../../simulate/judge/read-books.ts';
import { takeAction } from '../../../simulate/moves/manual-moves.ts';
import { callOrder, cancelFulfillment, fulfillByHand } from '../../../simulate/moves/store-moves.ts';
import { ask, Refused, type Scene } from '../../../simulate/scene.ts';

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

const [MUG, SHIRT] = ['MUG-11OZ', 'TSHIRT-M'];

const SHAPES = {
  whole: { words: 'an order', cart: { [MUG]: 2 }, split: [] },
  unit: { words: 'one unit of a line', cart: { [MUG]: 2 }, split: [1] },
  part: { words: 'one of two parts', cart: { [MUG]: 2, [SHIRT]: 1 }, split: [0, 1] },
  mixed: { words: 'two lines in two parts', cart: { [MUG]: 2, [SHIRT]: 2 }, split: [1, 1] },
} as const satisfies Record<string, Shape>;

/** How far an order is. */
export const STAGES = ['none', 'waiting', 'sent', 'printed', 'shipped'] as const;
export type Stage = (typeof STAGES)[number];

/** What happens to an order, and at which stage. */
interface Event {
  words: string;
  at: Stage;
  /** Whether the order must have a second fulfillment order. */
  needsParts?: true;
  act: (scene: Scene, settle: () => Promise<void>) => Promise<unknown>;
}

const inStore =
  (path: string, body: object = {}) =>
  (scene: Scene) =>
    callOrder(scene, path, body);

const onLine =
  (path: string, toBody: (line: { id: string; quantity: number }) => object) =>
  async (scene: Scene): Promise<unknown> => {
    const [line] = (await readStore(scene)).lines;
    return callOrder(scene, path, toBody({ id: line?.id ?? '', quantity: 1 }));
  };

const CLOSED = ['CLOSED', 'CANCELLED'];

async function openOf(scene: Scene): Promise<StoreView['fulfillmentOrders'][number][]> {
  const { fulfillmentOrders } = await readStore(scene);
  return fulfillmentOrders.filter(({ status }) => !CLOSED.includes(status));
}

const onFirstOpen =
  (act: (scene: Scene, one: StoreView['fulfillmentOrders'][number]) => Promise<unknown>) =>
  async (scene: Scene): Promise<unknown> => {
    const [one] = await openOf(scene);
    return one ? act(scene, one) : undefined;
  };

export async function advance(scene: Scene, to: string): Promise<void> {
  for (const { id } of liveOrders(await readPrinted(scene))) await ask(scene, 'print', `/orders/${id}/advance`, { to });
}

const choose =
  (action: Action) =>
  (scene: Scene): Promise<unknown> =>
    takeAction(scene, action, null);

async function addMug(scene: Scene): Promise<unknown> {
  const variants = (await ask(scene, 'store', '/variants', undefined, 'GET')) as { sku: string; variantId: string }[];
  const variantId = variants.find(({ sku }) => sku === MUG)?.variantId;
  return callOrder(scene, 'edit', { add: [{ variantId, quantity: 1 }] });
}

async function failAndPrintAgain(scene: Scene, settle: () => Promise<void>, times: number): Promise<void> {
  for (let left = times; left > 0; left -= 1) {
    await confirmDrafts(scene);
    await settle();
    await advance(scene, 'failed');
    await settle();
    await takeAction(scene, 'print-again', null);
    await settle();
  }
}

/** Does what may be refused. */
export async function quietly(act: () => Promise<unknown>): Promise<void> {
  await act().catch((error: unknown) => {
    if (!(error instanceof Refused)) throw error;
  });
}

const nothing = (): Promise<void> => Promise.resolve();

/** What the database forgets last. Everything between the backup and this is forgotten with it. */
const EVENTS: readonly Event[] = [
  { words: 'was sent', at: 'sent', act: nothing },
  { words: 'was being printed', at: 'printed', act: nothing },
  { words: 'had shipped', at: 'shipped', act: nothing },
  { words: 'was canceled before it was sent', at: 'waiting', act: inStore('cancel') },
  { words: 'was canceled in the store', at: 'sent', act: inStore('cancel') },
  { words: 'was canceled in the store while it was printed', at: 'printed', act: inStore('cancel') },
  { words: 'was canceled in Platen', at: 'sent', act: choose('cancel') },
  { words: 'was held in Platen', at: 'waiting', act: choose('hold') },
  { words: 'was canceled at the service', at: 'sent', act: (scene) => advance(scene, 'canceled') },
  { words: 'failed at the service', at: 'printed', act: (scene) => advance(scene, 'failed') },
  {
    words: 'failed at the service and was printed again',
    at: 'printed',
    act: (scene, settle) => failAndPrintAgain(scene, settle, 1),
  },
  {
    words: 'failed at the service twelve times and was printed again each time',
    at: 'sent',
    act: (scene, settle) => failAndPrintAgain(scene, settle, 12),
  },
  {
    words: 'was approved',
    at: 'waiting',
    async act(scene, settle) {
      await changeSettings(scene.platen.app, scene.platen.shop, { release: 'by_hand' });
      await callOrder(scene, 'pay');
      await settle();
      await takeAction(scene, 'approve', null);
    },
  },
  {
    words: 'got another unit, whose hold was resolved',
    at: 'printed',
    async act(scene, settle) {
      await addMug(scene);
      await settle();
      await quietly(() => takeAction(scene, 'continue', null));
    },
  },
  {
    words: 'lost a unit, whose hold was resolved',
    at: 'printed',
    async act(scene, settle) {
      await onLine('edit', (line) => ({ remove: [line] }))(scene);
      await settle();
      await quietly(() => takeAction(scene, 'continue', null));
    },
  },
  {
    words: 'got an address that fits',
    at: 'waiting',
    async act(scene, settle) {
      const shippingAddress = toOtherAddressOf('US', 'Buyer');
      await callOrder(scene, 'address', {
        shippingAddress: { ...shippingAddress, address1: 'A very long street '.repeat(6) },
      });
      await callOrder(scene, 'pay');
      await settle();
      await callOrder(scene, 'address', { shippingAddress });
    },
  },
  {
    words: 'was sent by another method than the shop uses now',
    at: 'sent',
    async act({ platen: { app, shop } }) {
      const { submit, printInterface, extendedCalls } = readSettings(await findShop(app, shop.id));
      if (printInterface !== 'current' || !extendedCalls) return;
      await changeSettings(app, shop, { submit: submit === 'draft' ? 'direct' : 'draft', leavesDrafts: false });
    },
  },
  {
    words: 'was printed again after it had shipped',
    at: 'shipped',
    act: (scene) => takeAction(scene, 'print-again', 0),
  },
  {
    words: 'got another address before it was confirmed',
    at: 'waiting',
    async act(scene, settle) {
      const refused = { method: 'PATCH', path: '/v4/orders/', kind: 'status', status: 422, rate: 1 };
      await ask(scene, 'print', '/faults', [refused]);
      await callOrder(scene, 'pay');
      await settle();
      await callOrder(scene, 'address', { shippingAddress: toOtherAddressOf('US', 'Buyer') });
      await ask(scene, 'print', '/faults', []);
    },
  },
  {
    words: 'got another address',
    at: 'sent',
    act: inStore('address', { shippingAddress: toOtherAddressOf('US', 'Buyer') }),
  },
  { words: 'lost a unit by a refund', at: 'waiting', act: onLine('refund', (line) => ({ lines: [line] })) },
  { words: 'lost a sent unit by a refund', at: 'sent', act: onLine('refund', (line) => ({ lines: [line] })) },
  {
    words: 'lost a printed unit by a refund',
    at: 'printed',
    act: onLine('refund', (line) => ({ lines: [line] })),
  },
  { words: 'was refunded', at: 'sent', act: inStore('refund') },
  { words: 'got another unit', at: 'sent', act: addMug },
  { words: 'got another unit after it had shipped', at: 'shipped', act: addMug },
  { words: 'lost a unit by an edit', at: 'sent', act: onLine('edit', (line) => ({ remove: [line] })) },
  {
    words: 'was split',
    at: 'waiting',
    act: onFirstOpen(async (scene, { id, lines }) => {
      const line = lines.find(({ remaining }) => remaining > 1);
      if (line) await callOrder(scene, 'split', { fulfillmentOrderId: id, lines: [{ id: line.id, quantity: 1 }] });
    }),
  },
  {
    words: 'was released and merged',
    at: 'waiting',
    needsParts: true,
    async act(scene) {
      await callOrder(scene, 'release');
      await callOrder(scene, 'merge');
    },
  },
  {
    words: "was moved to the merchant's location",
    at: 'waiting',
    act: onFirstOpen((scene, { id }) => callOrder(scene, 'move', { fulfillmentOrderId: id, to: 'own' })),
  },
  {
    words: 'was moved to another app',
    at: 'waiting',
    act: onFirstOpen((scene, { id }) => callOrder(scene, 'move', { fulfillmentOrderId: id, to: 'other' })),
  },
  {
    words: 'lost its fulfillment in the store',
    at: 'shipped',
    async act(scene) {
      const [one] = (await readStore(scene)).fulfillments;
      if (one) await cancelFulfillment(scene, one.id);
    },
  },
  { words: 'was fulfilled by hand', at: 'sent', act: onFirstOpen((scene, { id }) => fulfillByHand(scene, id, null)) },
  {
    words: 'was fulfilled by hand before it was sent',
    at: 'waiting',
    act: onFirstOpen((scene, { id }) => fulfillByHand(scene, id, null)),
  },
  { words: 'was released in the store', at: 'sent', needsParts: true, act: inStore('release') },
  {
    words: 'was released in the store after its first part had shipped',
    at: 'shipped',
    needsParts: true,
    act: inStore('release'),
  },
];

/** One case: at which stage the backup was made, what happened after it, and how Platen learns of the restore. */
export interface History {
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
);

/** Returns every nth history with its title and its index. */
export function pickHistories(nth: number, offset = 0): [string, History, number][] {
  return [...ALL.entries()]
    .filter(([index]) => index % nth === offset)
    .map(([index, history]) => [describeHistory(history), history, index]);
}

function describeHistory({ shape, backup, event, isReported }: History): string {
  const copied = backup === 'none' ? 'before it was placed' : `when it was ${backup}`;
  return `${shape.words} that ${event.words}, from a backup ${copied}${isReported ? ', with "platen restored"' : ''}`;
}

/** As a merchant who confirms drafts at the print service. Drafts of a held order count as wanted. */
export async function confirmDrafts(scene: Scene): Promise<void> {
  const left = (await readPrinted(scene)).filter(({ orderType, deleted }) => orderType === 'draft' && deleted !== true);
  for (const { id } of left) await ask(scene, 'print', `/orders/${id}/advance`, { to: 'created' });
}
