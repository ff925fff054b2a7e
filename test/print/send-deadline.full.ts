import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { connect as connectTcp, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { connect, createdOrder, createRequest, failureOf } from './servers.ts';

test('a connection that is established after the deadline carries no create request', async () => {
  const service = await startServiceWithFullQueue();
  const call = connect(service.url, { timeoutMs: 20_000 }).createOrder(createRequest, {
    sendDeadline: performance.now() + 300,
  });
  const failed = failureOf(call);
  await new Promise((resolve) => setTimeout(resolve, 500));
  service.resume();
  expect(await failed).toMatchObject({ outcome: 'nothing_made', effect: 'none' });
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
  return { url: `http://127.0.0.1:${port}`, resume: () => child.kill('SIGCONT'), bytes: () => askBytes(child) };
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
