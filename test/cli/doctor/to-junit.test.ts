import { expect, test } from 'vitest';
import { toJunit } from '../../../src/cli/doctor/to-junit.ts';

const step = { milliseconds: 1234.4, message: null } as const;

test('each step of a check is a test case with its time', () => {
  const junit = toJunit({
    shop: 'demo.myshopify.com',
    steps: [
      { ...step, name: 'quote', result: 'passed' },
      { ...step, name: 'create', result: 'failed', message: 'It says: "<b>& \u0000no\ud800"' },
      { ...step, milliseconds: 0, name: 'read', result: 'skipped' },
    ],
  });
  expect(junit).toBe(`<?xml version="1.0" encoding="UTF-8"?>
<testsuites tests="3" failures="1" errors="0" skipped="1" time="2.469">
  <testsuite name="platen check demo.myshopify.com" tests="3" failures="1" errors="0" skipped="1" time="2.469">
    <testcase classname="platen.check" name="quote" time="1.234"/>
    <testcase classname="platen.check" name="create" time="1.234"><failure message="It says: &quot;&lt;b&gt;&amp; no&quot;"/></testcase>
    <testcase classname="platen.check" name="read" time="0.000"><skipped/></testcase>
  </testsuite>
</testsuites>
`);
});
