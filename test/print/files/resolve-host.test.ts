import { expect, test } from 'vitest';
import { resolveHost } from '../../../src/print/files/resolve-host.ts';
import { startNameServer } from './name-server.ts';

const never = new AbortController().signal;
const V6 = '2606:4700:0000:0000:0000:0000:0000:1111';

test('a name resolves to its IPv4 and IPv6 addresses, with one query for each kind', async () => {
  const server = await startNameServer({ 'files.test': ['1.1.1.1', '10.0.0.1', V6] });
  const addresses = await resolveHost('files.test', never, [server.address]);
  expect(addresses).toEqual(['1.1.1.1', '10.0.0.1', '2606:4700::1111']);
  expect(server.questions.toSorted()).toEqual(['files.test/4', 'files.test/6']);
});

test('a name that does not exist or has no address resolves to nothing', async () => {
  const server = await startNameServer({ 'mail.test': [] });
  expect(await resolveHost('gone.test', never, [server.address])).toEqual([]);
  expect(await resolveHost('mail.test', never, [server.address])).toEqual([]);
});

test('a name without a dot is queried unchanged, without a search domain', async () => {
  const server = await startNameServer({});
  expect(await resolveHost('intranet', never, [server.address])).toEqual([]);
  expect(server.questions.every((question) => question.startsWith('intranet/'))).toBe(true);
});

test('a query to a name server that does not respond ends at the time limit', async () => {
  const server = await startNameServer({}, { silent: ['files.test'] });
  const begun = performance.now();
  const resolving = resolveHost('files.test', AbortSignal.timeout(100), [server.address]);
  await expect(resolving).rejects.toMatchObject({ code: 'ECANCELLED' });
  expect(performance.now() - begun).toBeLessThan(1_400);
});
