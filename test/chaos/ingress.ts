import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

const CONNECT_MS_AT_MOST = 1_000;

interface Ingress {
  url: string;
  /** How often a connection found no replica that took it. */
  refused(): number;
  close(): Promise<void>;
}

/**
 * A load balancer of TCP connections: each new one goes to the next of these ports of loopback in turn that takes it. Like any that
 * only looks whether a connection is taken, it does not know that a process is frozen: its kernel goes on taking them.
 */
export async function openIngress(ports: readonly number[]): Promise<Ingress> {
  const open = new Set<Socket>();
  let turn = 0;
  let refused = 0;

  const keep = (socket: Socket): void => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
    // Its end follows and ends the other side.
    socket.on('error', () => undefined);
  };

  async function pass(client: Socket): Promise<void> {
    keep(client);
    const first = turn++;
    for (const index of ports.keys()) {
      const upstream = await tryConnect(ports[(first + index) % ports.length]!);
      if (upstream === null) continue;
      keep(upstream);
      join(client, upstream);
      return;
    }
    refused += 1;
    client.resetAndDestroy();
  }

  const server = createServer({ pauseOnConnect: true }, (client) => void pass(client));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    refused: () => refused,
    async close() {
      const closed = once(server, 'close');
      server.close();
      for (const socket of open) socket.destroy();
      await closed;
    },
  };
}

/** An open connection, or null when nobody takes it. */
async function tryConnect(port: number): Promise<Socket | null> {
  const socket = connect({ host: '127.0.0.1', port });
  try {
    await once(socket, 'connect', { signal: AbortSignal.timeout(CONNECT_MS_AT_MOST) });
    return socket;
  } catch {
    socket.destroy();
    return null;
  }
}

/** What one side ends or loses, the other does. */
function join(client: Socket, upstream: Socket): void {
  const pairs: [Socket, Socket][] = [
    [client, upstream],
    [upstream, client],
  ];
  for (const [from, to] of pairs) {
    if (from.destroyed) to.destroy();
    from.pipe(to);
    from.once('close', (hadError) => (hadError ? to.resetAndDestroy() : to.destroySoon()));
  }
  client.resume();
}
