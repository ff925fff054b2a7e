import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { confirm } from '../../src/cli/confirm.ts';

const openTerminal = (answer: string, isTTY = true) => ({
  input: Object.assign(new PassThrough().end(answer), { isTTY }),
  output: new PassThrough(),
});

test.each(['y\n', 'Yes\n'])('the answer %j confirms the action', async (answer) => {
  const terminal = openTerminal(answer);
  await expect(confirm('This prints 40 orders.', false, terminal)).resolves.toBeUndefined();
  expect(String(terminal.output.read())).toContain('This prints 40 orders. Continue? [y/N] ');
});

test.each(['\n', 'n\n', 'yesterday\n', ''])('the answer %j cancels the action', async (answer) => {
  await expect(confirm('This prints 40 orders.', false, openTerminal(answer))).rejects.toThrow('Nothing was changed.');
});

test('without a terminal, --yes confirms the action, and a command without --yes is rejected', async () => {
  await expect(confirm('This prints 40 orders.', true, openTerminal('', false))).resolves.toBeUndefined();
  await expect(confirm('This prints 40 orders.', false, openTerminal('y\n', false))).rejects.toThrow('add --yes');
});
