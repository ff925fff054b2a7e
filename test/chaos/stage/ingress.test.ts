import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { openIngress } from './ingress.ts';

/** Starts a server that responds with its name. If `port` is 0, the server uses a free port. */
async function startNamed(name: string, port = 0): Promise<{ server: Server; port: number }> {
  const server = createServer((request, response) => {
    let bytes = 0;
    request.on('data', (chunk: Buffer) => (bytes += chunk.length));
    request.on('end', () => response.end(`${name} ${bytes}`));
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return { server, port: (server.address() as AddressInfo).port };
}

async function ask(url: string, body = ''): Promise<string> {
  const answer = await fetch(url, { method: 'POST', body, headers: { connection: 'close' } });
  return answer.text();
}

test('connections are assigned to the replicas in turn and skip a replica that is down', async () => {
  const [first, second] = [await startNamed('first'), await startNamed('second')];
  const ingress = await openIngress([first.port, second.port]);
  onTestFinished(() => ingress.close());
  const names = [await ask(ingress.url), await ask(ingress.url), await ask(ingress.url)];
  expect(names).toEqual(['first 0', 'second 0', 'first 0']);

  second.server.close();
  second.server.closeAllConnections();
  expect([await ask(ingress.url), await ask(ingress.url)]).toEqual(['first 0', 'first 0']);
  await startNamed('again', second.port);
  expect(new Set([await ask(ingress.url), await ask(ingress.url)])).toEqual(new Set(['first 0', 'again 0']));
  expect(ingress.refused()).toBe(0);
});

test('a connection breaks when its replica dies, and is reset and counted if no replica is left', async () => {
  const { server, port } = await startNamed('dying');
  const ingress = await openIngress([port]);
  onTestFinished(() => ingress.close());
  server.removeAllListeners('request');
  const hanging = ask(ingress.url);
  await once(server, 'request');
  server.close();
  server.closeAllConnections();
  await expect(hanging).rejects.toThrow('fetch failed');
  await expect(ask(ingress.url)).rejects.toThrow('fetch failed');
  expect(ingress.refused()).toBe(1);
});
