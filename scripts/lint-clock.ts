/** A plugin for oxlint. Its rule `use` reports code and SQL that ask the machine for the time instead of a clock (src/clock.ts). */

interface Node {
  type: string;
  name?: string;
  value?: unknown;
  callee?: Node;
  object?: Node;
  property?: Node;
  arguments?: Node[];
  source?: Node;
  specifiers?: { type: string; imported?: Node }[];
  quasis?: Node[];
}

interface Context {
  report: (problem: { node: Node; message: string }) => void;
}

const TIMERS = new Set(['setTimeout', 'setInterval', 'scheduler']);
const MEMBERS = new Set([
  'Date.now',
  'performance.now',
  'AbortSignal.timeout',
  'globalThis.setTimeout',
  'globalThis.setInterval',
]);
const SQL_TIME = /\b(now\(\)|(clock|statement|transaction)_timestamp\(\)|current_timestamp|localtimestamp)/i;
const MESSAGE = 'Ask a clock for the time, for example app.clock (src/clock.ts).';
const SQL_MESSAGE = 'Pass the time of the clock as a parameter, for example app.clock.now().';

function isSqlTime(node: Node): boolean {
  const text = typeof node.value === 'string' ? node.value : (node.value as { raw?: string } | undefined)?.raw;
  return text !== undefined && SQL_TIME.test(text);
}

const use = {
  create(context: Context) {
    const report = (node: Node, message = MESSAGE): void => context.report({ node, message });
    return {
      NewExpression(node: Node) {
        if (node.callee?.name === 'Date' && node.arguments?.length === 0) report(node);
      },
      CallExpression(node: Node) {
        if (node.callee?.type === 'Identifier' && TIMERS.has(node.callee.name ?? '')) report(node);
      },
      MemberExpression(node: Node) {
        if (MEMBERS.has(`${node.object?.name}.${node.property?.name}`)) report(node);
      },
      ImportDeclaration(node: Node) {
        if (!/^(node:)?timers(\/promises)?$/.test(String(node.source?.value))) return;
        const hasTimer = node.specifiers?.some(
          ({ type, imported }) => type === 'ImportNamespaceSpecifier' || TIMERS.has(imported?.name ?? ''),
        );
        if (hasTimer) report(node);
      },
      Literal(node: Node) {
        if (isSqlTime(node)) report(node, SQL_MESSAGE);
      },
      TemplateElement(node: Node) {
        if (isSqlTime(node)) report(node, SQL_MESSAGE);
      },
    };
  },
};

// A plugin is a default export.
// oxlint-disable-next-line import/no-default-export
export default { meta: { name: 'clock' }, rules: { use } };
