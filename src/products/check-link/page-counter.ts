// Counts the pages of the PDF on standard input and writes the result to standard output. `count-pages.ts` starts this script as a separate
// process, so that a malicious file affects nothing else. The arguments are the maximum number of bytes and the PDF library's URL. The URL
// is passed because resolving the library by name would need more file access than this process has.
import type * as Unpdf from 'unpdf';

const [most, reader = ''] = process.argv.slice(2);
const { getDocumentProxy, getResolvedPDFJS } = (await import(reader)) as typeof Unpdf;
// Loaded outside `countFilePages`, so that a loading failure is not reported as a damaged file.
await getResolvedPDFJS();

const GROWTH = 4 * 1024 * 1024;

/** Reads the file into one growing buffer, because a second copy of up to 100 MB would not fit. The buffer has exactly the file's length. */
async function readFile(): Promise<Uint8Array> {
  const buffer = new ArrayBuffer(0, { maxByteLength: Number(most) });
  let size = 0;
  for await (const chunk of process.stdin as AsyncIterable<Buffer>) {
    const end = size + chunk.length;
    if (end > buffer.byteLength) buffer.resize(Math.min(buffer.maxByteLength, Math.max(end, size + GROWTH)));
    new Uint8Array(buffer).set(chunk, size);
    size = end;
  }
  buffer.resize(size);
  return new Uint8Array(buffer);
}

async function countFilePages(): Promise<string> {
  try {
    // Without `verbosity: 0`, warnings would go to standard output.
    const { numPages } = await getDocumentProxy(await readFile(), { verbosity: 0 });
    return isCount(numPages) ? String(numPages) : 'damaged';
  } catch (error) {
    const name = error instanceof Error ? error.name : '';
    if (name === 'PasswordException') return 'locked';
    // A RangeError means that the stack or an allocation exceeded its limit.
    return name === 'RangeError' ? 'too_complex' : 'damaged';
  }
}

/**
 * Returns whether `pages` is a real count. If the library cannot count the pages, it returns the number stated in the file, which may be
 * negative.
 */
function isCount(pages: number): boolean {
  return Number.isSafeInteger(pages) && pages >= 0 && pages < 1e9;
}

function writeResult(counted: string): void {
  process.stdout.write(counted, () => process.exit());
}

// The library has already loaded, so any error that it throws outside its calls is caused by the file.
process.once('uncaughtException', () => writeResult('damaged'));
const counted = await countFilePages();
writeResult(counted);
