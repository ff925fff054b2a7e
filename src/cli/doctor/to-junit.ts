import type { CheckStep, DraftCheck } from '../../orders/draft-check/run-draft-check.ts';

/** Characters that XML does not allow, even escaped. */
const NOT_XML = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu;
const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Returns the result of a check as a JUnit document with one test case for each step. */
export function toJunit({ shop, steps }: Pick<DraftCheck, 'shop' | 'steps'>): string {
  const count = (result: CheckStep['result']): number => steps.filter((step) => step.result === result).length;
  const total = steps.reduce((sum, { milliseconds }) => sum + milliseconds, 0);
  const counts = `tests="${steps.length}" failures="${count('failed')}" errors="0" skipped="${count('skipped')}"`;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites ${counts} time="${toSeconds(total)}">`,
    `  <testsuite name="platen check ${escape(shop)}" ${counts} time="${toSeconds(total)}">`,
    ...steps.map(toCase),
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n');
}

function toCase({ name, result, milliseconds, message }: CheckStep): string {
  const start = `    <testcase classname="platen.check" name="${name}" time="${toSeconds(milliseconds)}"`;
  if (result === 'failed') return `${start}><failure message="${escape(message ?? 'failed')}"/></testcase>`;
  return result === 'skipped' ? `${start}><skipped/></testcase>` : `${start}/>`;
}

function toSeconds(milliseconds: number): string {
  return (milliseconds / 1000).toFixed(3);
}

function escape(text: string): string {
  return text.replace(NOT_XML, '').replace(/[&<>"]/g, (character) => ENTITIES[character] ?? character);
}
