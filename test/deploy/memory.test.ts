import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { COUNT_LIMITS } from '../../src/products/check-link/count-pages.ts';
import { CHART, ROOT } from './manifests.ts';

/** The memory of a Platen process after 100,000 webhooks, in MB (docs/performance.md). */
async function readFootprint(): Promise<number> {
  const [, footprint] =
    /memory after 100,000 webhooks .*\*\*(\d+) MB\*\*/.exec(
      await readFile(join(ROOT, 'docs/performance.md'), 'utf8'),
    ) ?? [];
  return Number(footprint);
}

test('a worker of the chart has memory for itself and for counting the pages of a print file at the same time', async () => {
  const values = parse(await readFile(join(CHART, 'values.yaml'), 'utf8')) as {
    worker: { resources: { limits: { memory: string } } };
  };
  const limit = /^(\d+)Mi$/.exec(values.worker.resources.limits.memory)?.[1];
  expect(COUNT_LIMITS.megabytes).toBeLessThanOrEqual(384);
  expect(Number(limit)).toBeGreaterThanOrEqual((await readFootprint()) + COUNT_LIMITS.megabytes);
});
