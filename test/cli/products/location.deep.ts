import { afterAll, beforeAll, expect, test } from 'vitest';
import { startPlaten, type Platen } from '../../helpers/platen.ts';
import { runAlongside } from '../../helpers/run-alongside.ts';

let platen: Platen;
beforeAll(async () => void (platen = await startPlaten({ time: 'real' })), 60_000);
afterAll(() => platen.stop());

const run = (...args: string[]) => runAlongside(platen, ...args);

async function stockEverythingAt(location: string): Promise<void> {
  const variants = (await platen.control('store', 'GET', '/variants')) as { variantId: string }[];
  for (const { variantId } of variants)
    await platen.control('store', 'POST', `/variants/${encodeURIComponent(variantId)}/stock`, { location });
}

test('platen location plans, applies and lists the changes at Platen’s location', async () => {
  await stockEverythingAt('own');
  const plan = await run('location', 'plan', 'demo');
  expect(plan).toMatchObject({ code: 0, stderr: '' });
  expect(plan.stdout).toMatch(/^9 variants would be stocked at Platen's location:$/m);
  expect(plan.stdout).toMatch(/MUG-11OZ +Harbour Mug, 11 oz/);
  expect(plan.stdout).toMatch(/Nothing was changed/);
  const apply = await run('location', 'apply', 'demo');
  expect(apply).toMatchObject({ code: 0, stdout: 'Platen stocks 9 variants at its location.\n' });
  const planned = await run('location', 'plan', 'demo', '--json');
  expect(JSON.parse(planned.stdout)).toMatchObject({ toStock: [], toUnstock: [], unchanged: 9 });
  const listed = await run('location', 'list', 'demo');
  expect(listed.stdout).toMatch(/Harbour Cards +stocked/);
  expect(JSON.parse((await run('location', 'list', 'demo', '--problems', '--json')).stdout)).toEqual([]);
});

test.each(['plan', 'apply', 'list'])('platen location %s requires a shop', async (command) => {
  expect(await run('location', command)).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/The shop is missing/),
  });
});
