import { writeFile } from 'node:fs/promises';
import type { App } from '../../app.ts';
import type { Shop } from '../../database/entities/shops.ts';
import { runDraftCheck, type DraftCheck } from '../../orders/draft-check/run-draft-check.ts';
import { writeErrorLine, writeJson, writeLine, writeTable } from '../../terminal.ts';
import { toJunit } from './to-junit.ts';

interface Options {
  sku: string | undefined;
  country: string | undefined;
  junit: string | undefined;
  json: boolean;
}

/** All steps passed, but the JUnit file could not be written. */
const NOT_WRITTEN = 1;
/** A step failed, and nothing is left at the print service. */
const FAILED = 3;
/** The exit code if a draft or an order may be left at the print service. */
const LEFT = 4;

/** `platen check`: creates and deletes a draft to check that orders can be sent to the print service. Returns the exit code. */
export async function check({ sku, country, junit, json }: Options, app: App, shop: Shop): Promise<number> {
  const done = await finishDespiteSignal(() =>
    runDraftCheck(app, shop, { sku: sku ?? null, country: country ?? null }),
  );
  if (json) writeJson(done);
  else report(done);
  const isWritten = junit === undefined || (await tryWrite(junit, toJunit(done)));
  return toExitCode(done) || (isWritten ? 0 : NOT_WRITTEN);
}

/** Writes a file. If this fails, only reports the error, because the result of the check matters more. */
async function tryWrite(file: string, text: string): Promise<boolean> {
  try {
    await writeFile(file, text);
    return true;
  } catch (error) {
    writeErrorLine(`The JUnit file was not written: ${error instanceof Error ? error.message : String(error)}`);
    return false;
  }
}

function report({ shop, reference, productUid, steps, remedy }: DraftCheck): void {
  writeLine(`Checked ${shop} with a draft of ${productUid} under ${reference}.`);
  const rows = steps.map(({ name, result, milliseconds, message }) => [
    name,
    result,
    result === 'skipped' ? '' : `${Math.round(milliseconds)} ms`,
    message ?? '',
  ]);
  writeTable(['STEP', 'RESULT', 'TIME', ''], rows);
  if (remedy !== null) writeErrorLine(remedy);
}

function toExitCode({ steps, left }: DraftCheck): number {
  if (left !== 'none' && left !== 'deleted') return LEFT;
  return steps.some(({ result }) => result === 'failed') ? FAILED : 0;
}

/** Runs `act` to its end, so that the draft is deleted. While `act` is running, ignores the first Ctrl+C and the first SIGTERM. */
async function finishDespiteSignal<Result>(act: () => Promise<Result>): Promise<Result> {
  const wait = (): void => writeErrorLine('The check ends once its draft is deleted. Press Ctrl+C again to stop now.');
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, wait);
  try {
    return await act();
  } finally {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, wait);
  }
}
