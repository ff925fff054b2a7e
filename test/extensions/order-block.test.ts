// @vitest-environment jsdom
import { getExtension } from '@shopify/ui-extensions-tester';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

/** The page that the extension renders. The tests' types do not include those of a browser. */
const page = globalThis as unknown as { document: { body: { textContent: string } } };
const extension = getExtension('admin.order-details.block.render');

beforeEach(() => extension.setUp());

afterEach(() => {
  extension.tearDown();
  vi.unstubAllGlobals();
});

test('the block asks the merchant to reload the page if Platen cannot be reached', async () => {
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('fetch failed')));
  await extension.render();
  await expect.poll(() => page.document.body.textContent).toBe('failed');
});
