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
  specifiers?: { imported?: Node }[];
  quasis?: Node[];
}

interface Context {
  report: (problem: { node: Node; message: string }) => void;
}

const TIMERS = new Set(['setTimeout', 'setInterval']);
const MEMBERS = new Set(['Date.now', 'performance.now', 'AbortSignal.timeout']);
const SQL_TIME = /\b(now\(\)|clock_timestamp\(\)|current_timestamp)/i;
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
        if (node.specifiers?.some(({ imported }) => TIMERS.has(imported?.name ?? ''))) report(node);
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
