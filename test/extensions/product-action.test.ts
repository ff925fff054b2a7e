// @vitest-environment jsdom
import { join } from 'node:path';
import { getExtension } from '@shopify/ui-extensions-tester';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

/** The page that the extension renders. The tests' types do not include those of a browser. */
const page = globalThis as unknown as {
  document: { body: { textContent: string }; querySelector: (selector: string) => { click: () => void } | null };
};
const extension = getExtension('admin.product-details.action.render', {
  configSearchDir: join(import.meta.dirname, '../../extensions/product-printing'),
});
const variant = { variantId: '1', title: 'A3', sku: null, printLink: null, connection: null };

beforeEach(() => extension.setUp());

afterEach(() => {
  extension.tearDown();
  vi.unstubAllGlobals();
});

/** Saves the link of a variant for which this many orders are waiting. */
async function saveLinkWithWaitingOrders(waiting: object | undefined): Promise<void> {
  vi.stubGlobal('fetch', (_: string, { method }: { method: string }) =>
    Promise.resolve(
      Response.json(method === 'GET' ? { variants: [variant], next: null } : { variantId: '1', waiting }),
    ),
  );
  await extension.render();
  await expect.poll(() => page.document.body.textContent).toContain('A3');
  page.document.querySelector('[slot="primary-action"]')?.click();
}

test('the dialog stays open while orders are waiting for the saved link', async () => {
  const close = vi.spyOn(extension.shopify, 'close');
  await saveLinkWithWaitingOrders({ orders: 2, since: '2026-11-01T00:00:00Z' });
  await expect.poll(() => page.document.body.textContent).toContain('waiting');
  expect(close).not.toHaveBeenCalled();
});

test('the dialog closes if no order is waiting for the saved link', async () => {
  const close = vi.spyOn(extension.shopify, 'close');
  await saveLinkWithWaitingOrders(undefined);
  await expect.poll(() => close.mock.calls.length).toBe(1);
});
