import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { startPrintService } from '../../sandbox/print/start.ts';
import type { EndpointOptions } from '../../src/http/server.ts';
import { openTestEndpoints, type TestEndpoints } from './test-app.ts';

/** Endpoints of an app that uses a stand-in of the print service. `close` closes everything. */
export interface PrintEndpoints extends TestEndpoints {
  printUrl: string;
  /** Calls a control endpoint of the stand-in. Throws unless the response status is 2xx. */
  control: <Answer = unknown>(method: string, path: string, body?: unknown) => Promise<Answer>;
}

export async function openPrintEndpoints(
  environment: NodeJS.ProcessEnv = {},
  options: EndpointOptions = {},
): Promise<PrintEndpoints> {
  const home = mkdtempSync(join(tmpdir(), 'platen-print-'));
  const print = await startPrintService({ home, port: 0, advanceSeconds: null, extended: true, webhookRetryMs: 1 });
  const endpoints = await openTestEndpoints({ PRINT_ORDER_URL: print.url, ...environment }, options);
  return {
    ...endpoints,
    printUrl: print.url,
    async control<Answer>(method: string, path: string, body?: unknown) {
      const headers = { 'content-type': 'application/json' };
      const sent = body === undefined ? {} : { headers, body: JSON.stringify(body) };
      const answer = await fetch(`${print.url}/_control${path}`, { method, ...sent });
      const text = await answer.text();
      if (!answer.ok) throw new Error(`${path}: ${answer.status} ${text}`);
      return (text === '' ? null : JSON.parse(text)) as Answer;
    },
    async close() {
      await endpoints.close();
      await print.close();
      rmSync(home, { recursive: true, force: true });
    },
  };
}

/** A proxy between Platen and the print service, whose `answer` may change each response or return one of its own. */
export async function openPrintProxy(
  answer: (
    path: string,
    ask: () => Promise<{ status: number; text: string }>,
  ) => Promise<{ status: number; text: string }>,
  printUrl: () => string,
) {
  const forward = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { method = 'GET', url = '', headers } = request;
    const body = await buffer(request);
    const { status, text } = await answer(url, async () => {
      const answered = await fetch(`${printUrl()}${url}`, {
        method,
        headers: { 'content-type': 'application/json', 'x-api-key': String(headers['x-api-key']) },
        ...(body.length > 0 && { body: body.toString() }),
      });
      return { status: answered.status, text: await answered.text() };
    });
    response.writeHead(status, { 'content-type': 'application/json' }).end(text);
  };
  const proxy = createServer((request, response) => void forward(request, response).catch(() => response.destroy()));
  await new Promise<void>((resolve) => void proxy.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    close() {
      proxy.closeAllConnections();
      proxy.close();
    },
  };
}
