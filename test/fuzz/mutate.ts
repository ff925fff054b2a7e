import { createRandom, type Random } from './random.ts';

// Turns valid bodies into bodies that a broken, careless or hostile sender might send.

const MAX_CHANGES = 4;

/** Returns a placeholder for JSON text that `JSON.stringify` cannot write. */
const raw = (text: string) => `<raw>${text}</raw>`;
const RAW = /"<raw>([^<]*)<\/raw>"/g;

const KEYS = [
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'hasOwnProperty',
  'length',
  'then',
  'toJSON',
  '',
  '0',
  '\u0000',
  '\ud800',
  'ключ',
  'k'.repeat(300),
];
const NUMBERS = [0, -1, 1.5, 2 ** 31, 2 ** 53 + 2, Number.MAX_VALUE, 5e-324, raw('1e400'), raw('-1e400'), raw('-0')];
/** Whole numbers just outside the columns `int` and `bigint`, which a schema of JavaScript numbers or of digits may accept. */
const BIG_NUMBERS = ['2147483648', '-2147483649', '9223372036854775807', '9223372036854775808', '99999999999999999999'];
const MORE_NUMBERS = [
  ...BIG_NUMBERS.map(raw),
  raw('123456789012345678901234567890'),
  raw('0.1e-999'),
  raw('1E+2'),
  'NaN',
  'Infinity',
  '1e5',
  '0x1',
];
const TEXTS = [
  '',
  ' ',
  '\u0000',
  'a\u0000b',
  '\ud800',
  'x\udc00y',
  '\u202e\ufeff',
  '{{MyOrderId}}',
  'null',
  "'; drop table deliveries; --",
  '../../v4/orders',
  'https://user:pass@127.0.0.1/\u0000',
  'javascript:alert(1)',
  '😀'.repeat(60),
];
/** Times that JavaScript and PostgreSQL do not both accept, or whose form differs between them. */
const TIMES = [
  '0000-01-01',
  '0000-01-01T00:00:00Z',
  '0000-12-31T23:59:59+00:00',
  '0001-01-01T00:00:00+14:00',
  '9999-12-31',
  '9999-12-31T23:59:59-12:00',
  '-000001-01-01T00:00:00Z',
  '+010000-01-01T00:00:00Z',
  '+275760-09-13T00:00:00Z',
  '2026-02-30T25:61:61+99:99',
  '2026-11-21T24:00:00Z',
  '2026-06-30T23:59:60Z',
  'infinity',
  '-infinity',
  'epoch',
  'now',
];
const TIME = /^[+-]?\d{4,6}-\d{2}/;
const LENGTHS = [26, 101, 300, 3_000, 3_000, 70_000];

/** Creates a body from one of `bodies`, as determined by the seed. Most results are still JSON. */
export function mutate(bodies: readonly unknown[], seed: number): Buffer {
  const random = createRandom(seed);
  return mutateBody(random.pick(bodies), random);
}

/** Creates a body from `body`. Most results are still JSON, and some are unchanged. */
export function mutateBody(from: unknown, random: Random): Buffer {
  let body = from;
  for (let changes = random.below(MAX_CHANGES + 1); changes > 0; changes -= 1) body = changeSomewhere(body, random);
  const text = (JSON.stringify(body) ?? '').replaceAll(RAW, '$1');
  return random.chance(0.12) ? damageBytes(Buffer.from(text), random) : Buffer.from(text);
}

/** Changes one cell of a file of comma-separated values, or damages its bytes. Some results are unchanged. */
export function mutateCsv(from: string, random: Random): Buffer {
  const lines = from.split('\n').map((line) => line.split(','));
  const line = random.pick(lines);
  if (random.chance(0.7)) line[random.below(line.length)] = mutateText(random.pick(line), random);
  if (random.chance(0.2)) lines.push(line);
  const bytes = Buffer.from(lines.map((cells) => cells.join(',')).join('\n'));
  return random.chance(0.2) ? damageBytes(bytes, random) : bytes;
}

/** Changes text from an address or header. The result has at most 3,000 characters. */
export function mutateText(value: string, random: Random): string {
  const changed = random.pick<() => unknown>([
    () => random.pick(KEYS),
    () => changeText(value, random),
    () => changeText(value, random),
    () => random.pick([...NUMBERS, ...MORE_NUMBERS]),
  ])();
  const text = typeof changed === 'string' ? changed : (JSON.stringify(changed) ?? '');
  return text
    .replaceAll(RAW, '$1')
    .replaceAll(/<\/?raw>/g, '')
    .slice(0, 3_000);
}

/** Returns a name such as `__proto__`, which a careless program might confuse with a built-in property. */
export function anyName(random: Random): string {
  return random.pick(KEYS);
}

/** Returns a copy of the value with one change at a random depth. */
function changeSomewhere(value: unknown, random: Random): unknown {
  if (typeof value !== 'object' || value === null || random.chance(0.25)) return changeHere(value, random);
  const entries = Object.entries(value);
  if (entries.length === 0) return changeHere(value, random);
  const at = random.below(entries.length);
  return rebuild(
    value,
    entries.map(([key, inner], index) => [key, index === at ? changeSomewhere(inner, random) : inner]),
  );
}

function changeHere(value: unknown, random: Random): unknown {
  if (random.chance(0.3)) return anything(random);
  if (Array.isArray(value)) return changeList(value, random);
  if (typeof value === 'object' && value !== null) return changeObject(value, random);
  if (typeof value === 'string') return changeText(value, random);
  return typeof value === 'number'
    ? random.pick([...NUMBERS, ...MORE_NUMBERS, String(value), [value]])
    : anything(random);
}

/** Returns a value of any type. */
function anything(random: Random): unknown {
  const depth = random.pick([3, 50, 63, 64, 65, 500, 20_000]);
  return random.pick<() => unknown>([
    () => null,
    () => random.chance(0.5),
    () => random.pick([...NUMBERS, ...MORE_NUMBERS]),
    () => random.pick(TEXTS),
    () => random.pick(TIMES),
    () => random.pick(['x', '😀', '\u0000', '1', '@', '/']).repeat(random.pick(LENGTHS)),
    () => randomText(random.pick(LENGTHS), random),
    () => [],
    () => ({}),
    () => [[]],
    () => Array.from({ length: random.pick([1, 21, 2_000]) }, () => random.pick([null, 1, 'x', {}])),
    () => Object.fromEntries(KEYS.map((key) => [key, random.pick(TEXTS)])),
    () => raw('['.repeat(depth) + ']'.repeat(depth)),
  ])();
}

/** Returns incompressible text, so that its full length counts in an index. */
function randomText(length: number, random: Random): string {
  const words = Array.from({ length: Math.ceil(length / 6) }, () => random.below(36 ** 6).toString(36));
  return words.join('').slice(0, length);
}

function changeText(value: string, random: Random): unknown {
  if (TIME.test(value) && random.chance(0.5)) return random.pick(TIMES);
  if (/\d$/.test(value) && random.chance(0.2)) return value.replace(/\d+$/, random.pick(BIG_NUMBERS));
  return random.pick<() => unknown>([
    () => random.pick(TEXTS),
    () => value + random.pick(TEXTS),
    () => value + randomText(random.pick(LENGTHS), random),
    () => value.slice(0, random.below(value.length + 1)),
    () => value.repeat(random.pick([2, 30])).slice(0, 3_000),
    () => [value],
    () => ({ value }),
    () => value.toUpperCase(),
    () => Number(value),
  ])();
}

function changeList(value: unknown[], random: Random): unknown {
  return random.pick<() => unknown>([
    () => [],
    () => [...value, anything(random)],
    () => value.slice(1),
    () => Array.from({ length: random.pick([2, 40, 400]) }, () => value[0] ?? null),
    () => Object.fromEntries(value.entries()),
    () => [value],
    () => value.toReversed(),
  ])();
}

function changeObject(value: object, random: Random): unknown {
  const entries = Object.entries(value);
  if (entries.length === 0) return { [random.pick(KEYS)]: anything(random) };
  const [key, inner] = random.pick(entries);
  const others = entries.filter(([other]) => other !== key);
  const key2 = random.chance(0.5) ? random.pick(KEYS) : random.pick(entries)[0];
  return random.pick<() => unknown>([
    () => Object.fromEntries(others),
    () => Object.fromEntries([...others, [key2, inner]]),
    () => Object.fromEntries([...entries, [random.pick(KEYS), anything(random)]]),
    () => Object.fromEntries([...entries, [key2, inner]]),
    () => Object.fromEntries([...others, [key, anything(random)]]),
    () => entries,
    () => [value],
  ])();
}

/** `fromEntries` creates own properties, so `__proto__` remains an ordinary key. */
function rebuild(value: object, entries: [string, unknown][]): unknown {
  return Array.isArray(value) ? entries.map(([, inner]) => inner) : Object.fromEntries(entries);
}

/** Damages the bytes, like a sender that sends invalid or incomplete JSON. */
export function damageBytes(bytes: Buffer, random: Random): Buffer {
  const at = random.below(bytes.length + 1);
  const insert = (...inserted: number[]) =>
    Buffer.concat([bytes.subarray(0, at), Buffer.from(inserted), bytes.subarray(at)]);
  return random.pick<() => Buffer>([
    () => bytes.subarray(0, at),
    () => bytes.subarray(at),
    () => insert(0xff),
    () => insert(0xc0, 0x80),
    () => insert(0xed, 0xa0, 0x80),
    () => insert(0),
    () => insert(random.below(256)),
    () => Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), bytes]),
    () => Buffer.concat([bytes, bytes]),
    () => Buffer.concat([bytes, Buffer.from(',')]),
    () => Buffer.from(bytes.toString().replace('{', '{"id":1,"id":{},')),
    () => Buffer.from(bytes.toString().replaceAll('"', "'")),
    () => Buffer.from(bytes.toString(), 'utf16le'),
    () => Buffer.alloc(0),
  ])();
}
