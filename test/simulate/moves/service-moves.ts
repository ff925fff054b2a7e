import { addUnits } from '../judge/ledger.ts';
import { liveOrders, readPrinted, type PrintRecord } from '../judge/read-books.ts';
import { ask, Refused, type Scene } from '../scene.ts';
import type { Move } from './step.ts';

/** Unusual tracking codes that carriers and people write and that stores accept. */
const UNUSUAL_CODES = ['1Z:99,AA', 'A', 'ÄÖ-77', 'X'.repeat(80), '#(12)+<3>', 'AB CD 12;34'];

const advance = (scene: Scene, { id }: PrintRecord, body: object) => ask(scene, 'print', `/orders/${id}/advance`, body);

/** Creates a step for the nth live order at the service. */
const ofOrder = (
  weight: number,
  words: string,
  act: (scene: Scene, one: PrintRecord, tag: string) => Promise<unknown>,
): Move => ({
  weight,
  draw(random) {
    const [nth, tag] = [random.below(2), random.below(1e9).toString(36).toUpperCase()];
    return {
      words: nth === 0 ? words : `${words} (order ${nth + 1})`,
      async act(scene) {
        const live = liveOrders(await readPrinted(scene));
        const one = live[nth % Math.max(1, live.length)];
        if (!one) throw new Refused('The print service has no live order.');
        await act(scene, one, tag);
      },
    };
  },
});

const to = (weight: number, status: string): Move =>
  ofOrder(weight, `the service says ${status}`, (scene, one) =>
    advance(scene, one, { to: status, comment: status === 'on_hold' ? 'Please call us.' : '' }),
  );

const items = ({ items: all }: PrintRecord): string[] => all.map(({ itemReferenceId }) => itemReferenceId);

/** Creates a step for a draft at the service, as a person would perform it in the dashboard. */
const ofDraft = (weight: number, words: string, act: (scene: Scene, draft: PrintRecord) => Promise<unknown>): Move => ({
  weight,
  draw: () => ({
    words,
    async act(scene) {
      const [draft] = (await readPrinted(scene)).filter(({ orderType, deleted }) => orderType === 'draft' && !deleted);
      if (!draft) throw new Refused('The print service has no draft.');
      await act(scene, draft);
    },
  }),
});

/** Actions of the print service and of a person in its dashboard. */
export const serviceMoves: readonly Move[] = [
  to(6, 'passed'),
  to(6, 'printed'),
  to(9, 'shipped'),
  to(2, 'in_transit'),
  to(2, 'delivered'),
  to(1, 'returned'),
  to(2, 'on_hold'),
  to(1, 'created'),
  to(3, 'canceled'),
  to(3, 'failed'),
  ofOrder(4, 'the service ships one item alone', (scene, one, tag) => {
    const [item] = one.items.filter(
      ({ fulfillmentStatus }) => !['shipped', 'canceled', 'failed'].includes(fulfillmentStatus),
    );
    if (!item) throw new Refused('Every item has shipped.');
    const itemReferenceId = item.itemReferenceId;
    return advance(scene, one, {
      to: 'shipped',
      items: [itemReferenceId],
      packages: [{ items: [itemReferenceId], trackingCode: `ONE${tag}` }],
    });
  }),
  ofOrder(2, 'one item fails', (scene, one) => advance(scene, one, { to: 'failed', items: items(one).slice(0, 1) })),
  ofOrder(2, 'one item is canceled', (scene, one) =>
    advance(scene, one, { to: 'canceled', items: items(one).slice(-1) }),
  ),
  ofOrder(2, 'the service ships without tracking', (scene, one) =>
    advance(scene, one, { to: 'shipped', packages: [] }),
  ),
  ofOrder(2, 'the service adds a code to a shipped order', (scene, one, tag) =>
    advance(scene, one, { to: one.fulfillmentStatus, packages: [{ items: items(one), trackingCode: `LATE${tag}` }] }),
  ),
  ofOrder(2, 'the service corrects a code', (scene, one, tag) => {
    const [old] = one.shipment.packages;
    if (!old) throw new Refused('The order has no code.');
    if (!scene.showsItems) scene.ledger.hiddenCorrections.add(old.trackingCode);
    return advance(scene, one, {
      to: one.fulfillmentStatus,
      packages: [{ items: items(one), trackingCode: `NEW${tag}`, replaces: old.trackingCode }],
    });
  }),
  {
    weight: 2,
    draw(random) {
      const trackingCode = random.pick(UNUSUAL_CODES);
      return {
        words: `the service ships with the code ${JSON.stringify(trackingCode)}`,
        async act(scene) {
          const [one] = liveOrders(await readPrinted(scene));
          if (!one) throw new Refused('The print service has no live order.');
          await advance(scene, one, { to: 'shipped', packages: [{ items: items(one), trackingCode }] });
        },
      };
    },
  },
  ofDraft(1, 'the draft is deleted in the dashboard', (scene, { id }) => dashboardDelete(scene, id)),
  ofDraft(1, 'the draft is confirmed in the dashboard', async (scene, draft) => {
    await advance(scene, draft, { to: 'created' });
    for (const { itemReferenceId, quantity } of draft.items) addUnits(scene.ledger.reprints, itemReferenceId, quantity);
  }),
  ofDraft(1, 'an item of the draft is doubled in the dashboard', (scene, { id, items: [item] }) => {
    if (!item) throw new Refused('The draft has no item.');
    const { itemReferenceId, quantity } = item;
    addUnits(scene.ledger.reprints, itemReferenceId, quantity);
    return ask(scene, 'print', `/orders/${id}/edit`, { items: [{ itemReferenceId, quantity: quantity * 2 }] });
  }),
  { weight: 2, draw: () => payment('the service refuses the payments of the account', true) },
  { weight: 3, draw: () => payment('the service accepts the payments of the account', false) },
];

const payment = (words: string, refused: boolean) => ({
  words,
  act: async (scene: Scene) => void (await ask(scene, 'print', '/payment', { refused })),
});

async function dashboardDelete(scene: Scene, id: string): Promise<void> {
  await ask(scene, 'print', `/orders/${id}`, undefined, 'DELETE');
}
