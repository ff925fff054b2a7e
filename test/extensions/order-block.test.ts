// @vitest-environment jsdom
import { getExtension } from '@shopify/ui-extensions-tester';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

const extension = getExtension('admin.order-details.block.render');

beforeEach(() => extension.setUp());

afterEach(() => {
  extension.tearDown();
  vi.unstubAllGlobals();
});

test('the block asks the merchant to reload the page if Platen cannot be reached', async () => {
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('fetch failed')));
  await extension.render();
  await expect.poll(() => document.body.textContent).toBe('failed');
});
