import { pino } from 'pino';
import { expect, test } from 'vitest';
import { UnavailableError } from '../../src/errors.ts';
import { EndpointError, unknownAddressError } from '../../src/http/error-response.ts';
import { createFailureLogger } from '../../src/http/log-failures.ts';
import { systemClock } from '../../src/clock.ts';

function openLog() {
  const lines: Record<string, unknown>[] = [];
  const log = pino(
    { level: 'info' },
    { write: (line) => void lines.push(JSON.parse(line) as Record<string, unknown>) },
  );
  return { log, lines };
}

test('an outage with 100 refused requests logs one warning when it starts and one line when it ends', async () => {
  const { log, lines } = openLog();
  const logFailure = createFailureLogger({ clock: systemClock, log }, 100);
  const createUnavailableError = () => new EndpointError(503, 'cannot_store', 'The event cannot be stored now.');
  for (let request = 0; request < 100; request += 1) logFailure(log, createUnavailableError());
  expect(lines).toMatchObject([{ level: 40, code: 'cannot_store', msg: 'requests are refused' }]);
  await expect.poll(() => lines.length, { timeout: 5_000 }).toBe(2);
  expect(lines[1]).toMatchObject({
    level: 30,
    code: 'cannot_store',
    refused: 100,
    msg: 'requests are no longer refused',
  });
  logFailure(log, createUnavailableError());
  expect(lines[2]).toMatchObject({ level: 40, code: 'cannot_store' });
});

test('each cause and each defect is logged separately, and errors that senders cause are not logged', () => {
  const { log, lines } = openLog();
  const logFailure = createFailureLogger({ clock: systemClock, log });
  logFailure(log, new EndpointError(503, 'cannot_store', 'The event cannot be stored now.'));
  logFailure(
    log,
    new UnavailableError('store_unavailable', 'The store is unavailable.', { retryAfterSeconds: 1, cause: null }),
  );
  for (let request = 0; request < 2; request += 1) logFailure(log, new TypeError('broken'));
  logFailure(log, unknownAddressError());
  logFailure(log, new EndpointError(503, 'too_many_requests', 'Try again later.', { retryAfterSeconds: 1 }));
  expect(lines.map(({ level }) => level)).toEqual([40, 40, 50, 50]);
});
