import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { startPrintService } from '../../sandbox/print/start.ts';
import { createClient, type Client } from '../sandbox/print/service.ts';

/** Opens one stand-in for all tests of a file. Returns a function that provides its client while the tests run. */
export function openService(): () => Client {
  let opened: { service: Client; close: () => Promise<void> } | null = null;

  beforeAll(async () => {
    const home = mkdtempSync(join(tmpdir(), 'platen-property-'));
    const serving = await startPrintService({ home, port: 0, advanceSeconds: null, extended: true });
    const close = async () => {
      await serving.close();
      rmSync(home, { recursive: true });
    };
    opened = { service: createClient(serving.url), close };
  });
  afterAll(() => opened?.close());

  return () => {
    if (opened === null) throw new Error('the stand-in is not open yet');
    return opened.service;
  };
}
