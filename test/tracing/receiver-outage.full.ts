import { once } from 'node:events';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findFreePorts } from '../../sandbox/find-free-ports.ts';
import { startPlaten, type Platen } from '../helpers/platen.ts';
import { startTraceReceiver, type TraceReceiver } from './trace-receiver.ts';
import { startTracedWorker } from './start-traced-worker.ts';

/** How long a process supervisor waits before it kills a process. */
const STOP_MS = 25_000;
const LONG = { timeout: 240_000, interval: 50 };

let receiver: TraceReceiver;
let platen: Platen;
beforeAll(async () => {
  receiver = await startTraceReceiver();
  platen = await startPlaten({ time: 'real', environment: { ROLE: 'web', OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url } });
});
afterAll(async () => {
  await platen.stop();
  await receiver.close();
});

test.each([
  ['does not respond', 'never'],
  ['refuses connections', null],
] as const)(
  'while the receiver %s, orders are printed once and fulfilled, and a worker stops in time',
  async (_what, answer) => {
    const [port = 0] = await findFreePorts(1);
    if (answer !== null) receiver.answer(answer);
    const endpoint = answer === null ? `http://127.0.0.1:${port}` : receiver.url;
    const worker = await startTracedWorker(platen, { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint });
    try {
      const orders = await Promise.all(Array.from({ length: 5 }, () => platen.placeSkus({ 'MUG-11OZ': 1 })));
      for (const { id } of orders) await platen.untilState(id, 'fulfilled');
      // At least one export fails while the worker is running.
      await expect.poll(() => worker.output(), LONG).toContain('traces cannot be exported');
      await platen.untilState((await platen.placeSkus({ 'MUG-11OZ': 1 })).id, 'fulfilled');
      const asked = performance.now();
      const exited = once(worker.child, 'exit');
      worker.child.kill('SIGTERM');
      expect(await exited).toEqual([0, null]);
      expect(performance.now() - asked).toBeLessThan(STOP_MS);
      for (const { name } of orders) expect(await platen.printedFor(name)).toHaveLength(1);
    } finally {
      await worker.end();
    }
  },
);
