import { expect, test } from 'vitest';
import { toResourceIds } from '../../../src/inbox/to-resource-ids.ts';
import { ownAppToml, readAppToml } from '../../../sandbox/store/access/app-toml.ts';
import { includeFields } from '../../../sandbox/store/include-fields.ts';
import { recordedWebhooks } from '../../inbox/recorded-webhooks.ts';

const BODY =
  '{"id":1,"email":"jon@example.com","variants":[{"id":2,"price":"1"},{"id":3}],"customer":{"id":4,"name":"Jon"}}';

test.each([
  [null, BODY],
  [['id'], '{"id":1}'],
  [['id', 'missing'], '{"id":1}'],
  [['variants.id', 'customer'], '{"variants":[{"id":2},{"id":3}],"customer":{"id":4,"name":"Jon"}}'],
])('a webhook body with the fields %j has only these fields', (fields, expected) => {
  expect(includeFields(BODY, fields)).toBe(expected);
});

test("a body with only the app's fields identifies the same order or product as the whole body", () => {
  const { subscriptions } = readAppToml(ownAppToml);
  const compared = recordedWebhooks.flatMap(({ topic, body }) => {
    const fields = subscriptions.find((one) => one.topic === topic)?.includeFields ?? null;
    return fields === null ? [] : [{ topic, body: body.toString(), fields }];
  });
  expect(new Set(compared.map(({ topic }) => topic)).size).toBeGreaterThan(3);
  for (const { topic, body, fields } of compared) {
    const included = JSON.parse(includeFields(body, fields)) as Record<string, unknown>;
    expect([topic, toResourceIds(topic, included)]).toEqual([topic, toResourceIds(topic, JSON.parse(body))]);
    expect(JSON.stringify(included).length).toBeLessThan(200);
  }
});
