import {
  allowedVariants,
  at,
  brokenVariants,
  change,
  fullBody,
  minimalBody,
  unlistedFieldVariants,
  type Variant,
} from '../table/bodies.ts';
import { checkResponseFields, checkAbsentFields } from './check-response-fields.ts';
import type { ServiceCall } from '../table/service-calls.ts';
import { mapConcurrently, type Answer, type StandIn } from './stand-in.ts';

const CONCURRENCY = 12;

/** Returns the differences between the stand-in's responses to an API call and the call's rows. */
export async function checkStandInResponses(standIn: StandIn, service: ServiceCall): Promise<string[]> {
  const { call, samples, mayBeNull, mayBe } = service;
  const body = call.request === null ? undefined : fullBody(call.request, samples);
  const answer = await standIn.ask(call.method, await service.path(), body);
  if (answer.status !== 200) return [`${call.name}: ${answer.status} ${JSON.stringify(answer.body)}`];
  const rows = `${call.name} response`;
  return [
    ...(answer.contentType.startsWith('application/json') ? [] : [`${call.name}: responds with ${answer.contentType}`]),
    ...checkResponseFields(answer.body, { rows, fields: call.response ?? [], mayBeNull, mayBe }),
    ...checkAbsentFields(answer.body, rows, call.responseLacks ?? []),
  ];
}

/** Returns the cases in which the stand-in is stricter or more lenient than a call's request rows, or does not name the refused field. */
export async function checkRefusals(standIn: StandIn, service: ServiceCall): Promise<string[]> {
  const { call, samples } = service;
  const { name, request, rules = [] } = call;
  if (request === null) return [];
  const full = fullBody(request, samples);
  const whole = (says: string, body: unknown): Variant => ({ row: 'body', says, body, names: [] });
  const allowed = [
    whole('all fields', full),
    whole('only the required fields', minimalBody(request, samples)),
    ...allowedVariants(request, full),
    ...unlistedFieldVariants(request, full, call.requestLacks ?? []),
    ...rules.flatMap(({ says, takes }) => takes.map((changes) => whole(says, change(full, changes)))),
  ];
  const broken = [
    ...brokenVariants(request, full).map((variant) => ({ ...variant, serviceOnly: false })),
    ...rules.flatMap(({ says, refuses, serviceOnly = false }) =>
      refuses.map(({ changes, names }) => ({ row: says, says, body: change(full, changes), names, serviceOnly })),
    ),
  ];
  const ask = async (body: unknown) => standIn.ask(call.method, await service.path(), body);
  const wrong = [
    ...(await mapConcurrently(allowed, CONCURRENCY, async ({ row, says, body }) => {
      const { status, body: answer } = await ask(body);
      return status < 300 ? [] : [`${row}: ${says} is refused: ${status} ${JSON.stringify(answer)}`];
    })),
    ...(await mapConcurrently(broken, CONCURRENCY, async ({ row, says, body, names, serviceOnly }) => {
      const answer = await ask(body);
      const wanted = serviceOnly ? [400, 404] : [400];
      if (!wanted.includes(answer.status)) return [`${row}: ${says} gets the status ${answer.status}`];
      const named = readNamedFields(answer, call.host === 'legacy');
      if (names.length === 0 || names.some((field) => named.some((one) => one.startsWith(field)))) return [];
      return [`${row}: ${says} is refused, but names ${named.join(', ')}`];
    })),
  ].flat();
  return wrong.map((one) => `${name} ${one}`);
}

/** Returns the fields that a refusal names: the references in its details, or, in the earlier interface, the words of its message. */
function readNamedFields({ body }: Answer, isEarlier: boolean): string[] {
  if (isEarlier) return String(at(body, 'message')).split(/[\s:]+/);
  const details = at(body, 'details');
  return Array.isArray(details) ? details.map((detail: unknown) => String(at(detail, 'reference'))) : [];
}

/** Returns the requests that do not get a 401 without a key or with an invalid key. */
export async function checkUnauthorized(standIn: StandIn, services: readonly ServiceCall[]): Promise<string[]> {
  const wrong: string[] = [];
  for (const service of services) {
    const { call, samples } = service;
    const body = call.request === null ? undefined : fullBody(call.request, samples);
    for (const key of [null, 'not-a-key']) {
      const { status, body: answer } = await standIn.ask(call.method, await service.path(), body, key);
      if (status !== 401 || typeof at(answer, 'message') !== 'string') wrong.push(`${call.name}: ${status}`);
    }
  }
  return wrong;
}
