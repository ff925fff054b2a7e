import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync, Visitor, type CallExpression, type Expression, type NewExpression } from 'oxc-parser';

const SRC = join(import.meta.dirname, '../src');

/** A pattern with all locations where it occurs. */
interface Literal {
  pattern: string;
  flags: string;
  places: string[];
}

/** The regular expressions of the source. Locations have the format `folder/file.ts:line`. */
interface Found {
  literals: Literal[];
  /** Locations that create a regular expression from a text that is neither a literal nor escaped. */
  made: string[];
  /** Locations of a zod `.regex()` that is not preceded by a length limit. */
  uncapped: string[];
}

/** Finds every regular expression in the files under these folders of `src`. */
export function collectRegularExpressions(folders: readonly string[]): Found {
  const found: Found = { literals: [], made: [], uncapped: [] };
  for (const folder of folders) {
    for (const name of readdirSync(join(SRC, folder), { recursive: true, encoding: 'utf8' })) {
      if (/\.tsx?$/.test(name)) collectFrom(join(folder, name), found);
    }
  }
  return found;
}

function collectFrom(file: string, found: Found): void {
  const code = readFileSync(join(SRC, file), 'utf8');
  const placeOf = ({ start }: { start: number }) => `${file}:${code.slice(0, start).split('\n').length}`;
  const { program, errors } = parseSync(file, code);
  if (errors.length > 0) throw new Error(`${file} cannot be read: ${errors[0]?.message}`);
  const visitMaking = (node: NewExpression | CallExpression) => {
    const [source] = node.arguments;
    const isEscaped = source !== undefined && code.slice(source.start, source.end).startsWith('RegExp.escape(');
    if (node.callee.type === 'Identifier' && node.callee.name === 'RegExp' && !isEscaped) {
      found.made.push(placeOf(node));
    }
  };
  new Visitor({
    Literal(node) {
      if (!('regex' in node)) return;
      const { pattern, flags } = node.regex;
      const same = found.literals.find((literal) => literal.pattern === pattern && literal.flags === flags);
      if (same) same.places.push(placeOf(node));
      else found.literals.push({ pattern, flags, places: [placeOf(node)] });
    },
    NewExpression: visitMaking,
    CallExpression(node) {
      visitMaking(node);
      if (nameOf(node) === 'regex' && !isCapped(node, code)) found.uncapped.push(placeOf(node));
    },
  }).visit(program);
}

function nameOf({ callee }: CallExpression): string | null {
  return callee.type === 'MemberExpression' && callee.property.type === 'Identifier' ? callee.property.name : null;
}

/** Returns whether the chain starts with `stringUpTo(n)`, or has an earlier `.max(n, { abort: true })`. */
function isCapped({ callee }: CallExpression, code: string): boolean {
  if (callee.type === 'Identifier') return callee.name === 'stringUpTo';
  if (callee.type !== 'MemberExpression') return false;
  const before: Expression = callee.object;
  if (before.type !== 'CallExpression') return false;
  const ends = before.arguments.some(({ start, end }) => code.slice(start, end).includes('abort: true'));
  return (nameOf(before) === 'max' && ends) || isCapped(before, code);
}
