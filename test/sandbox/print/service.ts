import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { z } from 'zod';
import { orderSchema, searchOrderRecordSchema } from '../../../src/print/current/objects.ts';
import { startPrintService, type PrintServiceOptions } from '../../../sandbox/print/start.ts';
import { useTestClock } from '../../helpers/eventually.ts';

export const POSTER = 'flat_130x180-mm-5r_170-gsm-65lb-uncoated_4-0_ver';
export const MUG = 'mug_product_msz_11-oz_mmat_ceramic-white_cl_4-0';
export const PHOTO_BOOK = 'photobooks-softcover_pf_210x210-mm-8x8-inch_pt_170-gsm-coated-silk_cl_4-4_bt_glued-left';

export const ADDRESS = {
  firstName: 'Paul',
  lastName: 'Smith',
  addressLine1: '451 Clarkson Ave',
  city: 'New York',
  postCode: '11203',
  state: 'NY',
  country: 'US',
  email: 'paul.smith@example.com',
};
const FILE = 'https://files.example/print.pdf';

/** Returns an item of a create request. */
export function item(itemReferenceId: string, productUid = POSTER, more: Record<string, unknown> = {}) {
  return { itemReferenceId, productUid, quantity: 1, fileUrl: FILE, ...more };
}

/** Returns a product of a quote request. */
function product(itemReferenceId: string, productUid = POSTER, more: Record<string, unknown> = {}) {
  return { itemReferenceId, productUid, quantity: 1, files: [{ type: 'default', url: FILE }], ...more };
}

/** Returns the body of a create request for one poster to New York. */
export function createBody(orderReferenceId: string, more: Record<string, unknown> = {}) {
  return {
    orderReferenceId,
    customerReferenceId: 'customer-1',
    currency: 'USD',
    items: [item('line-1')],
    shippingAddress: ADDRESS,
    ...more,
  };
}

/** Returns the body of a quote request for one poster to New York. */
export function quoteBody(more: Record<string, unknown> = {}) {
  return {
    orderReferenceId: 'ref-1',
    customerReferenceId: 'customer-1',
    currency: 'USD',
    recipient: ADDRESS,
    products: [product('line-1')],
    ...more,
  };
}

const errorSchema = z.object({
  code: z.string(),
  message: z.string(),
  details: z.array(z.object({ message: z.string(), reference: z.string(), code: z.string() })),
});
const searchSchema = z.object({ orders: z.array(searchOrderRecordSchema) });
const bookedSchema = z.array(orderSchema.extend({ deleted: z.boolean().optional() }));
type CallOptions = { key?: string | null; signal?: AbortSignal };

/** Creates a client for a running stand-in. The client parses responses with the app's own schemas. */
function createClient(url: string) {
  async function call(method: string, path: string, body?: unknown, { key = 'sandbox-key', signal }: CallOptions = {}) {
    const response = await fetch(url + path, {
      method,
      headers: { 'content-type': 'application/json', ...(key === null ? {} : { 'x-api-key': key }) },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      ...(signal ? { signal } : {}),
    });
    const answer: unknown = await response.json();
    return { status: response.status, body: answer };
  }
  async function ok(method: string, path: string, body?: unknown, options: CallOptions = {}): Promise<unknown> {
    const answer = await call(method, path, body, options);
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body;
  }
  return {
    url,
    call,
    ok,
    async refused(method: string, path: string, body?: unknown, options: CallOptions = {}) {
      const { status, body: answer } = await call(method, path, body, options);
      return { status, ...errorSchema.parse(answer) };
    },
    create: async (body: unknown, options?: CallOptions) =>
      orderSchema.parse(await ok('POST', '/v3/orders', body, options)),
    get: async (id: string) => orderSchema.parse(await ok('GET', `/v4/orders/${id}`)),
    confirm: async (id: string) => orderSchema.parse(await ok('PATCH', `/v4/orders/${id}`, { orderType: 'order' })),
    search: async (filters: unknown, options?: CallOptions) =>
      searchSchema.parse(await ok('POST', '/v4/orders:search', filters, options)).orders,
    advance: async (id: string, body: unknown) =>
      orderSchema.parse(await ok('POST', `/_control/orders/${id}/advance`, body)),
    booked: async () => bookedSchema.parse(await ok('GET', '/_control/orders')),
  };
}
export type Client = ReturnType<typeof createClient>;

/** Creates a folder that is deleted after the test. */
async function createHome(): Promise<string> {
  const home = await mkdtemp(join(tmpdir(), 'platen-sandbox-'));
  onTestFinished(() => rm(home, { recursive: true, force: true }));
  return home;
}

/** Starts a stand-in on the test's clock that advances orders only through control endpoints and stops after the test. */
export async function startService(options: Partial<PrintServiceOptions> = {}) {
  const clock = await useTestClock();
  const home = options.home ?? (await createHome());
  const service = await startPrintService({ clock, port: 0, advanceSeconds: null, extended: true, ...options, home });
  let open = true;
  const close = async () => {
    if (open) await service.close();
    open = false;
  };
  onTestFinished(close);
  return { ...createClient(service.url), clock, home, port: service.port, close };
}

export type Service = Awaited<ReturnType<typeof startService>>;
