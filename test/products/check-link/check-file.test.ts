import type { IncomingMessage, ServerResponse } from 'node:http';
import { describe, expect, test } from 'vitest';
import { readConfig } from '../../../src/config.ts';
import { checkFile } from '../../../src/products/check-link/check-file.ts';
import { openPrintFiles } from '../../../src/products/check-link/open-print-files.ts';
import { readFileUrl } from '../../../src/products/check-link/read-file-url.ts';
import type { LinkProblem } from '../../../src/products/check-link/link-problem.ts';
import { pagesPdf } from './make-pdf.ts';
import { JPEG, PDF, PNG, startFileServer } from '../../print/files/file-server.ts';

const app = { config: { ...readConfig({ LOG_LEVEL: 'silent' }), checksPrintFiles: true } };

/** Checks a file that a real server returns through this handler. */
async function check(
  answer: (request: IncomingMessage, response: ServerResponse) => void,
  { path = '/mug.pdf', pageCount = null as number | null } = {},
): Promise<LinkProblem[]> {
  const files = await startFileServer(answer);
  return checkFile(app, { fileUrl: files.url(path).href, pageCount }, openPrintFiles(files.network));
}

const give = (bytes: string | Buffer) => (_request: IncomingMessage, response: ServerResponse) =>
  void response.end(bytes);

test.each([
  ['a PDF', PDF, null],
  ['a PDF with as many pages as the product', pagesPdf(24), 24],
  ['a PNG', PNG, null],
  ['a JPEG', JPEG, null],
  ['an image for a product with one page', PNG, 1],
])('%s passes the check', async (_what, bytes, pageCount) => {
  expect(await check(give(bytes), { pageCount, path: '/whatever-its-name' })).toEqual([]);
});

test('a print link without a file has no problem', async () => {
  expect(await checkFile(app, { fileUrl: null, pageCount: null }, openPrintFiles())).toEqual([]);
});

describe('the file type, which is determined by the first bytes', () => {
  test.each([
    ['a web page', '\ufeff\n <!DOCTYPE html><title>Your file</title>', 'file_is_a_page'],
    ['a web page without a doctype', '<html lang="en">', 'file_is_a_page'],
    ['a text file', 'This is a PDF: %PDF-1.7', 'file_type'],
    ['a TIFF', Buffer.from([0x49, 0x49, 0x2a, 0]), 'file_type'],
    ['an SVG', '<svg xmlns="http://www.w3.org/2000/svg"/>', 'file_type'],
    ['a WebP', 'RIFF\0\0\0\0WEBPVP8 ', 'file_type'],
    ['the start of a PNG', PNG.subarray(0, 7), 'file_type'],
    ['an empty file', '', 'file_empty'],
  ])('%s is refused', async (_what, bytes, code) => {
    const answer = (_request: IncomingMessage, response: ServerResponse): void => {
      response.setHeader('content-type', 'application/pdf').end(bytes);
    };
    expect(await check(answer)).toMatchObject([{ code, field: 'fileUrl', mayPass: false }]);
  });

  test('an image for a product with several pages is refused', async () => {
    const found = await check(give(JPEG), { pageCount: 24 });
    expect(found).toMatchObject([{ code: 'file_needs_pdf', message: expect.stringContaining('24 pages') }]);
  });
});

describe('the page count of a PDF', () => {
  test('a PDF whose page count differs from that of the print link is reported with both counts', async () => {
    const found = await check(give(pagesPdf(22)), { pageCount: 24 });
    expect(found).toMatchObject([{ code: 'page_count_differs', field: 'pageCount', mayPass: false }]);
    expect(found[0]?.message).toContain('24 pages, but the PDF has 22');
  });

  test('a PDF that cannot be read is reported as damaged', async () => {
    expect(await check(give(PDF), { pageCount: 24 })).toMatchObject([{ code: 'file_damaged', field: 'fileUrl' }]);
  });

  test('the whole file is fetched for a product with pages, but only its start for other products', async () => {
    const files = await startFileServer(give(pagesPdf(2)));
    const fileUrl = files.url('/book.pdf').href;
    expect(await checkFile(app, { fileUrl, pageCount: 2 }, openPrintFiles(files.network))).toEqual([]);
    expect(files.requests.map(({ range }) => range)).toEqual(['bytes=0-65535', undefined]);
    expect(await checkFile(app, { fileUrl, pageCount: null }, openPrintFiles(files.network))).toEqual([]);
    expect(files.requests).toHaveLength(3);
  });
});

test.each([
  [301, 'file_redirects', false],
  [401, 'file_not_shared', false],
  [403, 'file_not_shared', false],
  [404, 'file_missing', false],
  [410, 'file_missing', false],
  [400, 'file_not_given', false],
  [429, 'file_not_given', true],
  [503, 'file_not_given', true],
])('a response with the status %i is reported as %s', async (status, code, mayPass) => {
  const found = await check((_request, response) => void response.writeHead(status, { location: '/else' }).end());
  expect(found).toMatchObject([{ code, field: 'fileUrl', mayPass }]);
  expect(found[0]?.remedy).not.toBe('');
});

test('a network failure is reported as temporary or permanent, depending on its cause', async () => {
  const files = await startFileServer(give(PDF));
  const link = { fileUrl: files.url('/mug.pdf').href, pageCount: null };
  const codes = async (change: object) => checkFile(app, link, openPrintFiles({ ...files.network, ...change }));
  expect(await codes({ resolve: () => Promise.resolve([]) })).toMatchObject([
    { code: 'file_host_not_public', mayPass: false },
  ]);
  expect(await codes({ isPublic: () => false })).toMatchObject([{ code: 'file_host_not_public', mayPass: false }]);
  expect(await codes({ port: 443 })).toMatchObject([{ code: 'file_has_port', mayPass: false }]);
  expect(await codes({ ca: '' })).toMatchObject([{ code: 'file_host_unverified', mayPass: false }]);
  expect(await codes({ resolve: () => Promise.reject(new Error('SERVFAIL')) })).toMatchObject([
    { code: 'file_unreachable', mayPass: true },
  ]);
  expect(await codes({ firstBytesMs: 1 })).toMatchObject([{ code: 'file_slow', mayPass: true }]);
});

describe('the address of a print file', () => {
  const bad: [string, string][] = [
    ['mug.pdf', 'file_address_unusable'],
    [`https://files.example/${'x'.repeat(2_048)}`, 'file_address_unusable'],
    ['http://files.example/mug.pdf', 'file_not_https'],
    ['file:///etc/passwd', 'file_address_unusable'],
    ['https://user:secret@files.example/mug.pdf', 'file_has_password'],
    ['https://files.example:8443/mug.pdf', 'file_has_port'],
    ['https://10.0.0.1/mug.pdf', 'file_host_not_public'],
    ['https://0x7f.1/mug.pdf', 'file_host_not_public'],
    ['https://93.184.216.34/mug.pdf', 'file_host_not_public'],
    ['https://[::1]/mug.pdf', 'file_host_not_public'],
    ['https://localhost/mug.pdf', 'file_host_not_public'],
    ['https://files.localhost/mug.pdf', 'file_host_not_public'],
    ['https://intranet/mug.pdf', 'file_host_not_public'],
  ];

  test.each(bad)('%s is refused even if no file is fetched', async (fileUrl, code) => {
    for (const checksPrintFiles of [true, false]) {
      const checking = { config: { ...app.config, checksPrintFiles } };
      expect(await checkFile(checking, { fileUrl, pageCount: null }, openPrintFiles())).toMatchObject([
        { code, field: 'fileUrl' },
      ]);
    }
  });

  test('an address with a host name and the default port is accepted', () => {
    for (const address of [
      'https://files.example/mug.pdf',
      'https://FILES.example.:443/a%20mug.pdf?v=1',
      'https://10.0.0.1.example/',
    ]) {
      expect(readFileUrl(address)).toEqual({ url: new URL(address), problem: null });
    }
  });

  test('if PRINT_FILE_CHECK is off, only the address of the file is checked', async () => {
    const files = await startFileServer(give('no PDF'));
    const off = { config: { ...app.config, checksPrintFiles: false } };
    expect(
      await checkFile(off, { fileUrl: files.url('/').href, pageCount: 24 }, openPrintFiles(files.network)),
    ).toEqual([]);
    expect(files.connections()).toBe(0);
  });
});
