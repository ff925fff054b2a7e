import { expect, test } from 'vitest';
import { parseChaosArguments } from './arguments.ts';

test('a run without arguments has 500 orders, three replicas, both submit modes and a random seed', () => {
  const { seed, ...rest } = parseChaosArguments([]);
  expect(rest).toEqual({ orders: 500, replicas: 3, faultRate: 0.3, submit: 'both', upgradeFrom: null });
  expect(Number.isInteger(seed)).toBe(true);
  expect(parseChaosArguments([]).seed).not.toBe(seed);
});

test('every argument sets the value that it names', () => {
  const given = [
    '--orders',
    '40',
    '--replicas=2',
    '--fault-rate',
    '0',
    '--seed',
    '7',
    '--submit',
    'direct',
    '--upgrade-from',
    'v1',
  ];
  expect(parseChaosArguments(given)).toEqual({
    orders: 40,
    replicas: 2,
    faultRate: 0,
    seed: 7,
    submit: 'direct',
    upgradeFrom: 'v1',
  });
});

test.each([
  [['--orders', '0'], '--orders'],
  [['--orders', 'many'], '--orders'],
  [['--replicas', '1.5'], '--replicas'],
  [['--fault-rate', '2'], '--fault-rate'],
  [['--submit', 'fax'], '--submit'],
  [['--oders', '4'], '--oders'],
  [['40'], '40'],
])('the arguments %j are rejected with an error that names the argument', (args, name) => {
  expect(() => parseChaosArguments(args)).toThrow(name);
});
