// @vitest-environment jsdom
import { getExtension } from '@shopify/ui-extensions-tester';
import { afterEach, beforeEach, expect, test } from 'vitest';

/** The page that the extension renders. The tests' types do not include those of a browser. */
const page = globalThis as unknown as { document: { body: { textContent: string } } };
const extension = getExtension('customer-account.order-status.block.render', {
  configSearchDir: 'extensions/order-status',
});
const id = 'gid://shopify/Order/1';

beforeEach(() => {
  extension.setUp();
  setEditor(undefined);
  setOrder({});
});

afterEach(() => extension.tearDown());

/** Sets an order with a property that the tester's order lacks, although Shopify's types have it. */
function setOrder({ cancelledAt }: { cancelledAt?: string }): void {
  Object.assign(extension.shopify.order, { value: { id, name: '#1', cancelledAt } });
}

/** Sets a property that the tester's extension lacks, although Shopify's types have it. */
function setEditor(editor: { type: 'checkout' } | undefined): void {
  const { target, apiVersion } = extension.shopify.extension;
  Object.assign(extension.shopify, { extension: { target, apiVersion, editor } });
}

/** Gives the order these metafields, and shows the block. */
async function show(values: Record<string, string>, { namespace = '$app', type = 'order' } = {}): Promise<string> {
  const entries = Object.entries(values).map(([key, value]) => ({
    target: { type: type as 'order', id },
    metafield: { namespace, key, value, valueType: 'string' as const, type: 'single_line_text_field' },
  }));
  Object.assign(extension.shopify.appMetafields, { value: entries });
  await extension.render();
  return page.document.body.textContent;
}

test.each([
  ['waiting', 'waiting'],
  ['printing', 'printing'],
  ['partly shipped', 'partlyShipped'],
  ['shipped', 'shipped'],
])('an order whose print status is %s has its own text', async (status, key) => {
  expect(await show({ print_status: status })).toBe(`states.${key}explain.${key}`);
});

test.each(['failed', 'canceled', 'something new', 'toString'])(
  'an order whose print status is %s shows nothing, because the merchant handles it',
  async (status) => {
    expect(await show({ print_status: status, delivery_until: '2999-01-01' })).toBe('');
  },
);

test('metafields of other apps and of other resources are ignored', async () => {
  expect(await show({ print_status: 'printing' }, { namespace: 'custom' })).toBe('');
  expect(await show({ print_status: 'printing' }, { type: 'product' })).toBe('');
});

test('a canceled order shows nothing', async () => {
  setOrder({ cancelledAt: '2026-11-20T10:00:00Z' });
  expect(await show({ print_status: 'printing' })).toBe('');
});

test('a buyer who is not signed in sees the state, because it contains no personal data', async () => {
  Object.assign(extension.shopify.authenticationState, { value: 'pre_authenticated' });
  expect(await show({ print_status: 'shipped' })).toContain('states.shipped');
});

test('a page whose order is not ready yet shows nothing until its metafields arrive', async () => {
  Object.assign(extension.shopify.order, { value: undefined });
  expect(await show({})).toBe('');
});

test.each([
  [{ delivery_from: '2999-01-01', delivery_until: '2999-01-04' }, 'between'],
  [{ delivery_from: '2999-01-04', delivery_until: '2999-01-04' }, 'on'],
  [{ delivery_until: '2999-01-04' }, 'by'],
  [{ delivery_from: '2999-01-05', delivery_until: '2999-01-04' }, 'by'],
  [{ delivery_from: '2999-01-05' }, ''],
  [{ delivery_from: '2020-01-01', delivery_until: '2020-01-04' }, ''],
  [{ delivery_until: 'soon' }, ''],
])('the days %j are shown with the text "%s"', async (days, key) => {
  expect(await show({ print_status: 'printing', ...days })).toBe(`states.printingexplain.printing${key}`);
});

test('the editor, whose order has no metafields, shows a sample and labels it as one', async () => {
  setEditor({ type: 'checkout' });
  expect(await show({})).toBe('states.printingexplain.printingbetweenpreview');
});
