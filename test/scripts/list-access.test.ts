import { readFile } from 'node:fs/promises';
import { buildSchema, isInterfaceType, isObjectType, parse } from 'graphql';
import { expect, test } from 'vitest';
import { listAccess, toAccessNotes } from '../../scripts/list-access.ts';
import type { AccessNotes, SchemaAccess } from '../../scripts/list-access.ts';

const schema = buildSchema(`
  type Query { order: Order service: FulfillmentService }
  type Order { id: ID email: String staff: String }
  type FulfillmentService { id: ID }
`);

/** Returns the access notes of a full schema, which has more types and fields than the pruned schema. */
function notes(requiredAccess: Record<string, string>, scopes: Record<string, string[]>): AccessNotes {
  const field = (type: string, name: string) => ({
    name,
    requiredAccess: requiredAccess[`${type}.${name}`] ?? null,
    isProtected: ['Order.email', 'Order.gone'].includes(`${type}.${name}`),
  });
  const type = (name: string, fields: string[]) => ({
    name,
    requiredAccess: requiredAccess[name] ?? null,
    fields: fields.map((one) => field(name, one)),
  });
  const types = [
    type('Order', ['staff', 'id', 'gone', 'email']),
    type('Other', ['id']),
    type('FulfillmentService', []),
  ];
  const items = Object.entries(scopes).map(([name, offlineScopes]) => {
    const [typeName = '', fieldName] = name.split('.');
    return { typeName, ...(fieldName === undefined ? {} : { fieldName }), offlineScopes };
  });
  return { data: { __schema: { types } }, offline_scopes: { items } };
}

test('a type or field lists each scope that is sufficient for reading, but no scope that allows more than reading', () => {
  const access = listAccess(
    schema,
    notes(
      {
        Order:
          '`write_orders` access scope or `read_orders` access scope. Also: `write_overrides` to assign it to others.',
        'Order.staff': '`read_users` access scope.',
        Other: '`read_others` access scope.',
        FulfillmentService: 'Apps will need one of the following: `fulfillments`, `products`.',
      },
      {
        Order: ['write_orders', 'read_orders', 'write_overrides'],
        'Order.staff': ['read_users'],
        Other: ['read_others'],
      },
    ),
  );
  expect(access).toEqual({
    types: {
      FulfillmentService: ['read_assigned_fulfillment_orders', 'read_fulfillments', 'read_products'],
      Order: ['read_orders', 'write_orders'],
    },
    fields: { 'Order.staff': ['read_users'] },
    protected: ['Order.email'],
  });
});

test('the descriptions of added types and fields state the access that they need', () => {
  const added = parse(
    'extend type Order { "`read_staff` access scope." staff: String id: ID } "`read_others` access scope." type Other { id: ID }',
  );
  const whole = buildSchema(
    'type Query { order: Order other: Other } type Order { id: ID staff: String } type Other { id: ID }',
  );
  const order = notes({ Order: '`read_orders` access scope.' }, { Order: ['read_orders'] });
  expect(listAccess(whole, order, toAccessNotes(added))).toMatchObject({
    types: { Order: ['read_orders'], Other: ['read_others'] },
    fields: { 'Order.staff': ['read_staff'] },
  });
});

test('an access note without a scope is an error, so that a new kind of note is never mistaken for free access', () => {
  const unknown = notes({ Order: 'Only for trusted apps.' }, { Order: [] });
  expect(() => listAccess(schema, unknown)).toThrow(/Order: no scope was found in "Only for trusted apps."/);
});

test('the committed list contains only types and fields of the committed schema, in alphabetical order', async () => {
  const read = (name: string) => readFile(new URL(`../../src/shopify/${name}`, import.meta.url), 'utf8');
  const committed = buildSchema(await read('admin-2026-10.graphql'));
  const access = JSON.parse(await read('admin-2026-10-access.json')) as SchemaAccess;
  const isThere = (name: string) => {
    const [typeName = '', fieldName = ''] = name.split('.');
    const type = committed.getType(typeName);
    return (isObjectType(type) || isInterfaceType(type)) && (fieldName === '' || fieldName in type.getFields());
  };
  for (const names of [Object.keys(access.types), Object.keys(access.fields), access.protected]) {
    expect(names.filter((name) => !isThere(name))).toEqual([]);
    expect(names).toEqual(names.toSorted());
  }
  expect(access.types['Customer']).toEqual(['read_customers']);
  expect(access.protected).toContain('MailingAddress.address1');
});
