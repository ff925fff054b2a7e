/** How far an order has come when it is changed in the store, with the words of the document. */
const STATE_WORDS = {
  waiting: 'waiting in its delay',
  quoted: 'quoted, about to be sent',
  draft: 'a draft left at the service',
  confirming: 'its confirm under way',
  uncertain: 'sent directly, no answer yet',
  submitted: 'submitted',
  serviceHold: 'held by the service',
  inProduction: 'in production',
  shipped: 'shipped, not pushed yet',
  fulfilled: 'fulfilled',
} as const;
export type State = keyof typeof STATE_WORDS;
export const STATES = Object.keys(STATE_WORDS) as State[];

const CHANGE_WORDS = {
  quantityDown: 'Units taken out',
  lineRemoved: 'A line taken out',
  lineAdded: 'A line added',
  quantityUp: 'Units added',
  addressChanged: 'Another address',
  partialRefund: 'A unit refunded',
  fullRefund: 'All refunded',
  canceled: 'Order cancelled',
  cancellationRequested: 'Cancellation of the fulfilment requested',
  held: 'Fulfilment put on hold',
  moved: 'Fulfilment moved to another service',
  tagged: 'Something else: a tag, a note, the fraud analysis',
} as const;
export type Change = keyof typeof CHANGE_WORDS;
export const CHANGES = Object.keys(CHANGE_WORDS) as Change[];

const OUTCOME_WORDS = {
  asItIs: ['as it is now', 'printed once, as the order is now'],
  asItWas: ['as sent', 'what was sent is printed and shipped; nothing is to be done'],
  beside: ['beside', 'what was ordered first is printed once, and what was added as a print order of its own'],
  told: [
    'told',
    'what was sent is printed; the order is held with `changed_after_submit`, which says what differs and what to do',
  ],
  nothing: ['nothing', 'nothing is printed; what was at the print service is deleted or cancelled there'],
  waits: ['waits', 'nothing is printed until the hold is released in the store'],
  tooLate: [
    'too late',
    'what was sent is printed; the order is held with `cannot_cancel`, and a request to cancel is rejected in the store',
  ],
  rejected: ['rejected', 'what was sent is on its way; the request to cancel is rejected in the store with the reason'],
  impossible: ['-', 'the store does not allow this change then'],
} as const;
export type Outcome = keyof typeof OUTCOME_WORDS;

const all = (outcome: Outcome): Record<State, Outcome> =>
  Object.fromEntries(STATES.map((state) => [state, outcome])) as Record<State, Outcome>;
const unsent = (outcome: Outcome): Partial<Record<State, Outcome>> => ({
  waiting: outcome,
  quoted: outcome,
  draft: outcome,
});

/** What becomes of an order by the change and by how far it has come. */
export const TABLE: Record<Change, Record<State, Outcome>> = {
  quantityDown: { ...all('told'), ...unsent('asItIs'), fulfilled: 'impossible' },
  lineRemoved: { ...all('told'), ...unsent('asItIs'), fulfilled: 'impossible' },
  lineAdded: all('beside'),
  quantityUp: all('beside'),
  addressChanged: { ...all('told'), ...unsent('asItIs'), fulfilled: 'asItIs' },
  partialRefund: { ...all('told'), ...unsent('asItIs'), fulfilled: 'asItWas' },
  fullRefund: { ...all('told'), ...unsent('nothing'), fulfilled: 'asItWas' },
  canceled: { ...all('nothing'), inProduction: 'tooLate', shipped: 'tooLate', fulfilled: 'impossible' },
  cancellationRequested: {
    ...all('nothing'),
    waiting: 'impossible',
    inProduction: 'tooLate',
    shipped: 'rejected',
    fulfilled: 'impossible',
  },
  held: { ...all('asItIs'), ...unsent('waits'), fulfilled: 'impossible' },
  // Once its progress is reported, the store moves it no more.
  moved: {
    ...all('told'),
    ...unsent('nothing'),
    inProduction: 'impossible',
    shipped: 'impossible',
    fulfilled: 'impossible',
  },
  tagged: all('asItIs'),
};

/** The table as a document. */
export function renderTable(): string {
  const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [
    '# Changes of an order after it was paid',
    '',
    'What becomes of an order by what is changed in the store and by how far it has come then. The table is the data of',
    '`test/flows/changes-after-payment.ts`, and each cell is proved by `test/flows/changes-after-payment.deep.ts`.',
    '',
    row(['change', ...STATES.map((state) => STATE_WORDS[state])]),
    row(['---', ...STATES.map(() => '---')]),
    ...CHANGES.map((change) =>
      row([CHANGE_WORDS[change], ...STATES.map((state) => OUTCOME_WORDS[TABLE[change][state]][0])]),
    ),
    '',
    ...Object.values(OUTCOME_WORDS).map(([short, long]) => `- **${short}**: ${long}.`),
    '',
    'An order that is held is on hold in the store too (`holdsInStore`), where the store takes a hold: not of a fulfilment that is in progress, as one at the',
    'location of Platen is once its request is accepted. There the tag and the metafield of the order say it, with `tagsOrders` and `writesOrderMetafields`, which are off',
    'until they are switched on, since they need the permission `write_orders`. With neither, the hold is shown in Platen alone: on its page in the store and by',
    '`platen orders list`. The timeline of the order says where.',
    '',
  ].join('\n');
}
