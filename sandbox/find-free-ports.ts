import { once } from 'node:events';
import { randomInt } from 'node:crypto';
import { createServer, type AddressInfo, type Server } from 'node:net';

/** Systems choose ports above this range for outgoing connections, which could take a port before its server listens. */
const [FIRST_PORT, LAST_PORT] = [16_000, 32_000] as const;
const MAX_TRIES = 100;

/** Finds free ports on the loopback address. Each port stays occupied until the last one has been found, so that all ports differ. */
export async function findFreePorts(count: number): Promise<number[]> {
  const servers: Server[] = [];
  while (servers.length < count) servers.push(await reservePort());
  const ports = servers.map((server) => (server.address() as AddressInfo).port);
  await Promise.all(servers.map((server) => once(server.close(), 'close')));
  return ports;
}

async function reservePort(): Promise<Server> {
  for (let attempt = 1; ; attempt += 1) {
    const server = createServer().listen(randomInt(FIRST_PORT, LAST_PORT), '127.0.0.1');
    try {
      await once(server, 'listening');
      return server;
    } catch (error) {
      if (attempt === MAX_TRIES) throw error;
    }
  }
}
