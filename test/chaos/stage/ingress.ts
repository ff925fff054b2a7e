import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

const MAX_CONNECT_MS = 1_000;

interface Ingress {
  url: string;
  /** Returns the number of connections that no replica accepted. */
  refused(): number;
  close(): Promise<void>;
}

/**
 * Opens a round-robin TCP load balancer, which sends each new connection to the next loopback port that accepts it. The load balancer
 * checks only whether a connection is accepted. It therefore does not notice a frozen process, because the kernel continues to accept
 * connections for the process.
 */
export async function openIngress(ports: readonly number[]): Promise<Ingress> {
  const open = new Set<Socket>();
  let turn = 0;
  let refused = 0;

  const keep = (socket: Socket): void => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
    // The `close` event follows and closes the other side.
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

/** Opens a connection. Returns null if nothing accepts it. */
async function tryConnect(port: number): Promise<Socket | null> {
  const socket = connect({ host: '127.0.0.1', port });
  try {
    await once(socket, 'connect', { signal: AbortSignal.timeout(MAX_CONNECT_MS) });
    return socket;
  } catch {
    socket.destroy();
    return null;
  }
}

/** Connects both sides. If one side ends or breaks, the other side also ends. */
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
