import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createPrintClient } from '../../src/print/client.ts';
import { at } from './table/bodies.ts';
import { checkPath, checkRequest, checkResponse } from './check/check-client.ts';
import { countAttempts, isDocumentedPause, measurePause } from './check/check-deliveries.ts';
import { checkCodes, checkEarlierErrors, checkSuccess, checkUnauthorized } from './check/check-errors.ts';
import { checkParsing, checkSent } from './check/check-events.ts';
import { checkDefaults, checkTransition } from './check/check-cases.ts';
import { checkStandInResponses, checkRefusals } from './check/check-stand-in.ts';
import { CALLS, CLIENT_CALLS } from './check/client-calls.ts';
import { AUTHENTICATION, EARLIER_ERRORS } from './table/errors.ts';
import { EVENTS } from './table/events.ts';
import { createLedger } from './check/ledger.ts';
import { DEFAULTS, FIELD_LIMITS } from './table/limits.ts';
import { sendEvents } from './check/send-events.ts';
import { createServiceCalls, type ServiceCall } from './table/service-calls.ts';
import { openClock, startStandIn, type StandIn } from './check/stand-in.ts';
import { TRANSITIONS } from './table/states.ts';
import { createSubjects, type Subjects } from './table/subjects.ts';
import { walk, type Field } from './table/table.ts';
import { requireRows } from './table/require-rows.ts';
import { sendToServer } from './check/wire.ts';
import { systemClock } from '../../src/clock.ts';
import { useClock } from '../helpers/eventually.ts';

const ledger = createLedger();
requireRows(ledger);

let standIn: StandIn;
let subjects: Subjects;
let serviceCalls: ServiceCall[];

beforeAll(async () => {
  await openClock();
  standIn = await startStandIn({ webhookRetryMs: 50 });
  subjects = createSubjects(standIn);
  serviceCalls = await createServiceCalls(standIn, subjects);
});
afterAll(async () => {
  await standIn.close();
  useClock(null);
  process.stdout.write(`documented interface: ${JSON.stringify(ledger.counts())}\n`);
});

function serviceCallOf(name: string): ServiceCall {
  const found = serviceCalls.find(({ call }) => call.name === name);
  if (found === undefined) throw new Error(`no service call is defined for ${name}`);
  return found;
}

describe.each(CLIENT_CALLS.map((client) => [client.call.name, client] as const))('%s', (name, client) => {
  test('the client sends the request to the documented path', async () => {
    expect(await checkPath(client, ledger)).toEqual([]);
  });
  test('the client sends every allowed request and no others', async () => {
    expect(await checkRequest(client, ledger)).toEqual([]);
  });
  test('the client parses the response field by field, even if a field is missing', async () => {
    expect(await checkResponse(client, ledger)).toEqual([]);
  });
  test('the stand-in responds with every documented field', async () => {
    expect(await checkStandInResponses(standIn, serviceCallOf(name), ledger)).toEqual([]);
  });
  test('the stand-in accepts every request that the documentation allows, and refuses all others', async () => {
    expect(await checkRefusals(standIn, serviceCallOf(name), ledger)).toEqual([]);
  });
});

describe('calls require authentication', () => {
  const [keyHeader, https, unauthorized] = AUTHENTICATION;

  test('every request is sent with its method, path, key and body', async () => {
    expect(CLIENT_CALLS.map(({ call }) => call.name)).toEqual(CALLS.map(({ name }) => name));
    expect(await sendToServer(CLIENT_CALLS)).toEqual([]);
    ledger.done(`authentication ${keyHeader}`, 'case');
  });

  test('a client for an unencrypted connection cannot be created, so no key is sent unencrypted', () => {
    const create = (host: string) => {
      const url = `${host}://print.example`;
      const urls = { order: url, ecommerce: url, product: url, legacy: url, legacyTest: null };
      return createPrintClient({ clock: systemClock, urls, timeoutMs: 1000 });
    };
    expect(() => create('http')).toThrow('https');
    expect(() => create('https')).not.toThrow();
    ledger.done(`authentication ${https}`, 'case');
  });

  test('a request without a valid key fails', async () => {
    expect(await checkUnauthorized(standIn, serviceCalls)).toEqual([]);
    ledger.done(`authentication ${unauthorized}`, 'case');
    ledger.done('code 401', 'case');
  });
});

describe('events', () => {
  test.each(EVENTS.map((event) => [event.name, event] as const))(
    'the event %s is parsed field by field',
    (_, event) => {
      expect(checkParsing(event, ledger)).toEqual([]);
    },
  );

  test('the stand-in sends events with every documented field, in both styles and spellings', async () => {
    const sent = await sendEvents(standIn);
    const wrong = sent.flatMap((body) => {
      const event = EVENTS.find(({ style, name }) => at(body, style) === name);
      return event === undefined ? [`no row for ${JSON.stringify(body)}`] : checkSent(event, body, ledger);
    });
    expect([...new Set(wrong)]).toEqual([]);
  });

  test('the stand-in sends an event once if the receiver accepts it, and three times otherwise', async () => {
    for (const { status, wanted, tries } of await countAttempts(standIn)) {
      expect(tries, `response ${status}`).toEqual([wanted, wanted]);
    }
    ledger.done('limit webhook delivery attempts', 'case');
  });
});

describe('errors', () => {
  test('each documented error code is returned in the documented form', async () => {
    expect(await checkSuccess(standIn, serviceCalls, ledger)).toEqual([]);
    expect(await checkCodes(standIn, serviceCalls, ledger)).toEqual([]);
  });
  test.each(['v1', 'v2'] as const)('each documented error message of %s is returned with its code', async (version) => {
    expect(EARLIER_ERRORS.length).toBeGreaterThan(0);
    expect(await checkEarlierErrors(standIn, version, ledger)).toEqual([]);
  });
});

describe('limits', () => {
  const fields = new Map(
    CALLS.flatMap(({ name, request }) => walk(request ?? []).map(({ path, field }) => [`${name} ${path}`, field])),
  );

  test('every documented limit applies to exactly the fields that it names', () => {
    for (const kind of ['maxLength', 'maxEntries', 'min', 'max'] as const) {
      const limited = [...fields].flatMap(([path, field]) =>
        field[kind] === undefined ? [] : [`${path} ${field[kind]}`],
      );
      const named = FIELD_LIMITS.filter((limit) => limit.kind === kind).flatMap(({ on, value }) =>
        on.map((path) => `${path} ${value}`),
      );
      expect(limited.toSorted()).toEqual(named.toSorted());
    }
  });

  test('the app and the stand-in enforce every limit', () => {
    for (const { item, on } of FIELD_LIMITS) {
      const unchecked = on.filter((path) => !ledger.wasDone(path.replace(' ', ' request '), ['client', 'refusal']));
      expect(unchecked, item).toEqual([]);
      ledger.done(`limit ${item}`, 'case');
    }
  });

  test('an omitted field has its documented default', async () => {
    const defaults = new Map<string, Field['default']>(
      DEFAULTS.flatMap(({ on, value }) => on.map((path) => [path, value])),
    );
    for (const [path, value] of defaults) expect(fields.get(path)?.default, path).toBe(value);
    expect(await checkDefaults(standIn, serviceCalls, ledger)).toEqual([]);
  });
});

test.each(TRANSITIONS.map(({ name }) => name))('the stand-in performs the documented transition: %s', async (name) => {
  expect(await checkTransition(name, standIn, subjects, ledger)).toEqual([]);
});

test('an event that the receiver does not accept is resent after five seconds', async () => {
  expect(isDocumentedPause(await measurePause())).toBe(true);
  ledger.done('limit webhook delivery pause', 'case');
});

test('every row of the documentation is checked', () => {
  expect(ledger.missing()).toEqual([]);
  const { rows, checked } = ledger.counts();
  expect(rows).toBeGreaterThan(900);
  for (const kind of ['client', 'answer', 'refusal', 'event', 'case']) expect(checked[kind], kind).toBeGreaterThan(20);
});
