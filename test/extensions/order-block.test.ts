// @vitest-environment jsdom
import { join } from 'node:path';
import { getExtension } from '@shopify/ui-extensions-tester';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

/** The page that the extension renders. The tests' types do not include those of a browser. */
const page = globalThis as unknown as {
  document: { body: { textContent: string }; querySelector: (selector: string) => { click: () => void } | null };
};
const extension = getExtension('admin.order-details.block.render', {
  configSearchDir: join(import.meta.dirname, '../../extensions/order-block'),
});

beforeEach(() => extension.setUp());

afterEach(() => {
  extension.tearDown();
  vi.unstubAllGlobals();
});

test('if an action gets no response, the block says that the outcome is uncertain and reloads the order', async () => {
  const requests: string[] = [];
  const said = { code: 'step_failing', reference: null, message: 'It waits.', remedy: '' };
  const hold = { ...said, actions: ['retry'], steps: [], variant: null };
  const order = { orderId: '1', state: 'held', reason: null, actions: [], holds: [hold], printOrders: [], costs: null };
  vi.stubGlobal('fetch', (_: string, { method }: { method: string }) => {
    requests.push(method);
    return method === 'GET' ? Promise.resolve(Response.json(order)) : Promise.reject(new TypeError('fetch failed'));
  });
  await extension.render();
  await expect.poll(() => page.document.querySelector('s-button')).not.toBeNull();
  page.document.querySelector('s-button')?.click();
  await expect.poll(() => page.document.body.textContent).toContain('uncertain');
  await expect.poll(() => requests).toEqual(['GET', 'POST', 'GET']);
});

test('after the approval of an order that stays on hold, the block says why it is not printed', async () => {
  const said = { code: 'no_address', reference: null, message: 'It waits.', remedy: '' };
  const hold = { ...said, actions: ['retry'], steps: [], variant: null };
  const order = { orderId: '1', state: 'held', reason: null, actions: [], holds: [hold], printOrders: [], costs: null };
  const result = { action: 'approve', done: ['#1 is approved.'], stillHeld: ['The order has no address.'] };
  vi.stubGlobal('fetch', (_: string, { method }: { method: string }) =>
    Promise.resolve(Response.json(method === 'GET' ? order : result)),
  );
  await extension.render();
  await expect.poll(() => page.document.querySelector('s-button')).not.toBeNull();
  page.document.querySelector('s-button')?.click();
  await expect.poll(() => page.document.body.textContent).toContain('stillHeld');
  expect(page.document.body.textContent).not.toContain('#1 is approved.');
});

test('the block asks the merchant to reload the page if Platen cannot be reached', async () => {
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('fetch failed')));
  await extension.render();
  await expect.poll(() => page.document.body.textContent).toBe('failed');
});
