import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** Writes texts to standard output as they come. Whoever reads the output may leave before its end. */
export async function printTexts(texts: AsyncIterable<string>): Promise<void> {
  await pipeline(Readable.from(texts), process.stdout, { end: false }).catch(ignoreLeaver);
}

function ignoreLeaver(error: unknown): void {
  if (!(error instanceof Error && 'code' in error && error.code === 'EPIPE')) throw error;
}
