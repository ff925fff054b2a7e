import { at } from '../table/bodies.ts';
import { DELIVERY_RULES } from '../table/events.ts';
import { TIMES } from '../table/limits.ts';
import { startReceiver, startStandIn, waitFor, type StandIn } from './stand-in.ts';
import { requestOf, text } from '../table/subjects.ts';

/** Counts how often each event is sent to an address that always responds with one status. Waits for all retries. */
export async function countAttempts(standIn: StandIn): Promise<{ status: number; wanted: number; tries: number[] }[]> {
  const rules = DELIVERY_RULES.flatMap(({ statuses, tries }) => statuses.map((status) => ({ status, tries })));
  const receivers = await Promise.all(rules.map(({ status }) => startReceiver(() => status)));
  const keys = rules.map(({ status }) => `sandbox-key-${status}`);
  const addresses = receivers.map(({ url }, index) => ({ key: keys[index], url }));
  await standIn.get('POST', '/_control/webhooks', { addresses });
  await Promise.all(keys.map((key) => triggerEvents(standIn, key)));
  const counted = () =>
    rules.map(({ status, tries }, index) => {
      const ids = (receivers[index]?.received ?? []).map(({ body }) => String(at(body, 'id')));
      return { status, wanted: tries, tries: [...new Set(ids)].map((id) => ids.filter((one) => one === id).length) };
    });
  const done = await waitFor(counted, (counts) =>
    counts.every(({ wanted, tries }) => tries.length === 2 && tries.every((one) => one >= wanted)),
  );
  for (const receiver of receivers) receiver.close();
  return done;
}

/** Measures the seconds between the first two attempts to send an event from a stand-in with default settings. */
export async function measurePause(): Promise<number> {
  const standIn = await startStandIn();
  const receiver = await startReceiver((index) => (index < 2 ? 500 : 200));
  try {
    await standIn.get('POST', '/_control/webhooks', { addresses: [{ key: 'sandbox-key', url: receiver.url }] });
    await triggerEvents(standIn, 'sandbox-key');
    const { received } = receiver;
    const [first, second] = await waitFor(
      () => received.filter(({ body }) => at(body, 'id') === at(received[0]?.body, 'id')),
      (tries) => tries.length === 2,
    );
    return ((second?.at ?? 0) - (first?.at ?? 0)) / 1000;
  } finally {
    receiver.close();
    await standIn.close();
  }
}

/** Compares the pause with the documented pause, allowing for a busy machine. */
export function isDocumentedPause(seconds: number): boolean {
  const { secondsApart } = TIMES.webhookDelivery;
  return seconds > secondsApart - 0.1 && seconds < secondsApart + 4;
}

/** Triggers one event for an order and one for its item. */
async function triggerEvents(standIn: StandIn, key: string): Promise<void> {
  const placed = { key, order: requestOf('createOrder') };
  const id = text(await standIn.get('POST', '/_control/orders', placed), 'id');
  await standIn.get('POST', `/_control/orders/${id}/advance`, { to: 'passed' });
}
