import { at, change } from '../table/bodies.ts';
import type { Ledger } from './ledger.ts';
import { TIMES } from '../table/limits.ts';
import type { ServiceCall } from '../table/service-calls.ts';
import { getClock, waitFor, type StandIn } from './stand-in.ts';
import { TRANSITIONS } from '../table/states.ts';
import { callOf, requestOf, text, type Subjects } from '../table/subjects.ts';
import { walk } from '../table/table.ts';

const MUG = 'mug_product_msz_11-oz_mmat_ceramic-white_cl_4-0';
const PHOTO_BOOK = 'photobooks-softcover_pf_210x210-mm-8x8-inch_pt_170-gsm-coated-silk_cl_4-4_bt_glued-left';
const ENOUGH_ORDERS = 60;
/** Tolerance for a busy machine. */
const TOLERANCE_SECONDS = 2;

/** Returns the fields whose documented default is wrong: omitting the field does not have the same result as sending the default. */
export async function checkDefaults(
  standIn: StandIn,
  services: readonly ServiceCall[],
  ledger: Ledger,
): Promise<string[]> {
  await Promise.all(
    Array.from({ length: ENOUGH_ORDERS }, () => standIn.get('POST', '/v3/orders', requestOf('createOrder'))),
  );
  const wrong: string[] = [];
  for (const service of services) {
    const { call } = service;
    const path = await service.path();
    for (const { path: name, field } of walk(call.request ?? [])) {
      if (field.default === undefined) continue;
      const base = baseOf(call.name, name);
      const [without, withIt, other] = await Promise.all(
        [undefined, field.default, otherThan(field.default)].map(async (value) =>
          summarize(await standIn.get(call.method, path, change(base, { [name]: value }))),
        ),
      );
      if (without !== withIt || without === other) wrong.push(`${call.name} ${name}: ${without}, ${withIt}, ${other}`);
      ledger.done(`${call.name} default ${name}`, 'case');
    }
  }
  return wrong;
}

function baseOf(call: string, field: string): unknown {
  if (call === 'createOrder') return requestOf('createOrder');
  if (call !== 'quote') return field === 'offset' ? { limit: 2 } : {};
  const [product] = at(requestOf('quote'), 'products') as [object];
  const products = [
    { ...product, itemReferenceId: 'mug', productUid: MUG },
    { ...product, itemReferenceId: 'book', productUid: PHOTO_BOOK },
  ];
  return { ...requestOf('quote', { country: 'US', state: 'NY' }), products };
}

function otherThan(value: string | number | boolean): unknown {
  if (typeof value === 'number') return value + 1;
  return typeof value === 'boolean' ? !value : 'draft';
}

/**
 * Returns the parts of a response that the defaults affect: an order's type, the number of quotes, or the number of records and the first
 * ID.
 */
function summarize(answer: unknown): string {
  const quotes = at(answer, 'quotes');
  const records = at(answer, 'orders') ?? at(answer, 'products');
  if (Array.isArray(quotes)) return `${quotes.length} quotes`;
  if (!Array.isArray(records)) return text(answer, 'orderType');
  const ids = records.map((record: unknown) => String(at(record, 'id') ?? at(record, 'productUid')));
  return `${ids.length} records, the first ${ids[0]}`;
}

type TransitionName = (typeof TRANSITIONS)[number]['name'];

/** Performs a documented transition on the stand-in. Returns the differences. */
export async function checkTransition(
  name: TransitionName,
  standIn: StandIn,
  subjects: Subjects,
  ledger: Ledger,
): Promise<string[]> {
  ledger.done(`transition ${name}`, 'case');
  switch (name) {
    case 'draft deleted':
      return deleteDraft(standIn, subjects);
    case 'draft converted':
      return convertDraft(standIn, subjects);
    case 'status events':
    case 'tracking event':
      return TRANSITIONS.flatMap((row) => (row.name === name && 'sends' in row ? row.sends : [])).filter(
        (event) => !ledger.wasDone(`event ${event} orderId`, ['event']),
      );
    case 'promise taken':
      return takePromise(standIn, subjects, ledger);
    case 'promise expired':
      return expirePromise(standIn, subjects, ledger);
    case 'earlier order canceled':
      return cancelEarlier(standIn, subjects);
  }
}

async function deleteDraft(standIn: StandIn, { createTestOrder }: Subjects): Promise<string[]> {
  const [draft, order] = [await createTestOrder({ orderType: 'draft' }), await createTestOrder()];
  const { path } = callOf('deleteDraft');
  const deleted = await standIn.ask('DELETE', path.replace('{orderId}', draft));
  const refused = await standIn.ask('DELETE', path.replace('{orderId}', order));
  const left = await standIn.get('POST', '/v4/orders:search', { ids: [draft, order] });
  return [
    ...(deleted.status < 300 ? [] : [`the draft: ${deleted.status}`]),
    ...(refused.status >= 400 ? [] : [`an order: ${refused.status}`]),
    ...(at(left, 'orders[0].id') === order && at(left, 'orders[1]') === undefined
      ? []
      : ['the remaining record is not the order']),
  ];
}

async function convertDraft(standIn: StandIn, { createTestOrder }: Subjects): Promise<string[]> {
  const draft = await createTestOrder({ orderType: 'draft' });
  const patched = await standIn.get('PATCH', `/v4/orders/${draft}`, { orderType: 'order' });
  const byHand = await createTestOrder({ orderType: 'draft' });
  await standIn.get('POST', `/_control/orders/${byHand}/advance`, { to: 'created' });
  const shown = await standIn.get('GET', `/v4/orders/${byHand}`);
  return [patched, shown].flatMap((order) =>
    text(order, 'orderType') === 'order' && text(order, 'fulfillmentStatus') !== 'draft' ? [] : ['it is not an order'],
  );
}

async function takePromise(standIn: StandIn, { promise }: Subjects, ledger: Ledger): Promise<string[]> {
  const promiseUid = await promise('v2', 'taken-1');
  const begun = getClock().ticks();
  await standIn.get('POST', '/v2/order/create', { promiseUid });
  const path = '/v2/order/status/taken-1';
  const atOnce = await standIn.ask('GET', path);
  await waitFor(
    () => standIn.ask('GET', path),
    ({ status }) => status === 200,
  );
  const seconds = (getClock().ticks() - begun) / 1000;
  const [, latest] = TIMES.statusAvailability.seconds;
  ledger.done(`limit ${TIMES.statusAvailability.item}`, 'case');
  return [
    ...(atOnce.status === 404 ? [] : [`its status is available immediately: ${atOnce.status}`]),
    ...(seconds < latest + TOLERANCE_SECONDS ? [] : [`its status is available only after ${seconds} s`]),
  ];
}

async function expirePromise(standIn: StandIn, { promise }: Subjects, ledger: Ledger): Promise<string[]> {
  await standIn.get('POST', '/_control/promises', { lifeSeconds: 0.05 });
  const promiseUid = await promise('v2', 'expired-1');
  await standIn.get('POST', '/_control/promises', { lifeSeconds: null });
  const refusal = await waitFor(
    () => standIn.ask('POST', '/v2/order/create', { promiseUid }),
    ({ status }) => status !== 200,
  );
  const quoted = await standIn.get('POST', '/v2/quote', requestOf('quoteV2'));
  const expires = Date.parse(text(quoted, `production.shipments[0].${TIMES.promise.validUntil}`));
  ledger.done(`limit ${TIMES.promise.item}`, 'case');
  return [
    ...(refusal.status === 400 ? [] : [`an expired promise: ${refusal.status}`]),
    ...(expires > getClock().now().getTime() ? [] : ['a new promise has already expired']),
  ];
}

async function cancelEarlier(standIn: StandIn, { earlierOrder }: Subjects): Promise<string[]> {
  const path = await earlierOrder('v1', 7006);
  await standIn.get('POST', '/v1/order/cancel', { orderReferenceId: 7006 });
  const status = text(await standIn.get('GET', path), 'orderItem.status');
  return status === 'canceled' ? [] : [`it is ${status}`];
}
