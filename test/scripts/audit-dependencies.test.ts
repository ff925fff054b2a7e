import { expect, test } from 'vitest';
import { readAudit } from '../../scripts/audit-dependencies.ts';

const report = (vulnerabilities: object) =>
  JSON.stringify({ auditReportVersion: 2, vulnerabilities, metadata: { vulnerabilities: {} } });

test('a report without advisories is clean', () => {
  expect(readAudit(report({}))).toEqual({ outcome: 'clean' });
});

test('only advisories of severity high and critical count', () => {
  const advisories = ['low', 'moderate', 'high', 'critical'].map((severity) => [
    severity,
    { name: severity, severity },
  ]);
  expect(readAudit(report(Object.fromEntries(advisories)))).toEqual({
    outcome: 'vulnerable',
    advisories: [
      { name: 'high', severity: 'high' },
      { name: 'critical', severity: 'critical' },
    ],
  });
});

test.each([
  ['', 'npm audit wrote no report.'],
  ['npm error', 'npm audit wrote no report.'],
  [
    '{"message":"405 Method Not Allowed - POST https://registry.example/-/npm/v1","method":"POST","statusCode":405}',
    '405 Method Not Allowed - POST (registry).',
  ],
  ['{"error":{"code":"ENOAUDIT"}}', 'npm audit wrote no report.'],
])('a failed audit does not count as clean: %s', (output, reason) => {
  expect(readAudit(output)).toEqual({ outcome: 'unknown', reason });
});
