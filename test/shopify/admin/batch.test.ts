import { buildSchema, parse, validate } from 'graphql';
import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import type { AdminApi } from '../../../src/shopify/admin/admin-api.ts';
import { runInHalves, sendBatch } from '../../../src/shopify/admin/batch.ts';
import { ShopifyError } from '../../../src/shopify/admin/errors.ts';
import { ToggleInventoryDocument } from '../../../src/shopify/generated/operations.ts';

const schema = buildSchema(
  await readFile(new URL('../../../src/shopify/admin-2026-10.graphql', import.meta.url), 'utf8'),
);

/** Opens an API that records its requests, and responds to each alias with a complaint whose message is the alias. */
function openApi() {
  const asked: { text: string; variables: Record<string, unknown> }[] = [];
  const request = async (document: { text: string }, variables: Record<string, unknown>) => {
    asked.push({ text: document.text, variables });
    const aliases = [...document.text.matchAll(/\bat\d+(?=:)/g)].map(([alias]) => alias);
    return Object.fromEntries(aliases.map((alias) => [alias, { complaints: [{ message: alias }] }]));
  };
  return { asked, admin: { shop: 'demo.myshopify.com', request } as unknown as AdminApi };
}

const toggles = [1, 2, 3].map((number) => ({ inventoryItemId: `i${number}`, locationId: 'l', activate: number > 1 }));

test('several calls of an operation are sent as one request, and the results are in the order of the calls', async () => {
  const { admin, asked } = openApi();
  const answers = await sendBatch(admin, ToggleInventoryDocument, toggles);
  expect(answers.map((answer) => answer.inventoryBulkToggleActivation?.complaints[0]?.message)).toEqual([
    'at0',
    'at1',
    'at2',
  ]);
  expect(asked).toHaveLength(1);
  expect(validate(schema, parse(asked[0]?.text ?? ''))).toEqual([]);
  expect(asked[0]?.text).toContain('mutation ToggleInventory(');
  expect(asked[0]?.variables).toMatchObject({ inventoryItemId_0: 'i1', activate_0: false, activate_2: true });
});

test('a refused item is isolated, and the other items succeed', async () => {
  const done: number[] = [];
  const refusal = new ShopifyError('graphql', { operation: 'Test', effect: 'none' });
  const refused = await runInHalves([1, 2, 3, 4, 5], async (some) => {
    if (some.includes(4)) throw refusal;
    done.push(...some);
  });
  expect([...refused]).toEqual([[4, refusal]]);
  expect(done.toSorted((one, other) => one - other)).toEqual([1, 2, 3, 5]);
});

test('a batch with a temporary failure is neither split nor retried', async () => {
  const tries: number[] = [];
  const outage = runInHalves([1, 2], async (some) => {
    tries.push(some.length);
    throw new ShopifyError('unavailable', { operation: 'Test', effect: 'unknown' });
  });
  await expect(outage).rejects.toMatchObject({ kind: 'unavailable' });
  expect(tries).toEqual([2]);
});
