import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { decodeTraces, type ExportedSpan } from './decode-traces.ts';

/** How the receiver responds: with a status, or never. */
type Answer = number | 'never';

export interface TraceReceiver {
  url: string;
  /** All accepted spans, in the order of their start times. */
  spans(): ExportedSpan[];
  /** All spans that were sent, regardless of the response. A batch that was sent again counts twice. */
  sent(): ExportedSpan[];
  /** Every byte of every request: method, path, headers and body. */
  bytes(): Buffer;
  requests: { path: string; headers: IncomingHttpHeaders }[];
  /** Changes how the receiver responds from now on. */
  answer(answer: Answer): void;
  close(): Promise<void>;
}

/** Starts a receiver of traces that works like an OpenTelemetry collector: OTLP over HTTP with protobuf. */
export async function startTraceReceiver(): Promise<TraceReceiver> {
  const requests: TraceReceiver['requests'] = [];
  const received: Buffer[] = [];
  const accepted: ExportedSpan[] = [];
  const sent: ExportedSpan[] = [];
  let answer: Answer = 200;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks);
      requests.push({ path: request.url ?? '', headers: request.headers });
      received.push(Buffer.from(`${request.method} ${request.url} ${request.rawHeaders.join(' ')}\n`), body);
      const spans = decodeTraces(body);
      sent.push(...spans);
      if (answer === 'never') return;
      if (answer === 200) accepted.push(...spans);
      response.writeHead(answer).end();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans: () => accepted.toSorted((a, b) => Number(a.startNs - b.startNs)),
    sent: () => sent,
    bytes: () => Buffer.concat(received),
    requests,
    answer: (next) => void (answer = next),
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
