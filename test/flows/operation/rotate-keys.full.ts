import { spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { encryptColumn } from '../../../src/database/encrypt-column.ts';
import { encryptedColumns } from '../../../src/database/encrypted-columns.ts';
import { runPlaten, type Ran } from '../../cli/run-platen.ts';
import type { PlacedOrder } from '../../helpers/platen.ts';
import { platen, testPlaten } from '../../helpers/test-platen.ts';
import { eventually } from '../../helpers/eventually.ts';
import { productionVariables, startProcess, stopProcess } from './start-process.ts';

const SRC = join(import.meta.dirname, '../../../src');
/** The number of values. Re-encrypting 8,000 values takes seconds, so the test can kill the command before it finishes. */
const VALUE_COUNT = 8_000;
const [OLD, NEW] = [randomBytes(32).toString('base64'), randomBytes(32).toString('base64')];

// This process only serves the endpoints. Jobs run in the processes that the test replaces.
testPlaten({
  time: 'real',
  environment: { ROLE: 'web', ENCRYPTION_KEY: OLD, ENCRYPTION_KEYS_OLD: NEW },
  settings: { delayMinutes: 0 },
});
beforeAll(async () => {});

const environmentWith = (current: string, old: string): Record<string, string> => ({
  ...productionVariables(platen),
  ENCRYPTION_KEY: current,
  ENCRYPTION_KEYS_OLD: old,
});
const startWorker = (current: string, old: string): Promise<ChildProcess> =>
  startProcess(platen, { ...environmentWith(current, old), ROLE: 'worker' });

const rotate = (...args: string[]): Promise<Ran> => runPlaten(['rotate-keys', ...args], environmentWith(NEW, OLD));

/** Adds values encrypted with the old key to an order that ended long ago. */
async function addOldKeyValues(): Promise<void> {
  const { app, shop } = platen;
  const [order]: [{ id: string }] = await app.db.query(
    `insert into storefront_orders (shop_id, shopify_order_id, name, placed_at, outcome)
     values ($1, 'gid://shopify/Order/1', '#1', now(), 'planned') returning id`,
    [shop.id],
  );
  const references = Array.from({ length: VALUE_COUNT }, (_, at) => `ended-${at}`);
  const values = references.map((reference) =>
    encryptColumn(app.config.encryptionKeys, encryptedColumns.recipient.toPlace(reference), 'x'.repeat(500)),
  );
  await app.db.query(
    `insert into print_orders (shop_id, storefront_order_id, shopify_fulfillment_order_id, part, reference, state, submit_way, plan_sha256,
       recipient_encrypted, closed_at)
     select $1, $2, 'f', n, r, 'canceled', 'draft', 'p', e, now()
     from unnest($3::text[], $4::text[]) with ordinality as t(r, e, n)`,
    [shop.id, order.id, references, values],
  );
}

async function countNewKeyValues(): Promise<number> {
  const [key] = readKeys();
  const [row]: [{ count: number }] = await platen.app.db.query(
    'select count(*)::int as count from print_orders where starts_with(recipient_encrypted, $1)',
    [`v1.${key}.`],
  );
  return row.count;
}

/** Returns the IDs of the new and the old key. */
function readKeys(): [string, string] {
  const [old, fresh] = platen.app.config.encryptionKeys;
  return [fresh?.id ?? '', old?.id ?? ''];
}

test('the encryption key can be rotated while orders are in flight, even if the rotation is killed, and each order is printed once', async () => {
  const placed: PlacedOrder[] = [];
  const place = async (count: number): Promise<void> => {
    for (let at = 0; at < count; at += 1) placed.push(await platen.placeSkus({ 'MUG-11OZ': 1 }));
  };
  const [newId, oldId] = readKeys();
  await addOldKeyValues();

  // Step 1: every process can read values with the new key, but still encrypts with the old key.
  const before = await startWorker(OLD, NEW);
  await place(2);
  const untilPrinted = ({ name }: PlacedOrder): Promise<void> =>
    eventually(async () => (await platen.printedFor(name)).length).toBe(1);
  await untilPrinted(placed[0]!);
  const refused = await rotate();
  expect(refused).toMatchObject({ code: 1, stdout: '' });
  expect(refused.stderr).toContain(`a running Platen process encrypts with ${oldId}, not with ${newId}`);
  const counted = await rotate('--dry-run', '--json');
  expect(counted.code).toBe(0);
  expect(JSON.parse(counted.stdout)).toMatchObject({ canRemoveOldKeys: false, unreadable: { count: 0 } });
  expect(await countNewKeyValues()).toBe(0);

  // Step 2: every process encrypts with the new key.
  await place(2);
  const [during] = await Promise.all([startWorker(NEW, OLD), stopProcess(before)]);
  await place(2);

  // Step 3: the rotation is killed in the middle, and runs again.
  const killed = spawn(process.execPath, [join(SRC, 'cli/main.ts'), 'rotate-keys'], {
    stdio: 'ignore',
    env: { PATH: process.env['PATH'], ...environmentWith(NEW, OLD) },
  });
  await eventually(countNewKeyValues).toBeGreaterThan(500);
  const exited = once(killed, 'exit');
  killed.kill('SIGKILL');
  await exited;
  const done = await countNewKeyValues();
  expect(done).toBeLessThan(VALUE_COUNT);
  const [resumed] = await Promise.all([rotate(), place(2)]);
  expect(resumed.code).toBe(0);
  // On a slow machine, the command shows its progress.
  expect(resumed.stderr).toMatch(/^(\d+ of \d+ values\n)*$/);
  expect(resumed.stdout).toMatch(new RegExp(`^${oldId} +ENCRYPTION_KEYS_OLD +0$`, 'm'));
  expect(resumed.stdout).toContain('You can remove ENCRYPTION_KEYS_OLD.');
  const again = Number(/Re-encrypted (\d+) values/.exec(resumed.stdout)?.[1]);
  expect(again).toBeGreaterThan(0);
  expect(again).toBeLessThan(VALUE_COUNT);

  // Step 4: the old key is removed.
  await Promise.all([startWorker(NEW, ''), stopProcess(during)]);
  await place(1);
  const { stdout } = await runPlaten(['rotate-keys'], environmentWith(NEW, ''));
  expect(stdout).toMatch(/\nEvery value is encrypted with ENCRYPTION_KEY\.\n$/);
  for (const { id, name } of placed) {
    await platen.untilState(id, 'fulfilled');
    expect(await platen.printedFor(name)).toHaveLength(1);
  }
}, 600_000);
