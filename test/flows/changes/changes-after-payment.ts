/** The states in which the tests change an order in the store, each with its column heading and meaning. */
const STATE_LABELS = {
  waiting: ['waiting', 'the order is waiting for its delay to end (`delayMinutes`, 30 minutes by default)'],
  quoted: ['quoted', 'a shipment method is chosen, and the order is about to be sent'],
  draft: ['draft', 'the order was left at the print service as a draft (`leavesDrafts`)'],
  confirming: ['confirming', "Platen is confirming the order's draft"],
  uncertain: ['no response', 'the order was sent directly, and the print service has not responded yet'],
  submitted: ['submitted', 'the print service has accepted the order'],
  serviceHold: ['held there', 'the print service has put the order on hold'],
  inProduction: ['production', 'the order is in production'],
  shipped: ['shipped', 'the order has shipped, but your store does not show this yet'],
  fulfilled: ['fulfilled', 'your store shows the order as fulfilled'],
} as const;
export type State = keyof typeof STATE_LABELS;
export const STATES = Object.keys(STATE_LABELS) as State[];

const CHANGE_LABELS = {
  quantityDown: 'Units removed',
  lineRemoved: 'Line removed',
  lineAdded: 'Line added',
  quantityUp: 'Units added',
  addressChanged: 'Address changed',
  partialRefund: 'Unit refunded',
  fullRefund: 'Everything refunded',
  canceled: 'Order canceled',
  cancellationRequested: 'Fulfillment cancellation requested',
  held: 'Fulfillment put on hold',
  editRequested: 'Buyer requests to remove a unit',
  moved: 'Fulfillment moved to another service',
  tagged: 'Tag, note, fraud analysis or similar changed',
} as const;
export type Change = keyof typeof CHANGE_LABELS;
export const CHANGES = Object.keys(CHANGE_LABELS) as Change[];

const OUTCOME_LABELS = {
  asItIs: ['as now', 'the order is printed once, in its current form'],
  asItWas: ['as sent', 'the order is printed and shipped as it was sent, and you do not need to do anything'],
  beside: ['added', 'the original units are printed once, and the added units as a separate print order'],
  changedAfterSubmit: [
    'held',
    'the order is printed as it was sent and held with `changed_after_submit`, which explains the difference and the remedy',
  ],
  nothing: ['not printed', 'nothing is printed, and everything at the print service is deleted or canceled'],
  waits: [
    'waits',
    'nothing is printed until the hold is released, or the request is resolved or declined, in your store',
  ],
  tooLate: [
    'too late',
    'the order is printed as it was sent and held with `cannot_cancel`; Platen rejects any cancellation request',
  ],
  rejected: [
    'rejected',
    'the parcel is on its way, so Platen rejects the cancellation request in your store and gives the reason',
  ],
  impossible: ['-', 'your store does not allow this change at this step'],
} as const;
export type Outcome = keyof typeof OUTCOME_LABELS;

const all = (outcome: Outcome): Record<State, Outcome> =>
  Object.fromEntries(STATES.map((state) => [state, outcome])) as Record<State, Outcome>;
const unsent = (outcome: Outcome): Partial<Record<State, Outcome>> => ({
  waiting: outcome,
  quoted: outcome,
  draft: outcome,
});

/** The outcome of each change in each state of an order. */
export const TABLE: Record<Change, Record<State, Outcome>> = {
  quantityDown: { ...all('changedAfterSubmit'), ...unsent('asItIs'), fulfilled: 'impossible' },
  lineRemoved: { ...all('changedAfterSubmit'), ...unsent('asItIs'), fulfilled: 'impossible' },
  lineAdded: all('beside'),
  quantityUp: all('beside'),
  addressChanged: { ...all('changedAfterSubmit'), ...unsent('asItIs'), fulfilled: 'asItIs' },
  partialRefund: { ...all('changedAfterSubmit'), ...unsent('asItIs'), fulfilled: 'asItWas' },
  fullRefund: { ...all('changedAfterSubmit'), ...unsent('nothing'), fulfilled: 'asItWas' },
  canceled: { ...all('nothing'), inProduction: 'tooLate', shipped: 'tooLate', fulfilled: 'impossible' },
  cancellationRequested: {
    ...all('nothing'),
    waiting: 'impossible',
    inProduction: 'tooLate',
    shipped: 'rejected',
    fulfilled: 'impossible',
  },
  held: { ...all('asItIs'), ...unsent('waits'), fulfilled: 'impossible' },
  editRequested: { ...all('asItIs'), ...unsent('waits'), fulfilled: 'impossible' },
  // After Platen has reported the start of printing, the store no longer allows moving the fulfillment order.
  moved: {
    ...all('changedAfterSubmit'),
    ...unsent('nothing'),
    inProduction: 'impossible',
    shipped: 'impossible',
    fulfilled: 'impossible',
  },
  tagged: all('asItIs'),
};

/** The states before anything is sent to print. The page has one table for these states and one for all others. */
const UNSENT: readonly State[] = ['waiting', 'quoted', 'draft'];

/** Renders the table as a page for merchants. */
export function renderTable(): string {
  return [
    '# Changes after payment',
    '',
    'This page shows what happens if an order is changed or canceled in your store after payment. The outcome depends',
    'on the change and on how far the order has progressed.',
    '',
    '## Before the order is sent to print',
    '',
    ...renderStates(UNSENT),
    '',
    '## While the order is sent, and afterward',
    '',
    ...renderStates(STATES.filter((state) => !UNSENT.includes(state))),
    '',
    '## What the outcomes mean',
    '',
    ...Object.values(OUTCOME_LABELS).map(([short, long]) => `- **${short}**: ${long}.`),
    '',
    '## Where held orders are shown',
    '',
    "Every held order is on Platen's page in your admin and in `platen orders list`.",
    '[Orders on hold](orders-on-hold.md#changes-after-an-order-was-sent) explains how to resolve the hold.',
    '',
    '- With `holdsInStore` (on by default), an order that is held with `changed_after_submit` and has not shipped is',
    '  also on hold in your store, if your store accepts the hold. Your store does not accept a hold on a',
    "  fulfillment in progress, such as a fulfillment at Platen's location after its request is accepted.",
    '- With `tagsOrders` and `writesOrderMetafields`, a tag and a metafield on the order show every hold. Both',
    '  settings are off by default, because they need the permission `write_orders`.',
    "- Otherwise, only Platen shows the hold. The order's timeline records where the hold is shown.",
    '',
    '## How it works',
    '',
    'The tables come from `test/flows/changes/changes-after-payment.ts`, and',
    '`test/flows/changes/changes-after-payment.full.ts` tests each cell.',
    '',
  ].join('\n');
}

/** Renders a table of each change's outcome in these states, followed by the meaning of each state. */
function renderStates(states: readonly State[]): string[] {
  const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [
    row(['change', ...states.map((state) => STATE_LABELS[state][0])]),
    `|${'---|'.repeat(states.length + 1)}`,
    ...CHANGES.map((change) =>
      row([CHANGE_LABELS[change], ...states.map((state) => OUTCOME_LABELS[TABLE[change][state]][0])]),
    ),
    '',
    ...states.map((state) => `- **${STATE_LABELS[state][0]}**: ${STATE_LABELS[state][1]}.`),
  ];
}
