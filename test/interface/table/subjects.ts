import { at, fullBody, type Samples } from './bodies.ts';
import { CALLS } from '../check/client-calls.ts';
import { waitFor, type StandIn } from '../check/stand-in.ts';
import type { Call } from './table.ts';

// Creates the orders and promises at the stand-in that the calls of the table use.

export type Version = 'v1' | 'v2';

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

  function shippedOrder(): Promise<string> {
    return once('shipped', async () => {
      const id = await createTestOrder({ 'items[].productUid': POSTER });
      await standIn.get('POST', `/_control/orders/${id}/advance`, { to: 'shipped' });
      return id;
    });
  }

  /** Requests a promise for an order with this reference. */
  async function promise(version: Version, reference: string | number): Promise<string> {
    const body = requestOf(`quote${version.toUpperCase()}`, { orderReferenceId: reference, productUid: POSTER });
    return text(await standIn.get('POST', `/${version}/quote`, body), 'production.shipments[0].promiseUid');
  }

  /** Creates an order from a promise and waits for its status. Returns the path of the status request. */
  function earlierOrder(version: Version, reference: string | number): Promise<string> {
    return once(`${version} ${reference}`, async () => {
      const promiseUid = await promise(version, reference);
      await standIn.get('POST', `/${version}/order/create`, { promiseUid });
      const path = `/${version}/order/status/${reference}`;
      await waitFor(
        () => standIn.ask('GET', path),
        ({ status }) => status === 200,
      );
      return path;
    });
  }

  return { createTestOrder, shippedOrder, promise, earlierOrder };
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
