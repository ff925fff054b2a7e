import { expect, test } from 'vitest';
import { streamPrintFile } from '../../../src/print/files/fetch-print-file.ts';
import { startFileServer } from './file-server.ts';

const MEGABYTE = Buffer.alloc(1024 * 1024, 'x');

async function readAll(chunks: AsyncIterable<Buffer>): Promise<number> {
  let size = 0;
  for await (const chunk of chunks) size += chunk.length;
  return size;
}

test('the download of a file of more than 100 MB is aborted if its server does not state the length', async () => {
  let sent = 0;
  const files = await startFileServer((_request, response) => {
    const write = (): void => {
      if (response.destroyed) return;
      sent += 1;
      if (sent > 200) response.end();
      else response.write(MEGABYTE, (error) => error ?? write());
    };
    write();
  });
  expect(await streamPrintFile(files.url('/'), readAll, files.network)).toEqual({ outcome: 'too_large' });
  expect(sent).toBeLessThan(200);
});
