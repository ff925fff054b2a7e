import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { fetchPrintFile, streamPrintFile } from '../../../src/print/files/fetch-print-file.ts';
import type { FileNetwork } from '../../../src/print/files/public-host.ts';
import { isPublicAddress } from '../../../src/print/files/is-public-address.ts';
import { HOST, createCertificate, PDF, startFileServer } from './file-server.ts';
import { systemClock } from '../../../src/clock.ts';

const MEGABYTE = Buffer.alloc(1024 * 1024, 'x');

afterEach(() => vi.unstubAllEnvs());

/** Opens a port on loopback that counts connections and never responds. */
async function startSilent(): Promise<{ port: number; connections: () => number }> {
  let connections = 0;
  const server = createServer((socket) => {
    connections += 1;
    socket.on('error', () => {});
    onTestFinished(() => void socket.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return { port: (server.address() as AddressInfo).port, connections: () => connections };
}

describe('a print file', () => {
  test('only the first 64 KB of a file is requested, over HTTPS and with the host’s name in the TLS handshake', async () => {
    const files = await startFileServer((_request, response) => response.end(PDF));
    expect(await fetchPrintFile(files.url('/mug.pdf?v=1#page'), files.network)).toEqual({
      outcome: 'read',
      bytes: PDF,
    });
    expect(files.requests).toEqual([
      { url: '/mug.pdf?v=1', host: files.url('').host, serverName: HOST, range: 'bytes=0-65535' },
    ]);
  });

  test('an endless file is read up to 64 KB before the connection is closed', async () => {
    const cut = Promise.withResolvers<void>();
    const files = await startFileServer((_request, response) => {
      response.on('close', () => cut.resolve()).writeHead(200);
      const write = (): void => void response.write(MEGABYTE, (error) => error ?? write());
      write();
    });
    const fetched = await fetchPrintFile(files.url('/endless'), files.network);
    expect(fetched).toMatchObject({ outcome: 'read', bytes: { length: 64 * 1024 } });
    await cut.promise;
  });

  test('a file is read completely on request', async () => {
    const files = await startFileServer((_request, response) => {
      for (let sent = 0; sent < 3; sent += 1) response.write(MEGABYTE);
      response.end(PDF);
    });
    const fetched = await streamPrintFile(files.url('/book.pdf'), readAll, files.network);
    expect(fetched).toEqual({ outcome: 'read', result: 3 * MEGABYTE.length + PDF.length });
    expect(files.requests).toMatchObject([{ range: undefined }]);
  });

  test.each([301, 302, 303, 307, 308])('a redirect with the status %i is not followed', async (status) => {
    const files = await startFileServer((_request, response) => {
      response.writeHead(status, { location: '/other.pdf' }).end('moved');
    });
    expect(await fetchPrintFile(files.url('/mug.pdf'), files.network)).toEqual({ outcome: 'redirect' });
    expect(files.requests).toHaveLength(1);
  });
});

test('a file of more than 100 MB is not downloaded if the server states its length', async () => {
  const files = await startFileServer((_request, response) => {
    response.writeHead(200, { 'content-length': String(101 * MEGABYTE.length) }).flushHeaders();
  });
  expect(await streamPrintFile(files.url('/'), readAll, files.network)).toEqual({ outcome: 'too_large' });
});

test('a connection that breaks within a file is reported, and an error of the reader is thrown', async () => {
  const files = await startFileServer((_request, response) => {
    response.writeHead(200, { 'content-length': '900' }).write(PDF, () => response.destroy());
  });
  expect(await streamPrintFile(files.url('/'), readAll, files.network)).toEqual({ outcome: 'unreachable' });
  const failing = streamPrintFile(files.url('/'), () => Promise.reject(new Error('no room')), files.network);
  await expect(failing).rejects.toThrow('no room');
});

async function readAll(chunks: AsyncIterable<Buffer>): Promise<number> {
  let size = 0;
  for await (const chunk of chunks) size += chunk.length;
  return size;
}

describe('the network in which Platen runs', () => {
  const never: FileNetwork = {
    clock: systemClock,
    resolve: () => Promise.resolve([]),
    isPublic: isPublicAddress,
    port: 443,
  };

  test.each(['10.0.0.1', '169.254.169.254', '::1'])('no connection is made to %s', async (address) => {
    const silent = await startSilent();
    const network = { ...never, port: silent.port, resolve: () => Promise.resolve([address]) };
    const url = new URL(`https://${HOST}:${silent.port}/mug.pdf`);
    expect(await fetchPrintFile(url, network)).toEqual({ outcome: 'not_public' });
    expect(silent.connections()).toBe(0);
  });

  test('the checked address is used even if the name resolves to another address after the check', async () => {
    const files = await startFileServer((_request, response) => response.end(PDF));
    const answers = [['127.0.0.1'], ['10.0.0.1']];
    const resolve = vi.fn<FileNetwork['resolve']>(() => Promise.resolve(answers.shift() ?? []));
    const fetched = await fetchPrintFile(files.url('/'), { ...files.network, resolve });
    expect(fetched).toMatchObject({ outcome: 'read' });
    expect(resolve).toHaveBeenCalledTimes(1);
    expect(files.connections()).toBe(1);
  });

  test.each([
    'https://127.0.0.1/',
    'https://0x7f.1/',
    'https://2130706433/',
    'https://[::1]/',
    'https://[::ffff:127.0.0.1]/',
    'https://93.184.216.34/',
  ])('no connection is made to the numeric address %s', async (address) => {
    const resolve = vi.fn<FileNetwork['resolve']>();
    expect(await fetchPrintFile(new URL(address), { ...never, resolve })).toEqual({ outcome: 'not_public' });
    expect(resolve).not.toHaveBeenCalled();
  });

  test('no connection is made to a port other than the HTTPS port', async () => {
    expect(await fetchPrintFile(new URL(`https://${HOST}:8443/`))).toEqual({ outcome: 'bad_port' });
    expect(await fetchPrintFile(new URL(`https://${HOST}:22/`))).toEqual({ outcome: 'bad_port' });
    expect(await fetchPrintFile(new URL(`http://${HOST}/`))).toEqual({ outcome: 'bad_port' });
  });

  test('no connection is made for a name without an address', async () => {
    expect(await fetchPrintFile(new URL(`https://${HOST}/`), never)).toEqual({ outcome: 'not_public' });
  });

  test('no proxy from the environment is used', async () => {
    const files = await startFileServer((_request, response) => response.end(PDF));
    const proxy = await startSilent();
    for (const name of ['HTTPS_PROXY', 'https_proxy', 'ALL_PROXY']) {
      vi.stubEnv(name, `http://127.0.0.1:${proxy.port}`);
    }
    vi.stubEnv('NODE_USE_ENV_PROXY', '1');
    expect(await fetchPrintFile(files.url('/'), files.network)).toMatchObject({ outcome: 'read' });
    expect(proxy.connections()).toBe(0);
  });
});

describe('a file server', () => {
  test('a file is not read from a server with a certificate for another name', async () => {
    const files = await startFileServer((_request, response) => response.end(PDF), { names: ['other.test'] });
    expect(await fetchPrintFile(files.url('/'), files.network)).toEqual({ outcome: 'bad_certificate' });
    expect(files.requests).toEqual([]);
  });

  test('a file is not read from a server with an untrusted certificate, regardless of the environment variables', async () => {
    const files = await startFileServer((_request, response) => response.end(PDF));
    vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
    const stranger = { ...files.network, ca: createCertificate([HOST]).cert };
    expect(await fetchPrintFile(files.url('/'), stranger)).toEqual({ outcome: 'bad_certificate' });
    expect(files.requests).toEqual([]);
  });

  test.each(['/silent', '/head', '/drip'])('a request to a slow server (%s) is aborted', async (path) => {
    const files = await startFileServer((_request, response) => {
      if (path === '/silent') return;
      response.writeHead(200).write('%PDF-1.7');
      if (path === '/head') return;
      const drip = setInterval(() => response.write('x'), 20);
      response.on('close', () => clearInterval(drip));
    });
    const hasty = { ...files.network, firstBytesMs: 300 };
    expect(await fetchPrintFile(files.url(path), hasty)).toEqual({ outcome: 'slow' });
  });

  test('a request is aborted if the server or its name server does not respond', async () => {
    const silent = await startSilent();
    const network = { ...never(), port: silent.port, firstBytesMs: 300 };
    const url = new URL(`https://${HOST}:${silent.port}/`);
    expect(await fetchPrintFile(url, network)).toEqual({ outcome: 'slow' });
    const resolve = (_host: string, signal: AbortSignal) => sleep(60_000, [], { signal, ref: false });
    expect(await fetchPrintFile(url, { ...network, resolve })).toEqual({ outcome: 'slow' });
  });

  test('a server that closes the connection, refuses it or cannot be resolved counts as not responding', async () => {
    const files = await startFileServer((_request, response) => {
      response.writeHead(200, { 'content-length': '900' }).write('%PDF-1.7', () => response.destroy());
    });
    expect(await fetchPrintFile(files.url('/'), files.network)).toEqual({ outcome: 'unreachable' });
    const closed = { ...never(), port: 1 };
    expect(await fetchPrintFile(new URL(`https://${HOST}:1/`), closed)).toEqual({ outcome: 'unreachable' });
    const failing = { ...never(), resolve: () => Promise.reject(new Error('SERVFAIL')), port: 443 };
    expect(await fetchPrintFile(new URL(`https://${HOST}/`), failing)).toEqual({ outcome: 'unreachable' });
  });

  function never(): FileNetwork {
    return { clock: systemClock, resolve: () => Promise.resolve(['127.0.0.1']), isPublic: () => true, port: 443 };
  }
});
