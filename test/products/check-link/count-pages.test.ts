import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { countPages } from '../../../src/products/check-link/count-pages.ts';
import { bombPdf, CATALOG, compressedPdf, PAGE, pagesPdf, toPdf } from './make-pdf.ts';

/** The standard encryption of PDF 1.4 for a user password that nobody here knows. */
const LOCK = `/Encrypt << /Filter /Standard /V 1 /R 2 /P -44 /O <${'ab'.repeat(32)}> /U <${'cd'.repeat(32)}> >> /ID [<00> <00>]`;

test.each([
  ['of some pages', pagesPdf(3), 3],
  ['of none', pagesPdf(0), 0],
  ['as newer programs write it', compressedPdf(5), 5],
  ['with lines before its head and after its end', Buffer.concat([pagesPdf(2), Buffer.from('\n\n% more')]), 2],
  ['that says it has more than there are', pagesPdf(3, { told: 9 }), 3],
  ['that says it has billions', pagesPdf(1, { told: 2_000_000_000 }), 1],
])('the pages of a PDF %s are counted', async (_, bytes, pages) => {
  expect(await countPages(bytes)).toBe(pages);
});

test('a PDF whose table is broken is counted all the same', async () => {
  const bytes = Buffer.from(
    pagesPdf(4)
      .toString('latin1')
      .replace(/startxref\n\d+/, 'startxref\n7'),
    'latin1',
  );
  expect(await countPages(bytes)).toBe(4);
});

test.each([
  ['nothing but its head', Buffer.from('%PDF-1.7\n'), 'damaged'],
  ['no bytes', Buffer.alloc(0), 'damaged'],
  ['no catalog', toPdf(['<< /Type /Font >>']), 'damaged'],
  ['a password', pagesPdf(3, { trailer: LOCK }), 'locked'],
  ['a count below zero', pagesPdf(1, { told: -5 }), 'damaged'],
])('a PDF with %s is told as what it is', async (_, bytes, told) => {
  expect(await countPages(bytes)).toBe(told);
});

describe('a PDF that is made to do harm ends, with an answer,', () => {
  test('whose pages are their own children, however many it says they are', async () => {
    const loop = toPdf([CATALOG, '<< /Type /Pages /Kids [2 0 R 2 0 R] /Count 10 >>']);
    expect(await countPages(loop)).toBe(1);
  });

  test('whose tree is twenty thousand levels deep', async () => {
    const levels = Array.from({ length: 20_000 }, (_, at) => `<< /Type /Pages /Kids [${at + 3} 0 R] /Count 1 >>`);
    expect(await countPages(toPdf([CATALOG, ...levels, PAGE]))).toBe(1);
  });

  test('whose list is a million lists in each other', async () => {
    const nested = toPdf([CATALOG, `<< /Type /Pages /Kids ${'['.repeat(1_000_000)} /Count 1 >>`]);
    expect(await countPages(nested)).toBe('damaged');
  });

  test('of which a small stream becomes more than the memory that it may have', async () => {
    const bomb = bombPdf(512 * 1024 * 1024);
    expect(bomb.length).toBeLessThan(1024 * 1024);
    // Node itself takes more than half of that before it reads anything.
    const limits = { milliseconds: 20_000, megabytes: 768 };
    expect(await countPages(pagesPdf(3), limits)).toBe(3);
    expect(await countPages(bomb, limits)).toBe('too_complex');
  });

  test('for which there is not enough time', async () => {
    const begun = performance.now();
    const objects = Buffer.from('1 0 obj<<>>endobj\n'.repeat(2_000_000));
    const long = Buffer.concat([Buffer.from('%PDF-1.7\n'), objects]);
    expect(await countPages(long, { milliseconds: 300, megabytes: 1024 })).toBe('too_complex');
    expect(performance.now() - begun).toBeLessThan(5_000);
  });
});

test.runIf(process.platform === 'linux')('nothing of a count is left behind', async () => {
  const children = () => readdirSync('/proc/self/task').flatMap((task) => readChildren(task));
  const before = children();
  await countPages(pagesPdf(1));
  expect(children().filter((id) => !before.includes(id))).toEqual([]);
});

function readChildren(task: string): string[] {
  return readFileSync(`/proc/self/task/${task}/children`, 'utf8').split(' ').filter(Boolean);
}
