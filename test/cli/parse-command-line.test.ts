import { expect, test } from 'vitest';
import { commands } from '../../src/cli/commands.ts';
import { argumentNames, parseCommandLine } from '../../src/cli/parse-command-line.ts';
import { UsageError } from '../../src/cli/usage-error.ts';

function parse(line: string, ...argv: string[]) {
  const command = commands.find(({ name }) => name === line);
  if (!command) throw new Error(`There is no command ${line}.`);
  return parseCommandLine(command, argv);
}

const CREATE = ['template', '--shop', 'demo', '--title', 'Mug'];
const LINK = ['t', '1', '--shop', 'demo'];

test('each NAME=VALUE option is split at the first equals sign', () => {
  const images = ['--image', 'Front=https://files.example/?a=1', '--image', 'Back=b'];
  const { options } = parse('products create', ...CREATE, ...images);
  expect(options['image']).toEqual({ Front: 'https://files.example/?a=1', Back: 'b' });
});

test.each([
  ['products create', [...CREATE, '--image', 'F=a', '--image', 'B=c', '--image', 'F=b'], '--image F is given twice'],
  ['products create', [...CREATE, '--text', 'Name'], '--text Name is invalid: use the form NAME=VALUE'],
  ['links from-template', [...LINK, '--rename', 'Größe=A', '--rename', 'Größe=B'], '--rename Größe is given twice'],
])('the command %s rejects the options %j', (command, argv, message) => {
  const act = () => parse(command, ...argv);
  expect(act).toThrow(UsageError);
  expect(act).toThrow(message);
});

test('--shop sets the shop of every command for a shop', () => {
  for (const { name, args, options } of commands.filter(({ needs }) => needs === 'shop')) {
    const words = args.split(' ').filter((word) => word !== '');
    const given = words.map(() => 'a=b');
    const needed = Object.entries(options).flatMap(([option, { kind }]) =>
      kind === 'required' ? [`--${option}=x`] : [],
    );
    expect(parse(name, ...given, ...needed, '--shop', 'demo')).toMatchObject({ shop: 'demo', args: given });
    expect(() => parse(name, ...given, ...needed, '--shop')).toThrow(UsageError);
  }
});

test('some commands take the shop as their first argument', () => {
  expect(parse('shops set', 'demo', 'delayMinutes=5')).toMatchObject({ shop: 'demo', args: ['delayMinutes=5'] });
  expect(parse('shops webhook', 'demo')).toMatchObject({ shop: 'demo', args: [] });
  expect(parse('orders show', 'demo', '#1001')).toMatchObject({ shop: 'demo', args: ['#1001'] });
  expect(() => parse('orders show', '#1001')).toThrow('The shop is missing');
  expect(() => parse('orders approve', 'demo', '#1001')).toThrow('The shop is missing');
});

test.each(commands)(
  'platen $name has a one-line help text, describes its arguments and rejects unknown options',
  (command) => {
    expect(command.about).toMatch(/^[A-Z].*[^.]$/);
    for (const word of command.args.split(' ').filter((one) => one !== ''))
      expect(argumentNames).toHaveProperty([word.replaceAll(/[[\]…]/g, '')]);
    expect(parse(command.name, '--help').wantsHelp).toBe(true);
    expect(() => parse(command.name, '--unknown')).toThrow("Unknown option '--unknown'");
  },
);
