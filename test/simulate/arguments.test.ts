import { expect, test } from 'vitest';
import { parseSimulateArguments } from './arguments.ts';

test('without options, 200 seeds of 20 orders run from seed 1', () => {
  expect(parseSimulateArguments([])).toEqual({
    seeds: 200,
    orders: 20,
    from: 1,
    events: null,
    runs: 1,
    trace: null,
    json: false,
    untilFailure: false,
  });
});

test('the command that a failed seed prints is valid', () => {
  const args: string[] = ['--seeds', '1', '--from', '7', '--orders', '20', '--events', '31'];
  expect(parseSimulateArguments(args)).toMatchObject({ seeds: 1, from: 7, orders: 20, events: 31 });
});

test.each([['--seeds', '0'], ['--from', 'x'], ['--events', '-1'], ['--unknown']])('refuses %s %s', (...args) => {
  expect(() => parseSimulateArguments(args)).toThrow(args[0]);
});
