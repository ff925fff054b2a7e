import { request } from 'undici';
import { systemClock } from '../../src/clock.ts';

const TIMEOUT_MS = 5000;

/**
 * Makes the print stand-in at `printUrl` send one account's events to `url` with `headers`. The URL replaces the account's previous
 * addresses. Other accounts' addresses stay unchanged. Rejects if the stand-in does not accept the address within five seconds.
 */
export async function registerAddress(
  printUrl: string,
  address: { key: string; url: string; headers: Record<string, string> },
): Promise<void> {
  const answer = await request(`${printUrl}/_control/webhooks`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ addresses: [address] }),
    signal: systemClock.timeout(TIMEOUT_MS),
  });
  await answer.body.dump();
  if (answer.statusCode >= 300) {
    throw new Error(`The print stand-in refused the webhook address with status ${answer.statusCode}.`);
  }
}
