import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { Readable } from 'node:stream';
import { countPages, COUNT_LIMITS } from '../../../src/products/check-link/count-pages.ts';
import { CATALOG, compressedPdf, PAGE, pagesPdf, toPdf } from './make-pdf.ts';

const CHUNK = 64 * 1024;

/** Counts the pages of a file that arrives in chunks, as from a server. */
function count(bytes: Buffer, limits = COUNT_LIMITS) {
  const chunks = Array.from({ length: Math.ceil(bytes.length / CHUNK) }, (_, index) =>
    bytes.subarray(index * CHUNK, (index + 1) * CHUNK),
  );
  return countPages(Readable.from(chunks), limits);
}

/** The standard encryption of PDF 1.4, with an unknown user password. */
const LOCK = `/Encrypt << /Filter /Standard /V 1 /R 2 /P -44 /O <${'ab'.repeat(32)}> /U <${'cd'.repeat(32)}> >> /ID [<00> <00>]`;

test.each([
  ['with three pages', pagesPdf(3), 3],
  ['without pages', pagesPdf(0), 0],
  ['with compressed object streams', compressedPdf(5), 5],
  ['with extra lines after its end', Buffer.concat([pagesPdf(2), Buffer.from('\n\n% more')]), 2],
  ['that claims more pages than it has', pagesPdf(3, { claimed: 9 }), 3],
  ['that claims billions of pages', pagesPdf(1, { claimed: 2_000_000_000 }), 1],
])('the page count of a PDF %s is correct', async (_, bytes, pages) => {
  expect(await count(bytes)).toBe(pages);
});

test('the pages of a PDF with a broken cross-reference table are counted', async () => {
  const bytes = Buffer.from(
    pagesPdf(4)
      .toString('latin1')
      .replace(/startxref\n\d+/, 'startxref\n7'),
    'latin1',
  );
  expect(await count(bytes)).toBe(4);
});

test.each([
  ['only a header', Buffer.from('%PDF-1.7\n'), 'damaged'],
  ['no bytes', Buffer.alloc(0), 'damaged'],
  ['no catalog', toPdf(['<< /Type /Font >>']), 'damaged'],
  ['a password', pagesPdf(3, { trailer: LOCK }), 'locked'],
  ['a negative page count', pagesPdf(1, { claimed: -5 }), 'damaged'],
])('the pages of a PDF with %s are not counted', async (_, bytes, verdict) => {
  expect(await count(bytes)).toBe(verdict);
});

describe('counting the pages of a malicious PDF', () => {
  test('page counting terminates on a PDF whose page tree contains itself', async () => {
    const loop = toPdf([CATALOG, '<< /Type /Pages /Kids [2 0 R 2 0 R] /Count 10 >>']);
    expect(await count(loop)).toBe(1);
  });

  test('page counting terminates on a PDF whose page tree is 20,000 levels deep', async () => {
    const levels = Array.from({ length: 20_000 }, (_, at) => `<< /Type /Pages /Kids [${at + 3} 0 R] /Count 1 >>`);
    expect(await count(toPdf([CATALOG, ...levels, PAGE]))).toBe(1);
  });

  test('page counting terminates on a PDF with a million nested lists', async () => {
    const nested = toPdf([CATALOG, `<< /Type /Pages /Kids ${'['.repeat(1_000_000)} /Count 1 >>`]);
    expect(await count(nested)).toBe('damaged');
  });

  test('page counting terminates on a PDF whose pages take longer to count than the time limit allows', async () => {
    const objects = Buffer.from('1 0 obj<<>>endobj\n'.repeat(2_000_000));
    const long = Buffer.concat([Buffer.from('%PDF-1.7\n'), objects]);
    expect(await count(long, { ...COUNT_LIMITS, milliseconds: 300 })).toBe('too_complex');
  });
});

test.runIf(process.platform === 'linux')('no process remains after pages are counted', async () => {
  const before = children();
  await count(pagesPdf(1));
  expect(children().filter((id) => !before.includes(id))).toEqual([]);
});

function children(): string[] {
  return readdirSync('/proc/self/task').flatMap(readChildren);
}

function readChildren(task: string): string[] {
  return readFileSync(`/proc/self/task/${task}/children`, 'utf8').split(' ').filter(Boolean);
}
