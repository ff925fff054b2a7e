import { Agent, request } from 'undici';
import { z } from 'zod';
import type { Books, Change } from './books.ts';
import type { Faults } from './faults.ts';
import type { Ids } from './ids.ts';
import type { Clock } from '../src/clock.ts';

/** A webhook request to send. Its headers and body are the same for every retry. */
export interface Delivery {
  /** The topic under which the delivery is counted. */
  topic?: string;
  /** The sender of the event. Senders take turns, so no sender waits until all deliveries of another have been sent. */
  from: string;
  url: string;
  headers: Record<string, string>;
  body: string;
}

/** The delivery settings that the control endpoint changes. Omitted fields stay unchanged. */
export const webhookSettingsSchema = z.object({
  /** The share of deliveries that are dropped, from 0 to 1; `true` drops all of them. */
  drop: z.union([z.boolean().transform(Number), z.number().min(0).max(1)]).optional(),
  /** How many extra times each delivery is sent. 0.5 means one extra time for about half of the deliveries; `true` means 1. */
  duplicate: z.union([z.boolean().transform(Number), z.number().min(0).max(10)]).optional(),
  /** The longest random delay before each delivery. */
  shuffleMs: z.int().min(0).max(600_000).optional(),
});

interface WebhookSettings {
  drop: number;
  duplicate: number;
  shuffleMs: number;
}

/**
 * The numbers of deliveries by topic: those that are waiting, and those that have failed permanently since the counts were last cleared.
 */
interface DeliveryCounts {
  pending: Record<string, number>;
  failed: Record<string, number>;
}

interface Pending extends Delivery {
  id: string;
  tries: number;
  dueAt: number;
}

/** Sends webhooks. Undelivered webhooks remain in the books and are sent after a restart. */
export interface Deliveries {
  settings(): WebhookSettings;
  change(settings: z.output<typeof webhookSettingsSchema>): void;
  /** Changes the delays before retries that are scheduled from now on. Null restores the initial delays. */
  retryAfter(retryMs: readonly number[] | null): void;
  /** Returns the delays before the retries, in milliseconds. */
  retries(): readonly number[];
  counts(): DeliveryCounts;
  /**
   * Returns the changes that add a delivery to the books. Write these changes together with the change that the delivery reports, and then
   * call `sendDue`.
   */
  plan(delivery: Delivery): Change[];
  wake(): void;
  /** Clears the settings, the counts and the unsent deliveries. */
  clear(): void;
  close(): Promise<void>;
}

const DEFAULTS: WebhookSettings = { drop: 0, duplicate: 0, shuffleMs: 0 };
const IN_FLIGHT = 16;
const TIMEOUT_MS = 5000;

/**
 * Sends each delivery once, and then retries it after each delay in `retryMs` (milliseconds) until the receiver responds with a 2xx. Up to
 * sixteen deliveries are in flight simultaneously, so their order is not guaranteed. `faults` randomly chooses which deliveries to drop or
 * duplicate, and counts them.
 */
export function createDeliveries(
  clock: Clock,
  books: Books,
  ids: Ids,
  faults: Pick<Faults, 'roll' | 'count'>,
  retryMs: readonly number[],
  connectMs: number = TIMEOUT_MS,
): Deliveries {
  const agent = new Agent({ connect: { timeout: connectMs }, connections: IN_FLIGHT });
  const stop = new AbortController();
  const flying = new Map<string, Promise<void>>();
  /** The IDs of waiting deliveries, by sender. The sender whose turn is next comes first. */
  const waiting = new Map<string, Set<string>>();
  for (const pending of books.all<Pending>('deliveries')) addWaiting(pending);
  let cancelNext = (): void => undefined;

  function settings(): WebhookSettings {
    return { ...DEFAULTS, ...books.get<Partial<WebhookSettings>>('webhooks', 'settings') };
  }

  function addWaiting({ from, id }: Pick<Pending, 'from' | 'id'>): void {
    const ids = waiting.get(from) ?? new Set();
    waiting.set(from, ids.add(id));
  }

  function sendDue(): void {
    cancelNext();
    while (!stop.signal.aborted && flying.size < IN_FLIGHT) {
      const next = takeNextDue();
      if (typeof next === 'object') sendPending(next);
      else {
        if (next < Infinity) cancelNext = clock.after(Math.max(1, next - clock.now().getTime()), sendDue);
        return;
      }
    }
  }

  /**
   * Removes the next due delivery from the waiting list and returns it. If no delivery is due, returns the time at which the next one
   * becomes due.
   */
  function takeNextDue(): Pending | number {
    let dueAt = Infinity;
    for (const [from, ids] of waiting) {
      for (const id of ids) {
        const pending = books.get<Pending>('deliveries', id);
        if (pending && pending.dueAt > clock.now().getTime()) {
          dueAt = Math.min(dueAt, pending.dueAt);
          continue;
        }
        ids.delete(id);
        if (!pending) continue;
        waiting.delete(from);
        if (ids.size > 0) waiting.set(from, ids);
        return pending;
      }
      if (ids.size === 0) waiting.delete(from);
    }
    return dueAt;
  }

  function sendPending(pending: Pending): void {
    const flight = attemptDelivery(pending).finally(() => {
      flying.delete(pending.id);
      sendDue();
    });
    flying.set(pending.id, flight);
  }

  async function attemptDelivery(pending: Pending): Promise<void> {
    const delivered = await post(pending);
    if (stop.signal.aborted || !books.get('deliveries', pending.id)) return;
    if (delivered) return books.delete('deliveries', pending.id);
    const waitMs = retries()[pending.tries];
    if (waitMs === undefined) return recordFailure(pending);
    books.put('deliveries', pending.id, {
      ...pending,
      tries: pending.tries + 1,
      dueAt: clock.now().getTime() + waitMs,
    });
    addWaiting(pending);
  }

  function retries(): readonly number[] {
    return books.get<readonly number[]>('webhooks', 'retryMs') ?? retryMs;
  }

  function recordFailure({ id, topic }: Pending): void {
    const failed = failures();
    books.write([
      ['delete', 'deliveries', id],
      ...(topic === undefined
        ? []
        : [['put', 'webhooks', 'failed', { ...failed, [topic]: (failed[topic] ?? 0) + 1 }] as const]),
    ]);
  }

  function failures(): Record<string, number> {
    return books.get<Record<string, number>>('webhooks', 'failed') ?? {};
  }

  async function post({ url, headers, body }: Delivery): Promise<boolean> {
    try {
      const signal = AbortSignal.any([stop.signal, clock.timeout(TIMEOUT_MS)]);
      const answer = await request(url, { method: 'POST', headers, body, dispatcher: agent, signal });
      await answer.body.dump();
      return answer.statusCode >= 200 && answer.statusCode < 300;
    } catch {
      return false;
    }
  }

  return {
    settings,
    retries,
    retryAfter: (changed) =>
      changed === null ? books.delete('webhooks', 'retryMs') : books.put('webhooks', 'retryMs', changed),
    counts() {
      const pending: Record<string, number> = {};
      for (const { topic = 'other' } of books.all<Pending>('deliveries')) pending[topic] = (pending[topic] ?? 0) + 1;
      return { pending, failed: failures() };
    },
    change: (changed) => books.put('webhooks', 'settings', { ...settings(), ...changed }),
    plan(delivery) {
      const { drop, duplicate, shuffleMs } = settings();
      if (faults.roll() < drop) {
        faults.count('drop');
        return [];
      }
      const further = Math.floor(duplicate) + (faults.roll() < duplicate % 1 ? 1 : 0);
      if (further > 0) faults.count('duplicate');
      return Array.from({ length: 1 + further }, (): Change => {
        const id = ids.nextUuid();
        const dueAt = clock.now().getTime() + faults.roll() * shuffleMs;
        addWaiting({ from: delivery.from, id });
        return ['put', 'deliveries', id, { ...delivery, id, tries: 0, dueAt } satisfies Pending];
      });
    },
    wake: sendDue,
    clear() {
      books.write([
        ['clear', 'deliveries'],
        ['delete', 'webhooks', 'settings'],
        ['delete', 'webhooks', 'retryMs'],
        ['delete', 'webhooks', 'failed'],
      ]);
    },
    async close() {
      stop.abort();
      cancelNext();
      await Promise.all(flying.values());
      await agent.destroy();
    },
  };
}
