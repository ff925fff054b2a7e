import { at, fullBody, type Samples } from './bodies.ts';
import { CALLS } from '../check/client-calls.ts';
import { FINANCIAL_STATUSES } from './states.ts';
import { waitFor, type StandIn } from '../check/stand-in.ts';
import type { Call } from './table.ts';

// Creates the orders and promises at the stand-in that the calls of the table use.

export type Version = 'v1' | 'v2';
/** The path prefix of a request to the earlier interface, on its live or test host. */
export type HostPrefix = '' | '/test';

const ENVELOPE = 'blank-envelopes_pf_a7-env_pt_120-g-env';
export const POSTER = 'flat_130x180-mm-5r_170-gsm-65lb-uncoated_4-0_ver';

/** Values that the stand-in accepts, such as its products and countries. */
export const SAMPLES: Samples = {
  country: 'DE',
  countryIsoCode: 'DE',
  productUid: ENVELOPE,
  pageCount: 28,
  shipmentMethodUid: 'normal',
  'products[].options[].productUid': ENVELOPE,
};

/** Sequences that cover every documented order status. */
const STATUS_SEQUENCES = [
  ['pending_approval', 'not_connected', 'on_hold', 'passed', 'printed', 'shipped'],
  ['failed', 'canceled'],
];
const EARLIER_STATUS_SEQUENCES = [
  ['passed', 'printed', 'shipped'],
  ['failed', 'canceled'],
];

export function createSubjects(standIn: StandIn) {
  const made = new Map<string, Promise<unknown>>();

  function once<Value>(name: string, make: () => Promise<Value>): Promise<Value> {
    const value = made.get(name) ?? make();
    made.set(name, value);
    return value as Promise<Value>;
  }

  async function createTestOrder(samples: Samples = {}): Promise<string> {
    return text(await standIn.get('POST', '/v3/orders', requestOf('createOrder', samples)), 'id');
  }

  function advance(orderId: string, change: Record<string, unknown>): Promise<unknown> {
    return standIn.get('POST', `/_control/orders/${orderId}/advance`, change);
  }

  function shippedOrder(): Promise<string> {
    return once('shipped', async () => {
      const id = await createTestOrder({ 'items[].productUid': POSTER });
      await advance(id, { to: 'shipped' });
      return id;
    });
  }

  /** Returns the Order Get responses for every documented fulfillment status and financial status. */
  function ordersOfEveryStatus(): Promise<unknown[]> {
    return once('orders of every status', async () => {
      const answers: unknown[] = [];
      const show = async (id: string) => answers.push(await standIn.get('GET', `/v4/orders/${id}`));
      await show(await createTestOrder({ orderType: 'draft' }));
      for (const way of STATUS_SEQUENCES) {
        const id = await createTestOrder({ 'items[].productUid': POSTER });
        await show(id);
        for (const to of way) {
          await advance(id, { to });
          await show(id);
        }
      }
      const id = await shippedOrder();
      for (const financialStatus of FINANCIAL_STATUSES) {
        await advance(id, { to: 'shipped', financialStatus });
        await show(id);
      }
      return answers;
    });
  }

  /** Requests a promise for an order with this reference. */
  async function promise(version: Version, reference: string | number, prefix: HostPrefix = ''): Promise<string> {
    const body = requestOf(`quote${version.toUpperCase()}`, { orderReferenceId: reference, productUid: POSTER });
    return text(await standIn.get('POST', `${prefix}/${version}/quote`, body), 'production.shipments[0].promiseUid');
  }

  /** Creates an order from a promise and waits for its status. Returns the path of the status request. */
  function earlierOrder(version: Version, reference: string | number, prefix: HostPrefix = ''): Promise<string> {
    return once(`${prefix} ${version} ${reference}`, async () => {
      const promiseUid = await promise(version, reference, prefix);
      await standIn.get('POST', `${prefix}/${version}/order/create`, { promiseUid });
      const path = `${prefix}/${version}/order/status/${reference}`;
      await waitFor(
        () => standIn.ask('GET', path),
        ({ status }) => status === 200,
      );
      return path;
    });
  }

  /** Returns the earlier interface's status responses for every documented status. */
  async function earlierStatuses(version: Version, references: readonly (string | number)[]): Promise<unknown[]> {
    const answers: unknown[] = [];
    for (const [index, way] of EARLIER_STATUS_SEQUENCES.entries()) {
      const reference = references[index] ?? '';
      const path = await earlierOrder(version, reference);
      const found = await standIn.get('POST', '/v4/orders:search', { orderReferenceId: String(reference) });
      for (const to of way) {
        await advance(text(found, 'orders[0].id'), { to });
        answers.push(await standIn.get('GET', path));
      }
    }
    return answers;
  }

  /** Places an order as a store does. */
  function placeStoreOrder(): Promise<string> {
    return once('order of a store', async () => {
      const order = requestOf('createOrder', { orderReferenceId: 'of-a-store' });
      const placed = { channel: 'shopify', storeId: 'store-1', order };
      return text(await standIn.get('POST', '/_control/orders', placed), 'id');
    });
  }

  return {
    createTestOrder,
    advance,
    shippedOrder,
    ordersOfEveryStatus,
    promise,
    earlierOrder,
    earlierStatuses,
    placeStoreOrder,
  };
}
export type Subjects = ReturnType<typeof createSubjects>;

/** Returns a complete request for a call, which the stand-in accepts. */
export function requestOf(name: string, samples: Samples = {}): Record<string, unknown> {
  return fullBody(callOf(name).request ?? [], { ...SAMPLES, ...samples });
}

export function callOf(name: string): Call {
  const call = CALLS.find((one) => one.name === name);
  if (call === undefined) throw new Error(`the table has no call ${name}`);
  return call;
}

/** Returns the text at a path in a response. */
export function text(answer: unknown, path: string): string {
  const value = at(answer, path);
  if (typeof value !== 'string') throw new Error(`no ${path} in ${JSON.stringify(answer).slice(0, 300)}`);
  return value;
}
