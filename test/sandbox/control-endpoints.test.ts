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

describe.each(['print', 'store'] as const)('the control endpoints of the %s stand-in', (of) => {
  const reset = async (headers: Record<string, string>): Promise<number> => {
    // Any web page can send this request as a form, without a preflight request.
    const answer = await fetch(`${sandbox[of]?.url}/_control/reset`, {
      method: 'POST',
      headers: { 'Content-Type': 'text/plain', ...headers },
      body: '{}',
    });
    return answer.status;
  };

  test('the control endpoints reject pages from other origins', async () => {
    const foreign = [
      { Origin: 'https://evil.example' },
      { Origin: 'null' },
      { Origin: 'http://127.0.0.1:9' },
      { 'Sec-Fetch-Site': 'cross-site' },
      { 'Sec-Fetch-Site': 'same-site' },
    ];
    for (const headers of foreign) expect([headers, await reset(headers)]).toEqual([headers, 403]);
  });

  test('the control endpoints reject a page whose own host name resolves to the stand-in', async () => {
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

  test('the control endpoints accept scripts, commands and the pages of the stand-in itself', async () => {
    expect(await reset({})).toBe(200);
    expect(await reset({ Origin: sandbox[of]?.url ?? '', 'Sec-Fetch-Site': 'same-origin' })).toBe(200);
    expect(await reset({ 'Sec-Fetch-Site': 'none' })).toBe(200);
  });
});

/** Returns the documented control endpoints as `METHOD /path`, without parameter names, each with its description. */
function readDocumented(): [endpoint: string, text: string][] {
  const [, section = ''] = CONTRACTS.split('\n## Sandbox\n');
  const [control = ''] = section.split('\n### Platform endpoints of the store\n');
  const items = control.split(/^- (?=`[A-Z]+ \/)/m).slice(1);
  return items.flatMap((item) => {
    const [entry = ''] = item.split(/^#/m);
    const [names = ''] = /^(?:`[A-Z]+ \/[^`]*`(?:,\s+)?)+/.exec(entry) ?? [];
    const text = entry.slice(names.length);
    return [...names.matchAll(/`([A-Z]+) (\/[^`]*)`/g)].map(([, method = '', path = '']): [string, string] => [
      toEndpoint(method, path),
      text,
    ]);
  });
}

function toEndpoint(method: string, path: string): string {
  return `${method} ${path.replace(/\?.*/, '').replaceAll(/:\w+/g, ':')}`;
}

test('every control endpoint is documented with its body, and no other endpoint is documented', async () => {
  const { listControlEndpoints } = await import('./list-control-endpoints.ts');
  const endpoints = new Set(await listControlEndpoints());
  const documented = readDocumented();
  const names = new Set(documented.map(([endpoint]) => endpoint));
  expect([...names].toSorted()).toEqual([...endpoints].toSorted());
  const withoutBody = documented.filter(([endpoint, text]) => endpoint.startsWith('POST') && !/\{"|no body/.test(text));
  expect(withoutBody.map(([endpoint]) => endpoint)).toEqual([]);
});
