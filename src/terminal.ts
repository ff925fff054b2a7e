import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

// These functions write all terminal output for people. The terminal displays texts from the print service, the store and buyers, but never
// interprets them as commands.

/** Characters that a terminal interprets: control characters, lone surrogates, line separators and marks that change the text direction. */
const UNSAFE = /[\p{Cc}\p{Cs}\u061C\u200E\u200F\u2028-\u202E\u2066-\u2069]/gu;
const LAYOUT = /[\t\n\r]/;

/**
 * Returns one line that is safe to display. Line breaks and tabs become spaces. Other characters that a terminal interprets are escaped
 * as in JSON (`\u001b`).
 */
export function toTerminalLine(text: string): string {
  return text.replace(UNSAFE, (character) => (LAYOUT.test(character) ? ' ' : escapeCharacter(character)));
}

/** Writes one line to standard output. */
export function writeLine(line: string): void {
  process.stdout.write(`${toTerminalLine(line)}\n`);
}

/** Writes one line to standard error, so that progress, warnings and errors stay out of output that programs read. */
export function writeErrorLine(line: string): void {
  process.stderr.write(`${toTerminalLine(line)}\n`);
}

/** Writes a JSON document on one line. Unsafe characters become JSON escapes, so a program still reads the same value. */
export function writeJson(value: unknown): void {
  writeLine(JSON.stringify(value));
}

/** Writes a JSON array as its elements arrive, one per line. */
export async function writeJsonList(elements: AsyncIterable<unknown>): Promise<void> {
  let separator = '[';
  for await (const element of elements) {
    process.stdout.write(`${separator}\n${toTerminalLine(JSON.stringify(element))}`);
    separator = ',';
  }
  process.stdout.write(separator === '[' ? '[]\n' : '\n]\n');
}

/** Writes a file's texts as they arrive: unchanged to a pipe or file, and escaped to a terminal. The reader may close the pipe early. */
export async function writeTexts(texts: AsyncIterable<string>, isTerminal = process.stdout.isTTY): Promise<void> {
  const shown = isTerminal ? escapeAll(texts) : texts;
  await pipeline(Readable.from(shown), process.stdout, { end: false }).catch(ignoreClosedPipe);
}

async function* escapeAll(texts: AsyncIterable<string>): AsyncGenerator<string> {
  for await (const text of texts)
    yield text.replace(UNSAFE, (character) => (LAYOUT.test(character) ? character : escapeCharacter(character)));
}

/** Writes rows as text columns below their headings. */
export function writeTable(headings: string[], rows: string[][]): void {
  const table = [headings, ...rows].map((row) => row.map(toTerminalLine));
  const widths = headings.map((_, column) =>
    table.reduce((widest, row) => Math.max(widest, row[column]?.length ?? 0), 0),
  );
  for (const row of table) {
    const cells = row.map((cell, column) => cell.padEnd(widths[column] ?? 0));
    writeLine(cells.join('  ').trimEnd());
  }
}

function escapeCharacter(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

function ignoreClosedPipe(error: unknown): void {
  if (!(error instanceof Error && 'code' in error && error.code === 'EPIPE')) throw error;
}
