import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TLSSocket } from 'node:tls';
import { onTestFinished } from 'vitest';
import type { FileNetwork } from '../../../src/print/files/public-host.ts';
import { systemClock } from '../../../src/clock.ts';

/** The name of the file server, which no name server can resolve. */
export const HOST = 'files.test';
export const PDF = Buffer.from('%PDF-1.7\n%\u00e2\u00e3\u00cf\u00d3\n1 0 obj\n', 'latin1');
export const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13]);
export const JPEG = Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 16, 0x4a, 0x46, 0x49, 0x46]);

export interface FileServer {
  /** The URL of a file on this server. */
  url: (path: string) => URL;
  /** A network in which the server's name resolves, its address counts as public and its certificate is trusted. */
  network: FileNetwork;
  requests: { url: string; host: string; serverName: string | false; range: string | undefined }[];
  /** Connections that sent at least one byte, including connections that ended in the handshake. */
  connections: () => number;
}

interface Certificate {
  key: string;
  cert: string;
}

/** Creates a key and a self-signed certificate for these names. */
export function createCertificate(names: readonly string[]): Certificate {
  const folder = mkdtempSync(join(tmpdir(), 'platen-certificate-'));
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  try {
    const alternatives = `subjectAltName=${names.map((name) => `DNS:${name}`).join(',')}`;
    const made = [
      'req',
      '-x509',
      '-newkey',
      'ec',
      '-pkeyopt',
      'ec_paramgen_curve:prime256v1',
      '-nodes',
      '-days',
      '2',
      '-keyout',
      key,
      '-out',
      cert,
    ];
    execFileSync('openssl', [...made, '-subj', '/CN=test', '-addext', alternatives], { stdio: 'pipe' });
    return { key: readFileSync(key, 'utf8'), cert: readFileSync(cert, 'utf8') };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const certificates = new Map<string, Certificate>();

/** Starts a real HTTPS server on loopback with responses from the test. Only the server's own network treats its address as public. */
export async function startFileServer(
  answer: (request: IncomingMessage, response: ServerResponse) => void,
  { names = [HOST] }: { names?: readonly string[] } = {},
): Promise<FileServer> {
  const certificate = certificates.get(names.join()) ?? createCertificate(names);
  certificates.set(names.join(), certificate);
  const requests: FileServer['requests'] = [];
  let connections = 0;
  const server = createServer(certificate, (request, response) => {
    const { url = '', headers } = request;
    const serverName = (request.socket as TLSSocket).servername ?? false;
    requests.push({ url, host: headers.host ?? '', serverName, range: headers.range });
    response.on('error', () => {});
    answer(request, response);
  });
  server.on('connection', () => (connections += 1)).on('tlsClientError', () => {});
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: (path) => new URL(`https://${HOST}:${port}${path}`),
    network: {
      clock: systemClock,
      resolve: () => Promise.resolve(['127.0.0.1']),
      isPublic: (address) => address === '127.0.0.1',
      port,
      ca: certificate.cert,
    },
    requests,
    connections: () => connections,
  };
}
