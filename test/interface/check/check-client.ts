import type { z } from 'zod';
import {
  allowedVariants,
  at,
  brokenVariants,
  change,
  concrete,
  fullBody,
  minimalBody,
  unlistedFieldVariants,
  type Samples,
  type Variant,
} from '../table/bodies.ts';
import { walk, type Call, type Field } from '../table/table.ts';
import type { PrintCall, Send } from '../../../src/print/http/send.ts';

/** How the app sends one call of the table, and how the fields of its result correspond to the fields of the response. */
export interface ClientCall {
  call: Call;
  /** Values that the app uses for the path's parameters. */
  parameters: Readonly<Record<string, string>>;
  /** Sends the request and returns the app's result, which is `{ orders: [...] }` for a search. */
  run(send: Send, body: unknown): Promise<unknown>;
  samples?: Samples;
  /** Fields without which the app cannot use a response. */
  essentialFields?: readonly string[];
  /** The paths at which the client does not accept a value of the wrong type, although it accepts a missing value. */
  followedFields?: readonly string[];
  /** Maps a path in the response to the path in the app's result. By default, both paths are the same. */
  toResultPath?: (path: string) => string;
}

class Captured extends Error {}

/** Returns the app's description of the request, without sending the request. */
async function describeCall(client: ClientCall, body: unknown): Promise<PrintCall<unknown>> {
  const calls: PrintCall<unknown>[] = [];
  const send: Send = (call) => {
    calls.push(call);
    return Promise.reject(new Captured('not sent'));
  };
  await client.run(send, body).catch((error: unknown) => {
    if (!(error instanceof Captured)) throw error;
  });
  const [call] = calls;
  if (call === undefined) throw new Error('nothing was sent');
  return call;
}

/** Returns a response as the app parses it, or undefined if the app does not accept it as a response to the request. */
async function readResponse(client: ClientCall, body: unknown, answer: unknown): Promise<unknown> {
  const send: Send = (call) => {
    const read = call.read(JSON.stringify(answer));
    return 'value' in read ? Promise.resolve(read.value) : Promise.reject(new Captured('not accepted'));
  };
  return client.run(send, body).catch((error: unknown) => {
    if (error instanceof Captured) return undefined;
    throw error;
  });
}

/** Returns the differences between the client's request schema and the rows of a request. */
export async function checkRequest(client: ClientCall): Promise<string[]> {
  const { call, samples = {} } = client;
  const { name, request } = call;
  if (request === null) return [];
  const full = fullBody(request, samples);
  const minimal = minimalBody(request, samples);
  const { body } = await describeCall(client, full);
  if (body === undefined) return [`${name}: the client sends no body`];
  const { schema } = body;
  const refusals = [...brokenVariants(request, full), ...unlistedFieldVariants(request, full, call.requestLacks ?? [])];
  const rules = call.rules?.filter((rule) => rule.serviceOnly !== true) ?? [];
  const wrong = [
    ...[
      ...allowedVariants(request, full),
      whole('all fields', full),
      whole('only the required fields', minimal),
    ].flatMap((variant) => checkAccepted(schema, variant)),
    ...refusals.flatMap((variant) => checkRefused(schema, variant)),
    ...rules.flatMap(({ says, takes }) =>
      takes.flatMap((one) => checkAccepted(schema, whole(says, change(full, one)))),
    ),
    ...rules.flatMap(({ says, refuses }) =>
      refuses.flatMap(({ changes, names }) =>
        checkRefused(schema, { row: says, says, names, body: change(full, changes) }),
      ),
    ),
  ];
  return wrong.map((one) => `${name} request ${one}`);
}

/** Returns the differences between a response as the client parses it and the rows of that response. */
export async function checkResponse(client: ClientCall): Promise<string[]> {
  const { call, samples = {}, essentialFields = [], followedFields = [], toResultPath = (path) => path } = client;
  if (call.response === null) return [];
  const body = call.request === null ? undefined : fullBody(call.request, samples);
  const full = fullBody(call.response, { ...samples, ...client.parameters });
  const wrong: string[] = [];
  const whole = await readResponse(client, body, full);
  for (const { path, field } of walk(call.response)) {
    const place = concrete(path);
    const sent = at(full, place);
    const has = (answer: unknown) => at(answer, toResultPath(place));
    if (field.fields === undefined && !isSame(sent, has(whole))) {
      wrong.push(`${path}: sent ${JSON.stringify(sent)}, read ${JSON.stringify(has(whole))}`);
    }
    const isFollowed = followedFields.includes(path);
    if (isFollowed && (await readResponse(client, body, change(full, { [place]: toWrongValue(field) }))) !== undefined)
      wrong.push(`${path}: the wrong value is accepted`);
    const others = isFollowed ? [undefined, null] : [undefined, null, toWrongValue(field)];
    for (const value of essentialFields.includes(path) ? [] : others) {
      const read = await readResponse(client, body, change(full, { [place]: value }));
      const says = value === undefined ? 'absent' : JSON.stringify(value);
      if (read === undefined) wrong.push(`${path}: ${says}, but the response is not accepted`);
      else if (!isAbsent(has(read))) wrong.push(`${path}: ${says}, read ${JSON.stringify(has(read))}`);
      else
        wrong.push(
          ...findLostFields(path, call.response, full, read, toResultPath).map(
            (lost) => `${path}: ${says}, loses ${lost}`,
          ),
        );
    }
    for (const value of field.values === undefined
      ? []
      : [...field.values, ...(field.furtherValues ?? []), 'a_new_one']) {
      const read = await readResponse(client, body, change(full, { [place]: value }));
      if (!isSame(value, has(read))) wrong.push(`${path}: "${value}" is read as ${JSON.stringify(has(read))}`);
    }
    const otherForms = [
      ...(field.allowsSingleString === true ? ['bare', ['one', 'two']] : []),
      ...(field.allowsInteger === true ? [17] : []),
    ];
    for (const value of otherForms) {
      const read = has(await readResponse(client, body, change(full, { [place]: value })));
      if (!isSame(value, read)) wrong.push(`${path}: ${JSON.stringify(value)} is read as ${JSON.stringify(read)}`);
    }
  }
  const surplus = await readResponse(client, body, { ...full, aNewField: 'x' });
  if (surplus === undefined) wrong.push('a response with a new field is not accepted');
  return wrong.map((one) => `${call.name} response ${one}`);
}

/** Returns a difference if the request's method, path or host differs from the page. */
export async function checkPath(client: ClientCall): Promise<string[]> {
  const { call, parameters, samples = {} } = client;
  const described = await describeCall(client, call.request === null ? undefined : fullBody(call.request, samples));
  const path = call.path.replace(/\{(\w+)\}/g, (_, name: string) => parameters[name] ?? '');
  const host = call.host === 'legacy' ? ['legacy', 'legacyTest'] : [call.host];
  return described.method === call.method && described.path === path && host.includes(described.host)
    ? []
    : [
        `${call.name}: ${described.method} ${described.host} ${described.path}, not ${call.method} ${call.host} ${path}`,
      ];
}

function whole(says: string, body: unknown): Variant {
  return { row: 'body', says, body, names: [] };
}

function checkAccepted(schema: z.ZodType, { row, says, body }: Variant): string[] {
  const { error } = schema.safeParse(body);
  return error === undefined ? [] : [`${row}: ${says} is refused (${error.issues.flatMap(pathsOf).join(', ')})`];
}

function checkRefused(schema: z.ZodType, { row, says, body, names }: Variant): string[] {
  const { success, error } = schema.safeParse(body);
  if (success) return [`${row}: ${says} is accepted`];
  const paths = error.issues.flatMap(pathsOf);
  if (names.length === 0 || names.some((name) => paths.some((path) => path.startsWith(name)))) return [];
  return [`${row}: ${says} is refused, but names ${paths.join(', ')}`];
}

/** Returns the fields that an issue is about. */
function pathsOf(issue: z.core.$ZodIssue): string[] {
  const path = issue.path
    .map((step, index) => (typeof step === 'number' ? `[${step}]` : `${index > 0 ? '.' : ''}${String(step)}`))
    .join('');
  if (issue.code !== 'unrecognized_keys') return [path];
  return issue.keys.map((key) => (path === '' ? key : `${path}.${key}`));
}

/** Returns a value of a type that the field never accepts. IDs and numbers may arrive as text, and text as numbers. */
export function toWrongValue({ fields, type }: Field): unknown {
  return fields !== undefined || type.endsWith('[]') || type === 'map' ? 17 : { odd: true };
}

/** Returns the fields that are no longer read although only the field at `path` and its content were removed. */
export function findLostFields(
  path: string,
  fields: readonly Field[],
  full: unknown,
  read: unknown,
  toResultPath: (path: string) => string = (place) => place,
): string[] {
  const isIn = (other: string) => other === path || other.startsWith(`${path}.`) || other.startsWith(`${path}[]`);
  return walk(fields).flatMap(({ path: other, field }) => {
    if (field.fields !== undefined || isIn(other)) return [];
    const place = concrete(other);
    return isSame(at(full, place), at(read, toResultPath(place))) ? [] : [other];
  });
}

/**
 * Returns whether the read value equals the sent value. IDs may be read as text, a single value as a list, and objects may have
 * additional fields.
 */
export function isSame(sent: unknown, read: unknown): boolean {
  if (Array.isArray(read)) {
    const entries: unknown[] = read;
    const list: unknown[] = Array.isArray(sent) ? sent : [sent];
    return list.length === entries.length && list.every((entry, index) => isSame(entry, entries[index]));
  }
  if (typeof sent === 'object' && sent !== null && typeof read === 'object' && read !== null) {
    return Object.entries(sent).every(([name, value]) => isSame(value, Reflect.get(read, name)));
  }
  return Object.is(sent, read) || (typeof sent === 'number' && read === String(sent));
}

/** Returns whether a field was read as absent. */
export function isAbsent(value: unknown): boolean {
  if (value === undefined || value === null || value === '') return true;
  return typeof value === 'object' && Object.values(value).every(isAbsent);
}
