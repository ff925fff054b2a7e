import { once } from 'node:events';
import { createServer } from 'node:http';
import type Koa from 'koa';

/** A stand-in that is listening for requests. */
export interface Serving {
  url: string;
  port: number;
  close(): Promise<void>;
}

/**
 * Listens on `host` and `port` (0 picks a free port). Rejects if the port is in use. Closing the server also closes its open connections.
 */
export async function serve(app: Koa, options: { host: string; port: number }): Promise<Serving> {
  const handle = app.callback();
  const server = createServer((request, response) => void handle(request, response));
  // Longer than clients keep idle connections, so that no request meets a connection that is just being closed.
  server.keepAliveTimeout = 65_000;
  server.listen(options.port, options.host);
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the stand-in is not listening on a port');
  const { port } = address;
  return {
    url: `http://${options.host}:${port}`,
    port,
    async close() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
