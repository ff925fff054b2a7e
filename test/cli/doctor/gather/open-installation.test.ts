import { expect, test } from 'vitest';
import { describeDatabaseProblem } from '../../../../src/cli/doctor/gather/open-installation.ts';
import { PlatenError } from '../../../../src/errors.ts';

test.each<[string, unknown, string]>([
  ['a known code', { code: '28P01', message: 'secret' }, ', because it does not accept the password.'],
  ['a timeout', new Error('timeout exceeded when trying to connect'), ', because it does not respond.'],
  ['an unknown error', new TypeError('secret'), ', because of an error (TypeError).'],
  [
    'Platen’s own error, which is a whole sentence',
    new PlatenError('database_start_failed', 'The embedded database did not start. The server was not ready in time.'),
    '. The embedded database did not start. The server was not ready in time.',
  ],
])('a database that could not be opened because of %s is reported with the cause', (_title, error, end) => {
  expect(describeDatabaseProblem(error).message).toBe(`The database could not be opened${end}`);
});
