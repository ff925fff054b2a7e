import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';

/** Finds free ports on the loopback address. Each port stays occupied until the last one has been found, so that all ports differ. */
export async function findFreePorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => createServer().listen(0, '127.0.0.1'));
  await Promise.all(servers.map((server) => once(server, 'listening')));
  const ports = servers.map((server) => (server.address() as AddressInfo).port);
  await Promise.all(servers.map((server) => once(server.close(), 'close')));
  return ports;
}
