import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { de } from '../../../src/admin/texts/de.ts';
import { en } from '../../../src/admin/texts/en.ts';
import { chooseLanguage } from '../../../src/admin/texts/texts.ts';
import { describeHold } from '../../../src/cli/orders/describe-hold.ts';
import type { Hold } from '../../../src/database/entities/orders.ts';
import type { PrintOrder, PrintOrderLine } from '../../../src/database/entities/print-orders.ts';
import type { Shop } from '../../../src/database/entities/shops.ts';
import type { HomeData } from '../../../src/http/pages/admin/read-home.ts';
import { areas, translateToGerman } from '../../../src/http/texts/german.ts';
import { holdCodes, remedyOf, type HoldCode } from '../../../src/orders/facts/hold-codes.ts';
import { describeOutcome, isEndedByApproval, outcomeReasons } from '../../../src/orders/facts/outcome-reasons.ts';
import { ONE_QUOTE_HINT } from '../../../src/orders/quote/find-quote-fault.ts';
import {
  findOfferedActions,
  listOrderActions,
  listStepsFor,
  type Action,
} from '../../../src/orders/manual-actions/hold-actions.ts';
import type { OrderHold } from '../../../src/orders/manual-actions/show-holds.ts';
import type { ShownStorefrontOrder } from '../../../src/orders/manual-actions/show-order.ts';

const ROOT = join(import.meta.dirname, '../../..');
const LANGUAGES = { en, de };
type Language = keyof typeof LANGUAGES;

/** The types of these tests do not include a browser's, so components and the library that renders them are imported without types. */
async function load<Module>(path: string): Promise<Module> {
  return (await import(path)) as Module;
}

const { h } = await load<{ h: (component: unknown, props: object) => unknown }>('preact');
const { renderToString } = await load<{ renderToString: (node: unknown) => string }>('preact-render-to-string');
const { Order } = await load<{ Order: unknown }>(join(ROOT, 'src/admin/pages/orders/order-content.tsx'));
const { AttentionSection } = await load<{ AttentionSection: unknown }>(
  join(ROOT, 'src/admin/pages/home/attention-section.tsx'),
);
const { WaitingSection } = await load<{ WaitingSection: unknown }>(
  join(ROOT, 'src/admin/pages/home/waiting-section.tsx'),
);
const { OrderDetails } = await load<{ OrderDetails: unknown }>(
  join(ROOT, 'extensions/order-block/src/order-details.tsx'),
);

const doNothing = (): Promise<void> => Promise.resolve();

/** Renders a component, and returns the labels of its buttons and links outside of dialogs. */
function listLabels(component: unknown, props: object): string[] {
  const html = renderToString(h(component, props)).replaceAll(/<s-modal.*?<\/s-modal>/gs, '');
  return Array.from(html.matchAll(/<s-(button|link)[^>]*>([^<]*)<\/s-\1>/g), (match) => match[2] ?? '');
}

/** Returns the names in quotation marks. */
function listNamed(text: string): string[] {
  return Array.from(text.matchAll(/["„](.+?)["“]/g), (match) => match[1] ?? '');
}

const inLanguage = (text: string, language: Language): string =>
  language === 'de' ? translateToGerman(text).text : text;

function readLocale(language: Language): Record<string, unknown> {
  const name = language === 'en' ? 'en.default' : language;
  return JSON.parse(readFileSync(join(ROOT, `extensions/order-block/locales/${name}.json`), 'utf8')) as Record<
    string,
    unknown
  >;
}

/** Returns the extension's functions for texts. A text that the locale lacks is an error, as in the admin. */
function toI18n(language: Language): object {
  const texts = readLocale(language);
  const translate = (key: string): string => {
    const found = key.split('.').reduce<unknown>((at, name) => (at as Record<string, unknown> | null)?.[name], texts);
    if (typeof found !== 'string') throw new Error(`the locale ${language} has no text ${key}`);
    return found;
  };
  return { translate, formatCurrency: String };
}

const ORDER: ShownStorefrontOrder = {
  orderId: 'gid://shopify/Order/1',
  name: '#1001',
  state: 'held',
  label: 'held',
  reason: null,
  waits: [],
  placedAt: '2026-11-20T12:00:00.000Z',
  approvedAt: null,
  heldAt: null,
  cancelAskedAt: null,
  canChange: { address: false, shipping: false },
  actions: [],
  holds: [],
  lines: [],
  printOrders: [],
  costs: null,
  timeline: [],
};

/** A print order that is held before it is confirmed. */
const UNSENT = { state: 'held', printInterface: 'current', printAccountId: 1 } as PrintOrder;
const SENT = { ...UNSENT, state: 'submitted', confirmedAt: new Date(0) } as const;
const FAILED = { ...SENT, state: 'failed' } as const;
const SHIPPED = { ...SENT, state: 'shipped' } as const;
/** The print order's state in which each hold usually opens. The others open before the print order is confirmed. */
const TYPICAL: Partial<Record<HoldCode, PrintOrder>> = {
  changed_after_submit: SENT,
  cannot_cancel: SENT,
  no_progress: SENT,
  service_failed: FAILED,
  service_canceled: FAILED,
  payment_refused: FAILED,
  service_returned: SHIPPED,
  no_tracking: SHIPPED,
  fulfillment_canceled: SHIPPED,
  fulfillment_refused: SHIPPED,
};

/** Returns what Platen offers for a hold in the state in which it usually opens. */
function listTypicalActions(code: string): readonly Action[] {
  const row = TYPICAL[code as HoldCode] ?? UNSENT;
  const unset = { cancelRequestedAt: null, closedAt: null, fencedAt: null, printAgainAt: null, confirmedAt: null };
  const printOrder: PrintOrder = { ...unset, ...row, id: '1' };
  const line = { quantity: 1, serviceStatus: null, printAgainAt: null, unitsOver: 0, unitsAgain: 0 };
  const hold = { code, printOrderId: '1' } as Hold;
  return findOfferedActions(hold, {
    shop: { printAccountId: 1 } as Shop,
    holds: [hold],
    printOrder,
    lines: [line as PrintOrderLine],
  });
}

/** Returns the actions on the order after its cancellation, which also resolves the hold. */
const listCanceledActions = (): Action[] =>
  listOrderActions({
    order: { heldAt: null, cancelAskedAt: new Date(0), outcomeReason: 'canceled_by_hand' },
    state: 'nothing_to_do',
    isHeld: false,
    canSend: true,
  });

function toHold(code: string, language: Language, message = 'It waits.'): OrderHold {
  return {
    code,
    field: null,
    message: inLanguage(message, language),
    remedy: inLanguage(remedyOf(code), language),
    adminUrl: null,
    actions: listTypicalActions(code),
    steps: listStepsFor(code),
    variant: { variantId: 'gid://shopify/ProductVariant/1', productId: 'gid://shopify/Product/1', sku: 'POSTER' },
    reference: null,
    since: ORDER.placedAt,
  };
}

/** Returns the labels on each page that shows a hold. */
function listHoldLabels(hold: OrderHold, language: Language): Record<string, string[]> {
  chooseLanguage(language);
  const order = { ...ORDER, holds: [hold] };
  const { orderId, name } = ORDER;
  const group = { code: hold.code, orders: 2, since: hold.since, oldest: { ...hold, orderId, name } };
  const home: Pick<HomeData, 'holds' | 'unlinked'> = { holds: [group], unlinked: { notLinked: 0, linked: 0 } };
  return {
    order: listLabels(Order, { order, reload: doNothing }),
    home: listLabels(AttentionSection, { home, problems: [], reload: doNothing }),
    block: listLabels(OrderDetails, { order, i18n: toI18n(language), isRunning: false, send: doNothing }),
  };
}

const stepLabels: readonly string[] = Object.values(en.steps);
/** Each message of a hold that names a step, with the codes of the holds that it may belong to. */
const NAMING_STEPS: Record<string, HoldCode[]> = {
  [ONE_QUOTE_HINT]: ['no_shipment_method', 'quote_refused'],
  'Under "Shipping rules", add a rule that names the code {code:words} and the shipping method to use instead.': [
    'no_shipment_method',
  ],
  'Check the address with "Change the address".': ['no_shipment_method'],
  'Choose another method with "Change the shipping method".': ['no_shipment_method'],
};

test('every message that names a step is tested with the holds that show it', () => {
  const remedies = new Set(holdCodes.map(remedyOf));
  const naming = Object.entries(areas)
    .flatMap(([area, catalog]) => (area === 'pages' ? [] : Object.keys(catalog)))
    .filter((text) => !remedies.has(text) && listNamed(text).some((name) => stepLabels.includes(name)));
  expect(naming.toSorted()).toEqual(Object.keys(NAMING_STEPS).toSorted());
});

describe.each(Object.keys(LANGUAGES) as Language[])('in the language %s', (language) => {
  test.each([...holdCodes, 'a_new_code'])(
    'each action that the remedy for %s names is a button or link with this label on the order’s page, the home page and the block',
    (code) => {
      const hold = toHold(code, language);
      const { cancel, approve } = LANGUAGES[language].actions;
      const named = listNamed(hold.remedy);
      // A remedy may name the approval of the order after its cancellation.
      const isApprovedLater = named.includes(cancel) && !hold.actions.includes('approve');
      const now = isApprovedLater ? named.filter((label) => label !== approve) : named;
      for (const [page, labels] of Object.entries(listHoldLabels(hold, language)))
        expect([page, labels]).toEqual([page, expect.arrayContaining(now)]);
      if (now !== named) expect(listCanceledActions()).toContain('approve');
    },
  );

  test.each(Object.entries(NAMING_STEPS).flatMap(([message, codes]) => codes.map((code) => [message, code] as const)))(
    'the step that the message %s names is a button or link with this label wherever the hold %s is shown',
    (message, code) => {
      const hold = toHold(code, language, message.replace('{code:words}', 'platen:drone:sky_7'));
      const named = listNamed(hold.message);
      expect(named).toHaveLength(1);
      for (const [page, labels] of Object.entries(listHoldLabels(hold, language)))
        expect([page, labels]).toEqual([page, expect.arrayContaining(named)]);
    },
  );

  test.each(outcomeReasons)(
    'each action that the reason %s names is a button with this label on the order’s page, the home page and the block',
    (code) => {
      const message = inLanguage(describeOutcome(code), language);
      const actions = listOrderActions({
        order: { heldAt: null, cancelAskedAt: null, outcomeReason: code },
        state: 'waiting',
        isHeld: false,
        canSend: false,
      });
      const order = { ...ORDER, state: 'waiting', reason: { code, message }, actions };
      const { orderId, name } = ORDER;
      const waits = [{ reference: null, message, since: null, tries: null, nextAt: null }];
      const waiting = { orders: [{ orderId, name, waits, isEndedByApproval: isEndedByApproval(code) }], total: 1 };
      chooseLanguage(language);
      const pages = {
        order: listLabels(Order, { order, reload: doNothing }),
        home: listLabels(WaitingSection, { waiting, reload: doNothing }),
        block: listLabels(OrderDetails, { order, i18n: toI18n(language), isRunning: false, send: doNothing }),
      };
      for (const [page, labels] of Object.entries(pages))
        expect([page, labels]).toEqual([page, expect.arrayContaining(listNamed(message))]);
    },
  );
});

test('every other message names an action by the label of its button', () => {
  const { actions } = en;
  const keys = Object.keys(actions) as (keyof typeof actions)[];
  const toKey = (name: string) =>
    keys.find((key) => [key.replace('-', ' '), actions[key].toLowerCase()].includes(name.toLowerCase()));
  const messages = Object.entries(areas).flatMap(([area, catalog]) =>
    area === 'pages' ? [] : Object.entries(catalog),
  );
  for (const [english, german] of messages)
    for (const name of listNamed(english)) {
      const key = toKey(name);
      if (key === undefined || english.includes('metafield')) continue;
      expect([english, name]).toEqual([english, actions[key]]);
      expect([english, listNamed(german)]).toEqual([english, expect.arrayContaining([de.actions[key]])]);
    }
});

test.each(holdCodes)('`platen orders show` lists a command for each action that the remedy for %s names', (code) => {
  const hold = toHold(code, 'en');
  const shown = describeHold(hold);
  const named = listNamed(hold.remedy);
  for (const [action, label] of Object.entries(en.actions))
    if (named.includes(label) && (code !== 'changed_after_submit' || action !== 'approve'))
      expect(shown).toContain(`platen orders ${action}`);
  // The command line changes neither addresses nor methods. The remedies also name the store or the settings.
  const steps = hold.steps.filter((step) => !step.startsWith('change-'));
  expect([code, /platen (shops|links|products) /.test(shown)]).toEqual([code, steps.length > 0]);
});
