import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { DraftCheck } from '../../../src/orders/draft-check/run-draft-check.ts';
import { startPlaten, type Platen } from '../../helpers/platen.ts';
import { runAlongside } from '../../helpers/run-alongside.ts';
import type { Ran } from '../run-platen.ts';

let platen: Platen;
let folder: string;

beforeAll(async () => {
  platen = await startPlaten({ advanceSeconds: null });
  folder = mkdtempSync(join(tmpdir(), 'platen-check-'));
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await platen.stop();
});
beforeEach(async () => void (await platen.control('print', 'POST', '/faults', [])));

const check = (...options: string[]): Promise<Ran> => runAlongside(platen, 'check', '--shop', 'demo', ...options);

test('platen check exits with 0, shows the time of each step and writes JUnit', async () => {
  const junit = join(folder, 'check.xml');
  const ran = await check('--junit', junit);
  expect(ran).toMatchObject({ code: 0, stderr: '' });
  for (const name of ['leftovers', 'quote', 'create', 'read', 'delete'])
    expect(ran.stdout).toMatch(new RegExp(`^${name} +passed +\\d+ ms`, 'm'));
  expect(readFileSync(junit, 'utf8')).toContain('tests="5" failures="0" errors="0" skipped="0"');
});

test('platen check exits with 3 if a step fails and no draft is left', async () => {
  await platen.control('print', 'POST', '/faults', [{ kind: 'status', status: 400, path: '/v4/orders:quote' }]);
  const ran = await check('--json');
  expect(ran.code).toBe(3);
  expect(JSON.parse(ran.stdout)).toMatchObject({ left: 'none', remedy: null } satisfies Partial<DraftCheck>);
});

test('platen check exits with 4 and shows the remedy if its draft may still exist', async () => {
  await platen.control('print', 'POST', '/faults', [{ kind: 'status', status: 401, method: 'DELETE' }]);
  const ran = await check();
  expect(ran.code).toBe(4);
  expect(ran.stderr).toMatch(/^A draft pl[a-z0-9]{4}-check-draft-[a-z2-7]{12} may still exist at the print service\./);
  // The next check deletes it.
  await platen.control('print', 'POST', '/faults', []);
  expect((await check()).code).toBe(0);
});

test('platen check exits with 1 without starting if the check could cost money', async () => {
  const set = 'update shops set settings = settings || $1::jsonb';
  await platen.app.db.query(set, [{ printInterface: 'v2' }]);
  const ran = await check();
  await platen.app.db.query(set, [{ printInterface: 'current' }]);
  expect(ran.code).toBe(1);
  expect(ran.stderr).toContain('could be printed and charged');
});
