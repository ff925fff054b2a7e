import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from 'oxc-parser';

const SRC = join(import.meta.dirname, '../../../src');
/** The only file that may write the state of an existing print order. */
const WRITER = 'orders/record/change-state.ts';
const WRITES = new Set(['update', 'upsert', 'save', 'insert', 'set']);
const SQL_WRITE = /\b(?:update\s+(?:only\s+)?print_orders|insert\s+into\s+print_orders)\b(?<rest>[\s\S]*)/i;

type Node = { type: string; start: number } & Record<string, unknown>;

/** Returns the places in the source, as `folder/file.ts:line`, that write `print_orders.state` without the table of transitions. */
export function findStateWriters(): string[] {
  return readdirSync(SRC, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && name !== WRITER)
    .flatMap((name) => findIn(name, readFileSync(join(SRC, name), 'utf8')));
}

/**
 * Returns the places in one file that write `print_orders.state`. Inserts with the state `planned` are allowed. A value that cannot be
 * determined counts as a write of the state.
 */
export function findIn(name: string, text: string): string[] {
  if (!/PrintOrders|print_orders/i.test(text)) return [];
  const { program } = parseSync(name, text);
  const nodes = listNodes(program);
  const isWriter = (node: Node): boolean => isCallThatWrites(node, nodes) || isSqlThatWrites(node, text);
  return nodes.filter(isWriter).map(({ start }) => `${name}:${text.slice(0, start).split('\n').length}`);
}

function listNodes(value: unknown): Node[] {
  if (Array.isArray(value)) return value.flatMap(listNodes);
  if (typeof value !== 'object' || value === null) return [];
  const below = Object.values(value).flatMap(listNodes);
  return 'type' in value && typeof value.type === 'string' ? [value as Node, ...below] : below;
}

function isNamed(value: unknown, name: string): boolean {
  return typeof value === 'object' && value !== null && 'name' in value && value.name === name;
}

/** Returns whether this is a TypeORM call that writes the state through the manager, a repository or a query builder. */
function isCallThatWrites({ type, callee, arguments: given }: Node, all: readonly Node[]): boolean {
  if (type !== 'CallExpression' || !isNode(callee) || callee.type !== 'MemberExpression') return false;
  const { property, object } = callee;
  const method = isNode(property) && typeof property['name'] === 'string' ? property['name'] : '';
  const values = Array.isArray(given) ? (given as Node[]) : [];
  const isOnTable = isNamed(values[0], 'PrintOrders');
  const isOnRepository = listNodes(object).some((node) => isNamed(node, 'PrintOrders'));
  if (!WRITES.has(method) || !(isOnTable || isOnRepository)) return false;
  const written = method === 'update' ? values.at(-1) : values[isOnTable ? 1 : 0];
  if (!written || values.length < (isOnTable ? 2 : 1)) return true;
  return method === 'insert' ? !beginsPlanned(written, all) : method === 'save' || mayHoldState(written, all, 0);
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value;
}

/** Returns whether an object may have the key `state`. Resolves names declared in the file. An undeclared name may hold anything. */
function mayHoldState(value: Node, all: readonly Node[], depth: number): boolean {
  if (depth > 5) return true;
  const look = (next: unknown): boolean => isNode(next) && mayHoldState(next, all, depth + 1);
  if (value.type === 'ConditionalExpression') return look(value['consequent']) || look(value['alternate']);
  if (value.type === 'TSAsExpression') return look(value['expression']);
  if (value.type === 'LogicalExpression') return look(value['left']) || look(value['right']);
  if (value.type === 'Identifier') {
    const declared = all.filter(
      (node) => node.type === 'VariableDeclarator' && isNamed(node['id'], String(value['name'])),
    );
    return declared.length === 0 || declared.some((node) => !isNode(node['init']) || look(node['init']));
  }
  if (value.type !== 'ObjectExpression') return true;
  return (value['properties'] as Node[]).some((property) => {
    if (property.type === 'SpreadElement') return look(property['argument']);
    return property['computed'] === true || isNamed(property['key'], 'state');
  });
}

function beginsPlanned(value: Node, all: readonly Node[]): boolean {
  if (value.type !== 'ObjectExpression') return false;
  const properties = value['properties'] as Node[];
  const state = properties.find((property) => isNamed(property['key'], 'state'))?.['value'];
  const spreads = properties.filter(({ type }) => type === 'SpreadElement');
  const isHidden = spreads.some(({ argument }) => isNode(argument) && mayHoldState(argument, all, 0));
  return isNode(state) && state['value'] === 'planned' && !isHidden;
}

/** Returns whether this is SQL with the column between `set` and `where`, or among the columns of an insert. */
function isSqlThatWrites(node: Node, text: string): boolean {
  const isText = node.type === 'TemplateLiteral' || (node.type === 'Literal' && typeof node['value'] === 'string');
  if (!isText) return false;
  const rest = SQL_WRITE.exec(text.slice(node.start, Number(node['end'])))?.groups?.['rest'];
  if (rest === undefined) return false;
  const set = /^[\s\S]*?\bset\b(?<columns>[\s\S]*?)(?:\bwhere\b|$)/i.exec(rest)?.groups?.['columns'];
  return set === undefined
    ? /\bstate\b/.test(rest)
    : /(?:^|[\s,(])state\s*=(?!=)/.test(set.replaceAll(/\bcase\b[\s\S]*?\bend\b/gi, ''));
}
