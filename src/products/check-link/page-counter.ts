// Counts the pages of the PDF on standard input and says on standard output what came of it. It runs as a process of its own, which
// `count-pages.ts` starts: what a file does to its reader it does to nobody else. The arguments are the length of the file in bytes and the
// address of the library that reads it: to find that by its name, more would have to be read than this process may.
import type * as Unpdf from 'unpdf';

const [length, reader = ''] = process.argv.slice(2);
const { getDocumentProxy, getResolvedPDFJS } = (await import(reader)) as typeof Unpdf;
// A library that cannot be loaded is no damaged file.
await getResolvedPDFJS();

/** The file in the one place that it takes: of 100 MB no copy is made. */
async function readFile(): Promise<Uint8Array> {
  const bytes = new Uint8Array(Number(length));
  let size = 0;
  for await (const chunk of process.stdin as AsyncIterable<Buffer>) {
    bytes.set(chunk, size);
    size += chunk.length;
  }
  return bytes.subarray(0, size);
}

async function count(): Promise<string> {
  try {
    // Its warnings would stand on standard output.
    const { numPages } = await getDocumentProxy(await readFile(), { verbosity: 0 });
    return isCount(numPages) ? String(numPages) : 'damaged';
  } catch (error) {
    const name = error instanceof Error ? error.name : '';
    if (name === 'PasswordException') return 'locked';
    // A stack or an allocation beyond all bounds.
    return name === 'RangeError' ? 'too_complex' : 'damaged';
  }
}

/** The library passes on what the file says where it cannot count for itself, such as a number below zero. */
function isCount(pages: number): boolean {
  return Number.isSafeInteger(pages) && pages >= 0 && pages < 1e9;
}

function say(counted: string): void {
  process.stdout.write(counted, () => process.exit());
}

// The library is there: an error that it throws beside its own calls is the file's doing.
process.once('uncaughtException', () => say('damaged'));
const counted = await count();
say(counted);
