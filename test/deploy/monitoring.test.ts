import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { generateReference } from '../../scripts/generate-reference.ts';
import { readDashboard, readQueries } from './dashboard.ts';
import { ROOT } from './manifests.ts';

interface Alert {
  alert: string;
  expr: string;
  labels: { severity: string };
  annotations: { summary: string; runbook_url: string };
}

const reference = generateReference().get('metrics.md') ?? '';
const metrics = new Map(
  [...reference.matchAll(/^\| `(platen_\w+)` \| (counter|gauge|histogram) \|/gm)].map(([, name = '', type = '']) => [
    name,
    type,
  ]),
);
const { groups } = parse(await readFile(join(ROOT, 'deploy/prometheus/alerts.yaml'), 'utf8')) as {
  groups: { rules: Alert[] }[];
};
const alerts = groups.flatMap(({ rules }) => rules);

/** Returns the metrics that a query reads. A histogram's series have the ending `_bucket`, `_count` or `_sum`. */
function metricsOf(query: string): string[] {
  return [...query.matchAll(/\bplaten_\w+/g)].map(([name]) =>
    metrics.has(name) ? name : name.replace(/_(bucket|count|sum)$/, ''),
  );
}

test('every query of the alerts and the dashboard reads metrics that exist', async () => {
  const queries = [...alerts.map(({ expr }) => expr), ...(await readQueries())];
  expect(queries.length).toBeGreaterThan(40);
  expect(queries.flatMap(metricsOf).filter((name) => !metrics.has(name))).toEqual([]);
  expect(queries.filter((query) => metricsOf(query).length === 0)).toEqual([]);
});

test('the dashboard shows every metric, and its panels do not overlap', async () => {
  const shown = new Set((await readQueries()).flatMap(metricsOf));
  expect([...metrics.keys()].filter((name) => !shown.has(name))).toEqual([]);
  const taken = new Set<string>();
  for (const { title, gridPos } of (await readDashboard()).panels)
    for (let x = gridPos.x; x < gridPos.x + gridPos.w; x += 1)
      for (let y = gridPos.y; y < gridPos.y + gridPos.h; y += 1) {
        expect([title, x < 24, taken.has(`${x},${y}`)]).toEqual([title, true, false]);
        taken.add(`${x},${y}`);
      }
});

test('every alert has a severity and a runbook that explains its cause and remedy', async () => {
  const runbooks = await readFile(join(ROOT, 'docs/operators/runbooks.md'), 'utf8');
  const entries = new Map(
    runbooks.split(/^## /m).map((entry) => [entry.slice(0, entry.indexOf('\n')), entry.toLowerCase()]),
  );
  for (const { alert, labels, annotations } of alerts) {
    expect(['critical', 'warning', 'info']).toContain(labels.severity);
    expect(annotations.runbook_url).toBe(`docs/operators/runbooks.md#${alert.toLowerCase()}`);
    for (const part of ['**cause.**', '**what platen does.**', '**what to do.**'])
      expect([alert, entries.get(alert)?.includes(part)]).toEqual([alert, true]);
  }
  const named = [...entries.keys()].filter((title) => title.startsWith('Platen'));
  expect(named.toSorted()).toEqual(alerts.map(({ alert }) => alert).toSorted());
});

test('the alert about late polls knows the interval of every poll', async () => {
  const source = await readFile(join(ROOT, 'src/polls/start-schedule.ts'), 'utf8');
  const polls = [...source.matchAll(/ pass\('(.*)', '(\w+)', \{(?: pass: '(\w+)')?/g)];
  const namesOf = (isKind: (expression: string) => boolean): string[] =>
    polls.filter(([, expression = '']) => isKind(expression)).map(([, , task = '', name]) => name ?? task);
  const daily = namesOf((expression) => !/^\S+ \*/.test(expression)).toSorted();
  const hourly = namesOf((expression) => /^\d+ \*/.test(expression));
  const { expr = '' } = alerts.find(({ alert }) => alert === 'PlatenPollLate') ?? {};
  const [limits = '', , rest = ''] = expr.split(' or ');
  expect(polls.length).toBeGreaterThan(15);
  expect(/=~"(.*)"/.exec(limits)?.[1]?.split('|').toSorted()).toEqual(daily);
  expect(/!~"(.*)"/.exec(rest)?.[1]?.split('|').toSorted()).toEqual([...daily, ...hourly].toSorted());
});

test('metric names follow the conventions of Prometheus', () => {
  expect(metrics.size).toBeGreaterThan(20);
  for (const [name, type] of metrics) {
    expect(name).toMatch(/^platen_[a-z]+(_[a-z]+)*$/);
    // A counter ends in _total, and only a counter does. Units are base units.
    expect([name, name.endsWith('_total')]).toEqual([name, type === 'counter']);
    expect(name).not.toMatch(/_(ms|milliseconds|minutes|hours|kb|mb|mib|percent|count|sum|bucket)$/);
    if (type === 'histogram') expect(name).toMatch(/_(seconds|bytes)$/);
  }
});
