import { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Context } from 'koa';

const CHUNK_LENGTH = 64 * 1024;

/** Responds with a CSV file in chunks of 64 KiB. Other requests can run between two chunks. */
export function sendCsv(ctx: Context, name: string, lines: AsyncIterable<string>): void {
  ctx.attachment(name);
  ctx.type = 'text/csv; charset=utf-8';
  ctx.body = Readable.from(toChunks(lines), { objectMode: false });
}

async function* toChunks(lines: AsyncIterable<string>): AsyncGenerator<string> {
  let chunk = '';
  for await (const line of lines) {
    chunk += line;
    if (chunk.length < CHUNK_LENGTH) continue;
    yield chunk;
    chunk = '';
    await nextTurn();
  }
  yield chunk;
}
