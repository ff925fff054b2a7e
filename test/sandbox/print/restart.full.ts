import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { expect, onTestFinished, test } from 'vitest';
import { eventually } from '../../helpers/eventually.ts';
import { createBody, createClient, item, createHome, MUG, startService } from './service.ts';

const START = new URL('../../../sandbox/print/start.ts', import.meta.url);

/** Starts the stand-in in a separate process so that a test can kill the process. */
async function spawnService(home: string) {
  const options = JSON.stringify({ home, port: 0, advanceSeconds: null, extended: true, webhookRetryMs: 60_000 });
  const script = `const { startPrintService } = await import(${JSON.stringify(START.href)});
    const service = await startPrintService(${options});
    console.log(service.url);`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  const [url] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  return {
    ...createClient(url),
    async kill() {
      const exited = once(child, 'exit');
      child.kill('SIGKILL');
      await exited;
    },
  };
}

test('confirmed changes survive a kill, IDs still increase, and a second process cannot open the books', async () => {
  const home = await createHome();
  const first = await spawnService(home);
  await first.ok('POST', '/_control/webhooks', { addresses: [{ key: 'sandbox-key', url: 'http://127.0.0.1:1/' }] });
  await first.ok('POST', '/_control/faults', [{ searchLagMs: 7 }]);
  const draft = await first.create(createBody('ref-1', { orderType: 'draft' }));
  const order = await first.create(createBody('ref-2', { items: [item('a'), item('b', MUG)] }));
  await first.advance(order.id, { to: 'shipped' });
  await first.ok('DELETE', `/v4/orders/${draft.id}`);
  const booked = await first.booked();
  await expect(startService({ home })).rejects.toThrow('Only one process can write to it at a time');
  await first.kill();

  const second = await startService({ home });
  expect(await second.booked()).toEqual(booked);
  expect(await second.ok('GET', '/_control/faults')).toMatchObject({ faults: [{ searchLagMs: 7 }] });
  expect(await second.ok('GET', '/_control/webhooks')).toMatchObject({ addresses: [{ key: 'sandbox-key' }] });
  const later = await second.create(createBody('ref-3'));
  expect(later.id > order.id).toBe(true);
});

test('orders advance automatically after a restart', async () => {
  const home = await createHome();
  const first = await startService({ home });
  const order = await first.create(createBody('ref-1'));
  await first.close();
  const second = await startService({ home, advanceSeconds: 0.03 });
  await eventually(async () => (await second.get(order.id)).fulfillmentStatus).toBe('shipped');
  expect((await second.get(order.id)).shipment?.packages).toHaveLength(1);
});

test('a start on a port that is in use fails, and the books are unlocked again', async () => {
  const running = await startService();
  const home = await createHome();
  await expect(startService({ home, port: running.port })).rejects.toThrow('EADDRINUSE');
  const client = await startService({ home });
  expect(await client.booked()).toEqual([]);
});
