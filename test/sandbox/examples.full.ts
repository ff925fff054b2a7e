import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { startPlaten } from '../helpers/platen.ts';

const PAGE = readFileSync(new URL('../../docs/developers/sandbox.md', import.meta.url), 'utf8');

test('every example on the sandbox page runs as written, and every order is printed despite the injected faults', async () => {
  const platen = await startPlaten({ time: 'real', advanceSeconds: null, settings: { delayMinutes: 0 } });
  onTestFinished(() => platen.stop());
  const blocks = [...PAGE.matchAll(/^```sh\n([^]*?)^```/gm)].map(([, block = '']) =>
    block.replace('http://127.0.0.1:4020', platen.storeUrl).replace('http://127.0.0.1:4010', platen.printUrl),
  );
  const [setUp = '', ...examples] = blocks;
  expect(examples.length).toBeGreaterThan(5);
  const live = async () =>
    (await platen.printed()).filter(({ orderType, deleted }) => orderType === 'order' && deleted !== true);
  for (const example of examples) {
    if (example.includes('/advance')) await expect.poll(live, { timeout: 60_000 }).toHaveLength(1);
    const PATH = `${dirname(process.execPath)}:${process.env['PATH']}`;
    const run = promisify(execFile)('sh', ['-euc', setUp + example], { env: { PATH }, timeout: 30_000 });
    await expect(run, example).resolves.toMatchObject({ stderr: '' });
  }
  await expect
    .poll(async () => (await live()).map(({ items }) => items[0]?.quantity), { timeout: 60_000 })
    .toEqual([2, 1]);
}, 180_000);
