import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** A proxy in front of a server. The proxy can make connections go dead without closing them. */
export interface TcpProxy {
  port: number;
  /** Makes the open connections go dead without closing them. With `alsoNew`, also makes later connections go dead. */
  swallow(options: { alsoNew: boolean }): void;
  /** Closes the open connections, and from now on immediately closes every new connection. */
  refuse(): void;
  /** Returns the number of refused connections. */
  refused(): number;
  /** Makes new connections work again after `swallow` or `refuse`. */
  carry(): void;
  /** Waits for the next connection whose client sends this text, then drops the server's bytes. Resolves once the text has been sent. */
  loseAnswerTo(text: string): Promise<void>;
  /** Closes the connections that went dead. Other connections are not affected. */
  closeDead(): void;
  close(): Promise<void>;
}

interface Pair {
  isDead: boolean;
  sockets: Socket[];
}

export async function openTcpProxy(target: { host: string; port: number }): Promise<TcpProxy> {
  const pairs = new Set<Pair>();
  let swallowsNew = false;
  let refusesNew = false;
  let refused = 0;
  let losing: { text: string; done: () => void } | null = null;
  const server = createServer((client) => {
    if (refusesNew) {
      refused += 1;
      return void client.destroy();
    }
    const upstream = connect(target.port, target.host);
    const pair: Pair = { isDead: swallowsNew, sockets: [client, upstream] };
    pairs.add(pair);
    client.on('data', (chunk) => {
      const isLost = losing !== null && chunk.includes(losing.text);
      if (!pair.isDead) upstream.write(chunk);
      if (!isLost) return;
      pair.isDead = true;
      losing?.done();
      losing = null;
    });
    upstream.on('data', (chunk) => {
      if (!pair.isDead) client.write(chunk);
    });
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      socket.on('error', () => undefined);
      // If one side of a dead connection closes, the other side stays open.
      socket.on('close', () => {
        if (!pair.isDead) other.destroy();
      });
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    swallow({ alsoNew }) {
      swallowsNew = alsoNew;
      for (const pair of pairs) pair.isDead = true;
    },
    refuse() {
      refusesNew = true;
      for (const { sockets } of pairs) for (const socket of sockets) socket.destroy();
    },
    refused: () => refused,
    carry() {
      swallowsNew = false;
      refusesNew = false;
    },
    loseAnswerTo: (text) => new Promise((done) => (losing = { text, done })),
    closeDead() {
      for (const { isDead, sockets } of pairs) if (isDead) for (const socket of sockets) socket.destroy();
    },
    async close() {
      for (const { sockets } of pairs) for (const socket of sockets) socket.destroy();
      const closed = once(server, 'close');
      server.close();
      await closed;
    },
  };
}
