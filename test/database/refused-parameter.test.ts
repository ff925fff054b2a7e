import { expect, test } from 'vitest';
import { findRefusedParameter } from '../../src/database/connect.ts';

test.each([
  ['unsupported startup parameter: statement_timeout', 'statement_timeout'],
  ['unsupported startup parameter in options: search_path', 'search_path'],
  ['password authentication failed', null],
])('the refusal of a connection pooler names its parameter: %s', (message, parameter) => {
  expect(findRefusedParameter(message)).toBe(parameter);
});
