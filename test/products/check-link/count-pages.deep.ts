import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { countPages } from '../../../src/products/check-link/count-pages.ts';
import { zipBombPdf, CATALOG, compressedPdf, PAGE, pagesPdf, toPdf } from './make-pdf.ts';

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
  expect(await countPages(bytes)).toBe(pages);
});

test('the pages of a PDF with a broken cross-reference table are counted', async () => {
  const bytes = Buffer.from(
    pagesPdf(4)
      .toString('latin1')
      .replace(/startxref\n\d+/, 'startxref\n7'),
    'latin1',
  );
  expect(await countPages(bytes)).toBe(4);
});

test.each([
  ['only a header', Buffer.from('%PDF-1.7\n'), 'damaged'],
  ['no bytes', Buffer.alloc(0), 'damaged'],
  ['no catalog', toPdf(['<< /Type /Font >>']), 'damaged'],
  ['a password', pagesPdf(3, { trailer: LOCK }), 'locked'],
  ['a negative page count', pagesPdf(1, { claimed: -5 }), 'damaged'],
])('the pages of a PDF with %s are not counted', async (_, bytes, verdict) => {
  expect(await countPages(bytes)).toBe(verdict);
});

describe('counting the pages of a malicious PDF', () => {
  test('page counting terminates on a PDF whose page tree contains itself', async () => {
    const loop = toPdf([CATALOG, '<< /Type /Pages /Kids [2 0 R 2 0 R] /Count 10 >>']);
    expect(await countPages(loop)).toBe(1);
  });

  test('page counting terminates on a PDF whose page tree is 20,000 levels deep', async () => {
    const levels = Array.from({ length: 20_000 }, (_, at) => `<< /Type /Pages /Kids [${at + 3} 0 R] /Count 1 >>`);
    expect(await countPages(toPdf([CATALOG, ...levels, PAGE]))).toBe(1);
  });

  test('page counting terminates on a PDF with a million nested lists', async () => {
    const nested = toPdf([CATALOG, `<< /Type /Pages /Kids ${'['.repeat(1_000_000)} /Count 1 >>`]);
    expect(await countPages(nested)).toBe('damaged');
  });

  test('page counting terminates on a PDF with a small stream that expands beyond the memory limit', async () => {
    const bomb = zipBombPdf(512 * 1024 * 1024);
    expect(bomb.length).toBeLessThan(1024 * 1024);
    // The limit is not lower, because Node.js alone uses more than half of it.
    const limits = { milliseconds: 20_000, megabytes: 768 };
    expect(await countPages(pagesPdf(3), limits)).toBe(3);
    expect(await countPages(bomb, limits)).toBe('too_complex');
  });

  test('page counting terminates on a PDF whose pages take longer to count than the time limit allows', async () => {
    const begun = performance.now();
    const objects = Buffer.from('1 0 obj<<>>endobj\n'.repeat(2_000_000));
    const long = Buffer.concat([Buffer.from('%PDF-1.7\n'), objects]);
    expect(await countPages(long, { milliseconds: 300, megabytes: 1024 })).toBe('too_complex');
    expect(performance.now() - begun).toBeLessThan(5_000);
  });
});

test.runIf(process.platform === 'linux')('no process remains after pages are counted', async () => {
  const children = () => readdirSync('/proc/self/task').flatMap((task) => readChildren(task));
  const before = children();
  await countPages(pagesPdf(1));
  expect(children().filter((id) => !before.includes(id))).toEqual([]);
});

function readChildren(task: string): string[] {
  return readFileSync(`/proc/self/task/${task}/children`, 'utf8').split(' ').filter(Boolean);
}
