import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { readQueries } from './dashboard.ts';
import { installDeployTools, ROOT, runTool } from './manifests.ts';

const ALERTS = join(ROOT, 'deploy/prometheus/alerts.yaml');
const CASES = join(ROOT, 'test/deploy/alerts.promtool.yaml');

beforeAll(installDeployTools, 600_000);

test('the alert rules are valid', async () => {
  expect(await runTool('promtool', ['check', 'rules', ALERTS])).toMatch(/SUCCESS: \d+ rules found/);
});

test('each alert has cases in which it fires and cases in which it does not, and all of them pass', async () => {
  expect(await runTool('promtool', ['test', 'rules', CASES])).toContain('SUCCESS');
  const { tests } = parse(await readFile(CASES, 'utf8')) as {
    tests: { alert_rule_test: { alertname: string; exp_alerts: object[] }[] }[];
  };
  const cases = tests.flatMap((one) => one.alert_rule_test);
  const namesOf = (fires: boolean): string[] => [
    ...new Set(cases.filter((one) => one.exp_alerts.length > 0 === fires).map((one) => one.alertname)),
  ];
  const { groups } = parse(await readFile(ALERTS, 'utf8')) as { groups: { rules: { alert: string }[] }[] };
  const alerts = groups.flatMap((group) => group.rules.map((rule) => rule.alert)).toSorted();
  expect(namesOf(true).toSorted()).toEqual(alerts);
  expect(namesOf(false).toSorted()).toEqual(alerts);
});

test('Prometheus understands every query of the dashboard', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'platen-dashboard-'));
  try {
    const rules = (await readQueries()).map((expr, at) => ({
      record: `query_${at}`,
      expr: expr.replaceAll('$__rate_interval', '5m').replaceAll('$namespace', '.*'),
    }));
    const file = join(folder, 'rules.json');
    await writeFile(file, JSON.stringify({ groups: [{ name: 'dashboard', rules }] }));
    expect(await runTool('promtool', ['check', 'rules', file])).toContain(`SUCCESS: ${rules.length} rules found`);
  } finally {
    await rm(folder, { recursive: true });
  }
});
