import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { PrintArrival } from '../../src/inbox/receive-print-delivery.ts';
import { openSpool } from '../../src/inbox/spool.ts';
import type { Spool, SpoolOptions } from '../../src/inbox/spool.ts';
import { systemClock } from '../../src/clock.ts';

let directory: string;
let open: Spool[];

beforeEach(() => {
  directory = join(mkdtempSync(join(tmpdir(), 'platen-spool-')), 'spool');
  open = [];
});

afterEach(async () => {
  await Promise.all(open.map((spool) => spool.close()));
  rmSync(join(directory, '..'), { recursive: true });
});

/** Creates a stand-in for the database. It is unavailable while `isAway` is true, and records the events that it stores. */
function createDatabaseStandIn() {
  const kept: PrintArrival[] = [];
  const state = { isAway: true, kept, tries: 0 };
  async function store(arrival: PrintArrival): Promise<void> {
    state.tries += 1;
    if (state.isAway) throw new Error('connection refused');
    kept.push(arrival);
  }
  return Object.assign(state, { store, bodies: () => kept.map(({ rawBody }) => rawBody.toString()) });
}

function openTestSpool(options: Partial<SpoolOptions> & Pick<SpoolOptions, 'store'>): Spool {
  const spool = openSpool({ clock: systemClock, directory, log: pino({ level: 'silent' }), replayMs: 20, ...options });
  open.push(spool);
  return spool;
}

function event(body: string | Buffer): PrintArrival {
  return {
    tokenHash: 'a'.repeat(64),
    headerProofs: ['proof'],
    receivedAt: new Date('2026-11-21T10:00:00.123Z'),
    rawBody: Buffer.from(body),
  };
}

/** Returns the bodies of the events that were set aside. */
function readSetAside(): string[] {
  const lines = readFileSync(join(directory, 'set-aside.jsonl'), 'utf8').trim().split('\n');
  return lines.map((line) => Buffer.from((JSON.parse(line) as { rawBody: string }).rawBody, 'base64').toString());
}

function listSpoolFiles(): string[] {
  return readdirSync(directory);
}

describe('the spool of one process', () => {
  test('the spool keeps an event unchanged until the database stores it, and then leaves no file behind', async () => {
    const database = createDatabaseStandIn();
    const spool = openTestSpool(database);
    const arrival = event(Buffer.from([0x7b, 0xff, 0x00, 0x0a, 0x7d]));
    await spool.append(arrival);
    expect(await spool.bytes()).toBeGreaterThan(0);
    await vi.waitUntil(() => database.tries > 2);
    expect(database.kept).toEqual([]);
    database.isAway = false;
    await vi.waitUntil(() => database.kept.length > 0);
    expect(database.kept).toEqual([arrival]);
    await vi.waitUntil(() => listSpoolFiles().length === 0);
    expect(await spool.bytes()).toBe(0);
  });

  test('an event is on disk once its append resolves', async () => {
    const spool = openTestSpool(createDatabaseStandIn());
    await spool.append(event('{"a":1}'));
    const text = listSpoolFiles().map((name) => readFileSync(join(directory, name), 'utf8'));
    expect(text.join('')).toContain(Buffer.from('{"a":1}').toString('base64'));
  });

  test('an event that the database always refuses is set aside immediately, and later events are stored', async () => {
    const database = createDatabaseStandIn();
    const first = openTestSpool(database);
    for (const body of ['{"n":1}', '{"bad":true}', '{"n":2}']) await first.append(event(body));
    await first.close();
    const stored: string[] = [];
    let setAside = 0;
    openTestSpool({
      async store({ rawBody }) {
        if (rawBody.includes('bad')) throw Object.assign(new Error('refused'), { code: '22P05' });
        stored.push(rawBody.toString());
      },
      onSetAside: () => (setAside += 1),
    });
    await vi.waitUntil(() => String(listSpoolFiles()) === 'set-aside.jsonl');
    expect(stored).toEqual(['{"n":1}', '{"n":2}']);
    expect(setAside).toBe(1);
    expect(readSetAside()).toEqual(['{"bad":true}']);
  });

  test('events that fail for another reason do not block other events, and are set aside if they keep failing while others succeed', async () => {
    const first = openTestSpool(createDatabaseStandIn());
    const bad = Array.from({ length: 7 }, (_, at) => `{"bad":${at}}`);
    for (const body of [...bad, '{"n":1}', '{"n":2}']) await first.append(event(body));
    await first.close();
    const stored: string[] = [];
    const spool = openTestSpool({
      async store({ rawBody }) {
        if (rawBody.includes('bad')) throw new Error('a key is missing');
        stored.push(rawBody.toString());
      },
      replayMs: 1,
    });
    await vi.waitUntil(() => stored.length === 2);
    // A replay in which all events fail proves nothing, because the database may be unavailable.
    expect(listSpoolFiles()).not.toContain('set-aside.jsonl');
    for (let at = 3; String(listSpoolFiles()) !== 'set-aside.jsonl' && at < 1_000; at += 1) {
      await spool.append(event(`{"n":${at}}`));
      await vi.waitUntil(() => stored.length === at);
    }
    expect(readSetAside().toSorted()).toEqual(bad);
    expect(new Set(stored).size).toBe(stored.length);
  });

  test('the spool refuses events beyond its size limit and accepts events again after a replay', async () => {
    const database = createDatabaseStandIn();
    const spool = openTestSpool({ ...database, maxBytes: 2_000 });
    const large = event(`{"a":"${'x'.repeat(900)}"}`);
    await spool.append(large);
    await expect(spool.append(large)).rejects.toMatchObject({ code: 'spool_full' });
    await expect(Promise.all([spool.append(event('{}')), spool.append(large)])).rejects.toMatchObject({
      code: 'spool_full',
    });
    database.isAway = false;
    await vi.waitUntil(() => listSpoolFiles().length === 0);
    await expect(spool.append(large)).resolves.toBeUndefined();
  });

  test('events for an address over its size limit are refused until a replay, but events for other addresses are accepted', async () => {
    const database = createDatabaseStandIn();
    const spool = openTestSpool({ ...database, maxBytesPerAddress: 2_000 });
    const large = event(`{"a":"${'x'.repeat(900)}"}`);
    const full = { code: 'spool_full' };
    await spool.append(large);
    await expect(spool.append(large)).rejects.toMatchObject(full);
    const ofOther = { ...large, tokenHash: 'b'.repeat(64) };
    const atOnce = await Promise.allSettled([spool.append(ofOther), spool.append(ofOther)]);
    expect(atOnce.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
    database.isAway = false;
    await vi.waitUntil(() => listSpoolFiles().length === 0);
    await expect(spool.append(large)).resolves.toBeUndefined();
    await expect(spool.append(large)).rejects.toMatchObject(full);
  });

  test('the spool refuses events while its folder is not writable and accepts them once it is', async () => {
    mkdirSync(join(directory, '..'), { recursive: true });
    writeFileSync(directory, 'a file where the folder should be');
    const database = createDatabaseStandIn();
    const spool = openTestSpool(database);
    await expect(spool.append(event('{}'))).rejects.toThrow();
    rmSync(directory);
    await spool.append(event('{}'));
    database.isAway = false;
    await vi.waitUntil(() => database.kept.length === 1);
  });
});

describe('spools that share a folder', () => {
  test('a file from any machine is taken over after several minutes without a write, but a recent file is not', async () => {
    const first = openTestSpool(createDatabaseStandIn());
    await first.append(event('{"from":"afar"}'));
    await first.close();
    const [name] = listSpoolFiles();
    const foreign = join(directory, `elsewhere.1.${'a'.repeat(12)}.1.jsonl`);
    renameSync(join(directory, name!), foreign);
    const database = createDatabaseStandIn();
    database.isAway = false;
    const spool = openTestSpool(database);
    await spool.append(event('{"from":"here"}'));
    await vi.waitUntil(() => database.kept.length === 1);
    expect(database.bodies()).toEqual(['{"from":"here"}']);
    const longAgo = new Date(Date.now() - 600_000);
    utimesSync(foreign, longAgo, longAgo);
    await vi.waitUntil(() => database.kept.length === 2);
    expect(database.bodies()).toContain('{"from":"afar"}');
    await vi.waitUntil(() => listSpoolFiles().length === 0);
  });

  test('the file of a process that was killed while writing is taken over immediately', async () => {
    const child = spawn(process.execPath, ['--input-type=module-typescript', '-e', writerScript()], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let acknowledged = '';
    child.stdout.on('data', (chunk: Buffer) => (acknowledged += chunk.toString()));
    await vi.waitUntil(() => acknowledged.split('\n').length > 50, 10_000);
    child.kill('SIGKILL');
    await once(child, 'close');
    expect(listSpoolFiles()[0]).toContain(`${hostname().replaceAll(/[^\w-]/g, '-')}.${child.pid}.`);
    const database = createDatabaseStandIn();
    database.isAway = false;
    openTestSpool(database);
    await vi.waitUntil(() => listSpoolFiles().length === 0);
    const numbers = acknowledged.split('\n').slice(0, -1);
    expect(numbers.length).toBeGreaterThanOrEqual(50);
    for (const number of numbers) expect(database.bodies()).toContain(`{"n":${number}}`);
  });
});

/** Returns a script that appends endlessly and prints the number of each event that is safely stored. */
function writerScript(): string {
  const source = JSON.stringify(join(import.meta.dirname, '../../src/inbox/spool.ts'));
  const clock = JSON.stringify(join(import.meta.dirname, '../../src/clock.ts'));
  return `
    import { openSpool } from ${source};
    import { systemClock } from ${clock};
    const log = { warn() {}, info() {}, error() {} };
    const store = async () => { throw new Error('away'); };
    const spool = openSpool({ clock: systemClock, directory: ${JSON.stringify(directory)}, log, store });
    for (let n = 0; ; n += 1) {
      await spool.append({ tokenHash: '', headerProofs: [], receivedAt: new Date(), rawBody: Buffer.from('{"n":' + n + '}') });
      process.stdout.write(n + '\\n');
    }`;
}
