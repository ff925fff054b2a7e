import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { at } from './table/bodies.ts';
import { checkPath, checkRequest, checkResponse } from './check/check-client.ts';
import { checkParsing, checkSent } from './check/check-events.ts';
import { checkStandInResponses, checkRefusals, checkUnauthorized } from './check/check-stand-in.ts';
import { CLIENT_CALLS } from './check/client-calls.ts';
import { EVENTS } from './table/events.ts';
import { sendEvents } from './check/send-events.ts';
import { createServiceCalls, type ServiceCall } from './table/service-calls.ts';
import { openClock, startStandIn, type StandIn } from './check/stand-in.ts';
import { createSubjects, type Subjects } from './table/subjects.ts';
import { useClock } from '../helpers/eventually.ts';

let standIn: StandIn;
let subjects: Subjects;
let serviceCalls: ServiceCall[];

beforeAll(async () => {
  await openClock();
  standIn = await startStandIn();
  subjects = createSubjects(standIn);
  serviceCalls = await createServiceCalls(standIn, subjects);
});
afterAll(async () => {
  await standIn.close();
  useClock(null);
});

function serviceCallOf(name: string): ServiceCall {
  const found = serviceCalls.find(({ call }) => call.name === name);
  if (found === undefined) throw new Error(`no service call is defined for ${name}`);
  return found;
}

describe.each(CLIENT_CALLS.map((client) => [client.call.name, client] as const))('%s', (name, client) => {
  test('the client sends the request to the documented path', async () => {
    expect(await checkPath(client)).toEqual([]);
  });
  test('the client sends every allowed request and no others', async () => {
    expect(await checkRequest(client)).toEqual([]);
  });
  test('the client parses the response field by field, even if a field is missing', async () => {
    expect(await checkResponse(client)).toEqual([]);
  });
  test('the stand-in responds with every documented field', async () => {
    expect(await checkStandInResponses(standIn, serviceCallOf(name))).toEqual([]);
  });
  test('the stand-in accepts every request that the documentation allows, and refuses all others', async () => {
    expect(await checkRefusals(standIn, serviceCallOf(name))).toEqual([]);
  });
});

test('a request without a valid key fails', async () => {
  expect(await checkUnauthorized(standIn, serviceCalls)).toEqual([]);
});

describe('events', () => {
  test.each(EVENTS.map((event) => [event.name, event] as const))('the event %s is parsed by field', (_, event) => {
    expect(checkParsing(event)).toEqual([]);
  });

  test('the stand-in sends events with every documented field, in both styles and spellings', async () => {
    const sent = await sendEvents(standIn);
    const wrong = sent.flatMap((body) => {
      const event = EVENTS.find(({ style, name }) => at(body, style) === name);
      return event === undefined ? [`no row for ${JSON.stringify(body)}`] : checkSent(event, body);
    });
    expect([...new Set(wrong)]).toEqual([]);
  });
});
