import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { SubmitAttempts } from '../../src/database/entities/print-orders.ts';
import { submitDirect } from '../../src/orders/submit/submit-direct.ts';
import { openSubmitScope, type SubmitScope } from '../../src/orders/submit/submit-scope.ts';
import { openScriptedPrint, type ScriptedPrint } from './scripted-print.ts';

const CREATE = 'POST /v3/orders';
const ROUNDS = 3;
let print: ScriptedPrint;

beforeAll(async () => void (print = await openScriptedPrint()));
afterAll(() => print.close());

/** Makes the service show an order only after it has accepted the order. */
function answerAsService(): void {
  const taken = new Map<string, { id: string }>();
  print.answer = (call, { orderReferenceId = '', orderReferenceIds = [] }) => {
    if (call === CREATE) {
      const id = randomUUID();
      const order = { id, orderReferenceId, orderType: 'order', fulfillmentStatus: 'created', items: [] };
      taken.set(orderReferenceId, order);
      return { body: JSON.stringify(order) };
    }
    if (call.startsWith('POST')) {
      const found = orderReferenceIds.flatMap((reference) => taken.get(reference) ?? []);
      return { body: JSON.stringify({ orders: found }) };
    }
    const shown = [...taken.values()].find((order) => call.endsWith(order.id));
    return shown ? { body: JSON.stringify(shown) } : { status: 404, body: '{}' };
  };
}

async function open(printOrderId: string): Promise<SubmitScope> {
  const scope = await openSubmitScope(print.app, printOrderId);
  if (!scope) throw new Error('the print order cannot be opened');
  return scope;
}

test('only one of eight workers that simultaneously claim the same order sends it', async () => {
  answerAsService();
  for (let round = 0; round < ROUNDS; round += 1) {
    print.calls.length = 0;
    const { printOrder } = await print.add({ submitWay: 'direct' });
    const scopes = await Promise.all(Array.from({ length: 8 }, () => open(printOrder.id)));
    await Promise.all(scopes.map(submitDirect));
    expect(print.calls.filter((call) => call === CREATE)).toHaveLength(1);
    const attempts = await print.app.db.manager.findBy(SubmitAttempts, { printOrderId: printOrder.id });
    expect(attempts).toMatchObject([{ outcome: 'done' }]);
  }
});

test('the claim is on disk before the order is sent, even if the database commits asynchronously', async () => {
  answerAsService();
  const { db } = print.app;
  await db.query(`
    create table claims_seen (setting text);
    create function see_claim() returns trigger language plpgsql as
      $$ begin insert into claims_seen values (current_setting('synchronous_commit')); return new; end $$;
    create trigger see_claim before insert on submit_attempts for each row execute function see_claim();
  `);
  const { printOrder } = await print.add({ submitWay: 'direct' });
  const scope = await open(printOrder.id);
  const name = new URL(String((db.options as { url?: string }).url)).pathname.slice(1);
  await db.query(`alter database ${name} set synchronous_commit = off`);
  // The new default applies only to new connections.
  await db.query(
    'select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and pid <> pg_backend_pid()',
    [name],
  );
  await db.query('set synchronous_commit = off');
  expect(await db.query('show synchronous_commit')).toEqual([{ synchronous_commit: 'off' }]);
  await submitDirect(scope);
  expect(await db.query('select distinct setting from claims_seen')).toEqual([{ setting: 'on' }]);
  expect(print.calls.filter((call) => call === CREATE).length).toBeGreaterThan(0);
});
