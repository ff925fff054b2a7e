import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { connect as connectTcp, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
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

test('a create request is sent before its deadline', async () => {
  const service = await startService((_request, response) => json(response, 200, createdOrder));
  const order = await connect(service.url).createOrder(createRequest, { sendDeadline: performance.now() + 5_000 });
  expect(order.id).toBe('order-1');
});

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

test('a connection that is established after the deadline carries no create request', async () => {
  const service = await startServiceWithFullQueue();
  const call = connect(service.url, { timeoutMs: 20_000 }).createOrder(createRequest, {
    sendDeadline: performance.now() + 300,
  });
  const failed = failureOf(call);
  await new Promise((resolve) => setTimeout(resolve, 500));
  service.resume();
  expect(await failed).toMatchObject(tooLate);
  expect(await service.bytes()).toBe(0);
});

test('a connection that is established before the deadline carries the create request', async () => {
  const service = await startServiceWithFullQueue();
  const call = connect(service.url, { timeoutMs: 20_000 }).createOrder(createRequest, {
    sendDeadline: performance.now() + 15_000,
  });
  service.resume();
  await expect(call).resolves.toMatchObject({ id: 'order-1' });
  expect(await service.bytes()).toBeGreaterThan(0);
});

/**
 * Starts a service in a stopped process with a full connection queue, so that the next connection is established only after the process
 * resumes. `bytes` returns the number of bytes received over all connections.
 */
async function startServiceWithFullQueue(): Promise<{ url: string; resume: () => void; bytes: () => Promise<number> }> {
  const child = fork(new URL('./counting-service.ts', import.meta.url), [JSON.stringify(createdOrder)], {
    execArgv: [],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const [port] = (await once(child, 'message')) as [number];
  child.kill('SIGSTOP');
  for (let count = 0; count < 50 && (await connectsWithin(port, 200)); count += 1);
  return {
    url: `http://127.0.0.1:${port}`,
    resume: () => child.kill('SIGCONT'),
    bytes: () => askBytes(child),
  };
}

async function askBytes(child: ChildProcess): Promise<number> {
  child.send('bytes');
  const [bytes] = (await once(child, 'message')) as [number];
  return bytes;
}

/** Opens and closes a connection. Returns whether the connection was established in the given time. */
async function connectsWithin(port: number, ms: number): Promise<boolean> {
  const socket: Socket = connectTcp(port, '127.0.0.1');
  socket.on('error', () => {});
  onTestFinished(() => void socket.destroy());
  return Promise.race([
    once(socket, 'connect').then(() => true),
    new Promise<boolean>((resolve) => setTimeout(resolve, ms, false)),
  ]);
}
