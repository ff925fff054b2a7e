import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { commands } from '../../src/cli/commands.ts';
import { Shops } from '../../src/database/entities/shops.ts';
import { readVariants } from '../../src/shopify/calls/products.ts';
import { optionalScopes } from '../../src/shopify/auth/access-scopes.ts';
import { refreshGrantedScopes } from '../../src/shops/tokens/scopes.ts';
import { openAdmin } from '../../src/shops/tokens/tokens.ts';
import { startPlaten, type Platen } from '../helpers/platen.ts';
import { toEnvironment } from '../helpers/run-alongside.ts';
import { blocksOf, readDocuments, readPlatenLines, splitLines } from './documented.ts';
import { runPlaten, type Ran } from './run-platen.ts';

/** Examples that affect other examples run last. */
const RUN_LAST = /^(?:restored?\b|leave .*--yes|shops disconnect)/;
/** Examples that fail in this setup, for example because a worker is running, along with the expected message. */
const REFUSED: readonly [line: RegExp, message: RegExp][] = [
  [/^orders continue /, /has no hold that "Continue" can resolve/],
  [/^orders close /, /No part of this order has failed/],
  [/^restore /, /The database is not empty/],
  [/^restored$/, /worker is running on this database/],
];

/** Commands that may report problems of this setup, such as a database server that loses commits in a crash, and their exit codes. */
const REPORTING = /^doctor/;
const REPORT_EXIT_CODES = [0, 3, 4];

let platen: Platen;
let folder: string;
let environment: Record<string, string>;
/** Maps the IDs and names in the documentation to the actual values of this store. */
const actual = new Map<string, string>();

beforeAll(async () => {
  platen = await startPlaten({
    settings: { printStoreId: '5eed0000-0000-4000-8000-000000000001', alertEmails: ['owner@example.com'] },
  });
  await platen.control('store', 'POST', `/shops/${platen.shop.domain}/scopes`, { grant: optionalScopes });
  await refreshGrantedScopes(platen.app, platen.shop);
  folder = mkdtempSync(join(tmpdir(), 'platen-documented-'));
  environment = toEnvironment(platen);
  const { app, shop } = platen;
  const variants = (await platen.control('store', 'GET', '/variants')) as { sku: string; variantId: string }[];
  const idOf = (sku: string) => variants.find((one) => one.sku === sku)?.variantId ?? '';
  for (const [index, sku] of ['MUG-11OZ', 'MUG-15OZ', 'TSHIRT-S'].entries())
    actual.set(`4567890123456${7 + index}`, toNumericId(idOf(sku)));
  const [mug] = await readVariants(await openAdmin(app, shop), [idOf('MUG-11OZ')]);
  for (const name of ['7647344525502', 'PRODUCT']) actual.set(name, toNumericId(mug?.product.id ?? ''));
  actual.set('TEMPLATE', '5eed0000-0000-4000-8003-000000000200');
  const order = await platen.placeSkus({ 'POSTER-30X40': 1 });
  await platen.untilState(order.id, 'fulfilled');
  const [csv = ''] = blocksOf(readDocuments().get('docs/merchants/print-links.md') ?? '', 'csv');
  writeFileSync(join(folder, 'links.csv'), toActual(csv));
});

afterAll(async () => {
  await platen.stop();
  rmSync(folder, { recursive: true });
});

const toNumericId = (gid: string): string => gid.split('/').at(-1) ?? '';

function toActual(text: string): string {
  return [...actual].reduce((so, [name, value]) => so.replaceAll(new RegExp(`\\b${name}\\b`, 'g'), value), text);
}

async function runLine(line: string): Promise<Ran> {
  const [{ args, file } = { args: [], file: null }] = splitLines([toActual(line)]);
  const repository = platen.app.db.getRepository(Shops);
  const { settings, alertSlackUrlEncrypted } = await repository.findOneByOrFail({ id: platen.shop.id });
  try {
    const ran = await runPlaten(args, environment, folder, { app: platen.app });
    if (file !== null) writeFileSync(join(folder, file), ran.stdout);
    return ran;
  } finally {
    // Undoes the example's settings, so that they do not affect the next example.
    await repository.update({ id: platen.shop.id }, { alertSlackUrlEncrypted });
    await platen.app.db.query('update shops set settings = $2 where id = $1', [platen.shop.id, settings]);
  }
}

const tableExamples = commands.flatMap(({ name, examples }) => examples.map((example) => `${name} ${example}`.trim()));
const lines = [...new Set([...readPlatenLines(), ...tableExamples])].filter(
  (line) => !/^(?:migrate|demo|sandbox)/.test(line),
);

test.each([...lines.filter((line) => !RUN_LAST.test(line)), ...lines.filter((line) => RUN_LAST.test(line)).toSorted()])(
  'the documented command "platen %s" works',
  async (line) => {
    const ran = await runLine(line);
    const [, message] = REFUSED.find(([refused]) => refused.test(line)) ?? [];
    if (message) expect(ran).toMatchObject({ code: 1, stderr: expect.stringMatching(message) });
    else if (REPORTING.test(line)) expect(REPORT_EXIT_CODES, ran.stderr).toContain(ran.code);
    else expect(ran.code, ran.stderr).toBe(0);
  },
);
