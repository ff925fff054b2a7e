import type { ExtendedCalls, PrintClient, PrintService } from '../../src/print/client.ts';
import { orderSchema, quoteSchema, searchOrderRecordSchema } from '../../src/print/current/objects.ts';
import type { Order, SearchOrderRecord } from '../../src/print/current/objects.ts';
import type { CreateOrderRequest } from '../../src/print/current/orders-v3.ts';
import type { CallKind } from '../../src/print/http/send.ts';
import { toPrintError } from '../../src/print/http/to-print-error.ts';
import type { Clock } from './clock.ts';

/** An order or draft in the service's books. */
export interface BookedOrder {
  id: string;
  reference: string;
  orderType: 'order' | 'draft';
  status: string;
  body: CreateOrderRequest;
  createdAt: number;
  /** When the queued creation ends. Until then, no call except the create call shows the order. */
  shownAt: number;
  deleted: boolean;
}

/** A create request that the service received. The request may take effect later. */
interface TakenCreate {
  reference: string;
  orderType: 'order' | 'draft';
  body: string;
}

/** A call for which a worker waits until the test ends it. */
export interface Call {
  operation: keyof typeof METHODS;
  about: string;
  /** The content of a create call; null for other calls. */
  create: TakenCreate | null;
  /** The value of performance.now() after which the request is not sent. */
  sendDeadline: number | undefined;
  /** Carries out the request at the service and returns the service's response. */
  act: () => Answer;
  /** The response of a call that the service has already carried out, but whose response has not reached the worker. Null before that. */
  taken: Answer | null;
  end: (answer: Answer) => void;
}

/** A response with its status and value, or the error of a call without a response. */
type Answer = { status: number; value?: unknown } | { code: string; written: boolean };

/** How a call ends for the worker. */
export type Ending = 'answered' | 'lost' | 'error 500' | 'error 422' | 'error 429' | 'not sent' | 'repeated';
/** When the request takes effect at the service. */
export type Effect = 'now' | 'never' | 'late';

const METHODS = {
  createOrder: 'POST',
  searchOrders: 'POST',
  getOrder: 'GET',
  patchOrder: 'PATCH',
  deleteDraft: 'DELETE',
  cancelOrder: 'POST',
} as const;
const KINDS: Record<keyof typeof METHODS, CallKind> = {
  createOrder: 'create',
  searchOrders: 'read',
  getOrder: 'read',
  patchOrder: 'change',
  deleteDraft: 'delete',
  cancelOrder: 'change',
};

/**
 * The print service as the submit protocol sees it: orders and drafts by ID, references that may repeat, a search that lags, queued
 * creation, and calls that take effect before their response, long after it or never. No other part of the service is modeled.
 */
export class ReferenceService {
  readonly books: BookedOrder[] = [];
  readonly creates: TakenCreate[] = [];
  /** Descriptions of calls that the protocol forbids but that a client made. */
  readonly faults: string[] = [];
  readonly #clock: Clock;
  readonly #say: (line: string) => void;
  /** The records that the search shows. `#unindexed` has the changes that the search does not show yet. */
  readonly #index = new Map<string, SearchOrderRecord>();
  #unindexed: { at: number; record: SearchOrderRecord | null; id: string }[] = [];
  #late: { at: number; run: () => void; create: TakenCreate | null; about: string }[] = [];
  /** How long a create request is queued before other calls show its order. */
  queueMs = 0;
  /** Whether the search returns 200 with an empty result. */
  isBlind = false;

  constructor(clock: Clock, say: (line: string) => void) {
    this.#clock = clock;
    this.#say = say;
  }

  /** Returns the orders that are neither canceled nor deleted. */
  live(): BookedOrder[] {
    return this.books.filter(isLive);
  }

  /** Returns the create requests that may still take effect. */
  pendingCreates(): TakenCreate[] {
    return this.#late.flatMap(({ create }) => create ?? []);
  }

  /** Adds an order that no request created. */
  book(order: Pick<BookedOrder, 'id' | 'reference' | 'orderType' | 'status' | 'body'>): void {
    this.#change({ ...order, createdAt: this.#clock.ms, shownAt: this.#clock.ms, deleted: false });
    this.catchUpIndex(0);
  }

  /** Makes the search show all changes that are at least this old. */
  catchUpIndex(lagMs: number): void {
    const until = this.#clock.ms - lagMs;
    for (const { id, record } of this.#unindexed.filter(({ at }) => at <= until)) {
      if (record) this.#index.set(id, record);
      else this.#index.delete(id);
    }
    this.#unindexed = this.#unindexed.filter(({ at }) => at > until);
  }

  /** Applies the late effects that are due. */
  runLate(untilMs = this.#clock.ms): void {
    const due = this.#late.filter(({ at }) => at <= untilMs).toSorted((a, b) => a.at - b.at);
    this.#late = this.#late.filter(({ at }) => at > untilMs);
    const now = this.#clock.ms;
    for (const { at, run, about } of due) {
      this.#clock.ms = Math.min(at, now);
      this.#say(`late effect: ${about}`);
      run();
    }
    this.#clock.ms = now;
  }

  /** Advances the oldest unshipped live order by one step: to printed, then to shipped. */
  progress(): void {
    const order = this.live().find(({ status }) => status !== 'shipped');
    if (!order) return;
    order.status = order.status === 'created' ? 'printed' : 'shipped';
    this.#say(`${order.id} is ${order.status}`);
    this.#change(order);
  }

  /** Carries out the request and stores its response. */
  take(call: Call): void {
    call.taken ??= isTooLate(call) ? { code: 'SEND_DEADLINE', written: false } : this.#do(call);
  }

  /**
   * Ends a call. An ending that is impossible for the call counts as a lost response, or as a normal response if the service has already
   * carried out the call. `lateMs` is the delay of a late effect.
   */
  end(call: Call, effect: Effect, ending: Ending, lateMs: number): void {
    const kind = KINDS[call.operation];
    if (isTooLate(call) && !call.taken) return call.end({ code: 'SEND_DEADLINE', written: false });
    if (call.taken || ending === 'answered') {
      this.take(call);
      return call.end(ending === 'lost' || ending === 'error 500' ? toFault(ending) : (call.taken ?? toFault('lost')));
    }
    if (ending === 'error 429') return call.end({ status: 429 });
    if (ending === 'not sent') return call.end({ code: 'ECONNREFUSED', written: false });
    if (ending === 'error 422' && (kind === 'create' || call.operation === 'patchOrder'))
      return call.end({ status: 422 });
    if (ending === 'repeated' && kind === 'delete') {
      // The client retries a delete request whose connection broke.
      this.#do(call);
      return call.end(call.act());
    }
    this.abandon(call, effect, lateMs);
    call.end(toFault(ending === 'error 500' ? ending : 'lost'));
  }

  /** Applies the effect of a call whose response reaches no worker: now, later or never. */
  abandon(call: Call, effect: Effect, lateMs: number): void {
    const kind = KINDS[call.operation];
    if (call.taken || kind === 'read' || isTooLate(call)) return;
    if (effect === 'now') this.take(call);
    if (effect !== 'late') return;
    const { create, operation } = call;
    if (create) this.#note(create);
    const about = `${operation} ${call.about}`;
    this.#late.push({ at: this.#clock.ms + lateMs, run: () => void call.act(), create, about });
  }

  #do(call: Call): Answer {
    if (call.create) this.#note(call.create);
    return call.act();
  }

  /** Records a create request. Creating an order while another order may exist under the same reference is a fault. */
  #note(create: TakenCreate): void {
    const { reference, orderType } = create;
    const isThere = this.books.some((one) => one.reference === reference && one.orderType === 'order');
    const mayCome = this.pendingCreates().some((one) => one.reference === reference && one.orderType === 'order');
    if (orderType === 'order' && (isThere || mayCome))
      this.faults.push(`an order ${reference} is created while another ${isThere ? 'exists' : 'may still be created'}`);
    this.creates.push(create);
  }

  /** Returns the client of one worker. `wait` delays a call until the test ends it. */
  client(wait: (call: Call) => void): PrintClient {
    return {
      withKey: (_key, { extendedCalls }) => this.#calls(wait, extendedCalls),
      outages: () => 0,
      close: () => Promise.resolve(),
    };
  }

  #calls(wait: (call: Call) => void, isExtended: boolean): PrintService {
    const ask = <Value>(
      operation: keyof typeof METHODS,
      about: string,
      act: () => Answer,
      { create = null, sendDeadline }: Partial<Pick<Call, 'create' | 'sendDeadline'>> = {},
    ): Promise<Value> =>
      new Promise((resolve, reject) => {
        const end = (answer: Answer): void => {
          if ('status' in answer && answer.status < 300) return resolve(answer.value as Value);
          const { kind, method } = { kind: KINDS[operation], method: METHODS[operation] };
          const result =
            'status' in answer
              ? { status: answer.status, retryAfter: null, text: JSON.stringify({ message: 'No.' }) }
              : { status: null, ...answer };
          reject(toPrintError({ operation, kind, method, host: 'order' }, result, this.#clock.now()));
        };
        wait({ operation, about, create, sendDeadline, act, taken: null, end });
      });
    const extended: Pick<ExtendedCalls, 'getOrder' | 'patchOrder' | 'cancelOrder'> = {
      getOrder: (id) => ask('getOrder', id, () => this.#get(id)),
      patchOrder: (id) => ask('patchOrder', id, () => this.#confirm(id)),
      cancelOrder: (id) => ask('cancelOrder', id, () => this.#cancel(id)),
    };
    const search = (filters: { orderReferenceIds?: string[] | undefined; ids?: string[] | undefined }) =>
      ask<SearchOrderRecord[]>('searchOrders', (filters.orderReferenceIds ?? filters.ids ?? ['all'])[0] ?? '', () =>
        this.#search(filters),
      );
    const calls = {
      outageSeconds: () => null,
      extended: isExtended ? (extended as ExtendedCalls) : 'unsupported',
      quote: () => Promise.resolve({ orderReferenceId: null, quotes: [createQuote()] }),
      createOrder: (body, { sendDeadline } = {}) => {
        const { orderReferenceId: reference, orderType = 'order', ...rest } = body;
        const create: TakenCreate = { reference, orderType, body: JSON.stringify(rest) };
        return ask('createOrder', `${orderType} ${reference}`, () => this.#create(body), { create, sendDeadline });
      },
      async *searchOrders(filters) {
        for (const record of filters.channels ? [] : await search(filters)) yield { ...record, lostField: null };
      },
      deleteDraft: (id) => ask('deleteDraft', id, () => this.#delete(id)),
    } satisfies Partial<PrintService>;
    return calls as unknown as PrintService;
  }

  #create(body: CreateOrderRequest): Answer {
    const id = `${body.orderType === 'draft' ? 'd' : 'o'}${this.books.length + 1}`;
    const createdAt = this.#clock.ms;
    const { orderReferenceId: reference, orderType = 'order' } = body;
    const status = orderType === 'draft' ? 'draft' : 'created';
    const shownAt = createdAt + this.queueMs;
    const order: BookedOrder = { id, reference, orderType, status, body, createdAt, shownAt, deleted: false };
    this.#say(`  the service has ${orderType} ${id} of ${reference}`);
    this.#change(order);
    return { status: 200, value: show(order) };
  }

  #confirm(id: string): Answer {
    const order = this.#find(id);
    if (!order) return { status: 404 };
    if (order.orderType === 'draft') {
      Object.assign(order, { orderType: 'order', status: 'created' });
      this.#say(`  ${id} is an order`);
      this.#change(order);
    }
    return { status: 200, value: show(order) };
  }

  #delete(id: string): Answer {
    const order = this.#find(id);
    if (!order) return { status: 404 };
    if (order.orderType === 'order') return { status: 409 };
    this.#say(`  ${id} is deleted`);
    this.#change(Object.assign(order, { deleted: true }));
    return { status: 204 };
  }

  #cancel(id: string): Answer {
    const order = this.#find(id);
    if (!order) return { status: 404 };
    if (order.orderType === 'draft' || order.status !== 'created') return { status: 409 };
    this.#say(`  ${id} is canceled`);
    this.#change(Object.assign(order, { status: 'canceled' }));
    return { status: 200 };
  }

  #get(id: string): Answer {
    const order = this.#find(id);
    return order ? { status: 200, value: show(order) } : { status: 404 };
  }

  #search({
    orderReferenceIds,
    ids,
  }: {
    orderReferenceIds?: string[] | undefined;
    ids?: string[] | undefined;
  }): Answer {
    const records = this.isBlind ? [] : [...this.#index.values()];
    const value = records.filter(
      (record) => orderReferenceIds?.includes(record.orderReferenceId) === true || ids?.includes(record.id) === true,
    );
    return { status: 200, value };
  }

  #find(id: string): BookedOrder | undefined {
    return this.books.find((one) => one.id === id && !one.deleted && one.shownAt <= this.#clock.ms);
  }

  #change(order: BookedOrder): void {
    if (!this.books.includes(order)) this.books.push(order);
    const at = Math.max(this.#clock.ms, order.shownAt);
    const record = order.deleted ? null : searchOrderRecordSchema.parse(show(order));
    this.#unindexed.push({ at, id: order.id, record });
  }
}

function isLive({ orderType, status, deleted }: BookedOrder): boolean {
  return orderType === 'order' && status !== 'canceled' && !deleted;
}

function isTooLate({ sendDeadline }: Call): boolean {
  return sendDeadline !== undefined && performance.now() > sendDeadline;
}

function toFault(ending: 'lost' | 'error 500'): Answer {
  return ending === 'lost' ? { code: 'ECONNRESET', written: true } : { status: 500 };
}

function show(order: BookedOrder): Order {
  const { id, reference, orderType, status, body } = order;
  const items = body.items.map((item) => ({ ...item, id: `${id}-${item.itemReferenceId}`, fulfillmentStatus: status }));
  return orderSchema.parse({
    ...body,
    id,
    orderReferenceId: reference,
    orderType,
    fulfillmentStatus: status,
    financialStatus: orderType === 'draft' ? 'draft' : 'paid',
    createdAt: new Date(order.createdAt).toISOString(),
    shippingAddress: { ...body.shippingAddress },
    shipment: { shipmentMethodUid: body.shipmentMethodUid, packages: [] },
    items,
    connectedOrderIds: [],
  });
}

function createQuote() {
  const method = { shipmentMethodUid: 'standard', name: 'Standard', type: 'normal', price: 5, currency: 'USD' };
  return quoteSchema.parse({ itemReferenceIds: ['1'], shipmentMethods: [method] });
}
