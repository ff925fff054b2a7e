import { readConfig } from '../../src/config.ts';
import { limitNames } from '../../src/http/limits/limits.ts';
import { listen } from '../../src/http/server.ts';
import { createLog } from '../../src/log.ts';
import { openApp } from '../../src/open-app.ts';

/** Every request comes from one IP address and few shops, so the usual limits would reject most of them before a handler runs. */
const WIDE = { atOnce: 10_000, burst: 1_000_000, perSecond: 1_000_000 };
const RULES = Object.fromEntries(limitNames.map((name) => [name, WIDE]));

/** A report of the process: first the port of its endpoints, then its memory use after each message. */
export type Report = { port: number } | { heapBytes: number; otherBytes: number };

/** A process that serves only Platen's endpoints. Its arguments are the log's level and file. */
const [level = 'trace', logFile = ''] = process.argv.slice(2);
const { app } = await openApp(readConfig(), createLog(level, logFile), {
  poolSize: 10,
  applicationName: 'fuzzed-endpoints',
});
const endpoints = await listen(app, { rules: RULES });
const report = (content: Report): void => void process.send?.(content);
report({ port: endpoints.port });

process.on('message', () => {
  // The second collection also frees what the finalizers of the first one have released.
  globalThis.gc?.();
  globalThis.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  report({ heapBytes: heapUsed, otherBytes: external });
});
process.on('disconnect', () => process.exit());
