import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startSandbox, type Sandbox } from '../../sandbox/start.ts';

const CONTRACTS = readFileSync(new URL('../../docs/contracts.md', import.meta.url), 'utf8');

let home: string;
let sandbox: Sandbox;

beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'platen-control-'));
  const app = { appUrl: 'http://127.0.0.1:9', apiKey: 'sandbox-app', apiSecret: 'sandbox-secret' };
  const print = { port: 0, advanceSeconds: null, extended: true };
  sandbox = await startSandbox({ home, print, store: { port: 0, ...app } });
});

afterAll(async () => {
  await sandbox.close();
  rmSync(home, { recursive: true });
});

describe.each(['print', 'store'] as const)('a page that a developer visits', (of) => {
  const reset = async (headers: Record<string, string>): Promise<number> => {
    // As a form of any page sends it: nothing asks the browser for leave.
    const answer = await fetch(`${sandbox[of]?.url}/_control/reset`, {
      method: 'POST',
      headers: { 'Content-Type': 'text/plain', ...headers },
      body: '{}',
    });
    return answer.status;
  };

  test(`cannot use the control doors of the ${of} stand-in`, async () => {
    const foreign = [
      { Origin: 'https://evil.example' },
      { Origin: 'null' },
      { Origin: 'http://127.0.0.1:9' },
      { 'Sec-Fetch-Site': 'cross-site' },
      { 'Sec-Fetch-Site': 'same-site' },
    ];
    for (const headers of foreign) expect([headers, await reset(headers)]).toEqual([headers, 403]);
  });

  test(`cannot use them under a name of its own that leads to the ${of} stand-in`, async () => {
    const { request } = await import('node:http');
    const { port } = sandbox[of] ?? { port: 0 };
    const host = `evil.example:${port}`;
    const status = await new Promise<number | undefined>((resolve, reject) => {
      const headers = { Host: host, Origin: `http://${host}` };
      const call = request({ port, host: '127.0.0.1', path: '/_control/reset', method: 'POST', headers }, (answer) => {
        answer.resume();
        resolve(answer.statusCode);
      });
      call.on('error', reject).end();
    });
    expect(status).toBe(403);
  });

  test(`is no script, command or page of the ${of} stand-in itself, which may`, async () => {
    expect(await reset({})).toBe(200);
    expect(await reset({ Origin: sandbox[of]?.url ?? '', 'Sec-Fetch-Site': 'same-origin' })).toBe(200);
    expect(await reset({ 'Sec-Fetch-Site': 'none' })).toBe(200);
  });
});

/** The doors that the page names, with the rest of their row: `METHOD /path`, parameters without their names. */
function readDocumented(): Map<string, string> {
  const [, section = ''] = CONTRACTS.split('## Control doors of the stand-ins');
  const [tables = ''] = section.split('Doors of the platform');
  const doors = new Map<string, string>();
  for (const [, cell = '', rest = ''] of tables.matchAll(/^\| ([^|]+) \|(.*)$/gm)) {
    let methods: string[] = [];
    let isOpen = false;
    let first = '';
    for (const [, span = ''] of cell.matchAll(/`([^`]+)`/g)) {
      const [, method, path] = /^(GET|POST|DELETE)?\s*(\/\S*)?$/.exec(span) ?? [];
      if (method !== undefined) methods = isOpen ? [...methods, method] : [method];
      if (method === undefined && path === undefined) continue;
      isOpen = path === undefined;
      if (path === undefined) continue;
      // Without a method it differs from the one before by its last part.
      const whole = method === undefined && first !== '' ? first.replace(/\/[^/]*$/, path) : path;
      if (first === '' || method !== undefined) first = whole;
      for (const one of methods) doors.set(toDoor(one, whole), rest);
    }
  }
  return doors;
}

function toDoor(method: string, path: string): string {
  return `${method} ${path.replace(/\?.*/, '').replaceAll(/:\w+/g, ':')}`;
}

test('every control door is documented with what it takes, and no other is', async () => {
  const { listControlDoors } = await import('./list-control-doors.ts');
  const doors = new Set(await listControlDoors());
  const documented = readDocumented();
  expect([...documented.keys()].toSorted()).toEqual([...doors].toSorted());
  const withoutBody = [...documented].filter(([door, row]) => door.startsWith('POST') && !/[{[]|no body/.test(row));
  expect(withoutBody.map(([door]) => door)).toEqual([]);
});
