import { expect, test } from 'vitest';
import { connect, createdOrder, createRequest, failureOf, json, startService, startTcpService } from './servers.ts';

const tooLate = {
  outcome: 'nothing_made',
  effect: 'none',
  retryable: true,
  message: 'createOrder: not sent (SEND_DEADLINE)',
};

/** Blocks this process's event loop, as if the machine had been suspended. */
function blockEventLoop(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

test('a create request is not sent after its deadline', async () => {
  const service = await startService((_request, response) => json(response, 200, createdOrder));
  const call = connect(service.url).createOrder(createRequest, { sendDeadline: performance.now() - 1 });
  expect(await failureOf(call)).toMatchObject(tooLate);
  expect(service.requests).toHaveLength(0);
});

test('a process that is paused between the call and the connection sends nothing', async () => {
  let bytes = 0;
  const url = await startTcpService((socket) => socket.on('data', (chunk) => (bytes += chunk.length)));
  const call = connect(url).createOrder(createRequest, { sendDeadline: performance.now() + 100 });
  blockEventLoop(200);
  expect(await failureOf(call)).toMatchObject(tooLate);
  expect(bytes).toBe(0);
});

test('a kept-alive connection does not bypass the deadline', async () => {
  const service = await startService((_request, response) => json(response, 200, createdOrder));
  const print = connect(service.url);
  await print.getOrder('order-1');
  const call = print.createOrder(createRequest, { sendDeadline: performance.now() + 100 });
  blockEventLoop(200);
  expect(await failureOf(call)).toMatchObject(tooLate);
  expect(service.requests).toHaveLength(1);
  expect((await print.createOrder(createRequest)).id).toBe('order-1');
});
