import { afterEach, beforeAll, expect } from 'vitest';
import { buildExtensions } from '../../scripts/build-extensions.ts';
import { browser, page, platen, testPages } from './admin-page.ts';
import type { PlatenOptions } from './platen.ts';

/** Runs Platen, its built extensions and a browser for the tests of a file. */
export function testExtensions(options: PlatenOptions = {}): void {
  beforeAll(async () => void (await buildExtensions()), 120_000);
  testPages(options);
  afterEach(() => expect(browser.problems).toEqual([]));
}

/** Shows an extension in one of its targets, with these resources selected in the admin. */
export async function openExtension(
  handle: string,
  { target, ids, locale = 'en' }: { target: string; ids: readonly string[]; locale?: 'en' | 'de' },
): Promise<void> {
  const query = new URLSearchParams({ target, locale });
  for (const id of ids) query.append('id', id);
  await page.goto(`${platen.storeUrl}/demo.myshopify.com/admin/extensions/${handle}?${query.toString()}`);
}

/** Shows an extension on the page of a buyer's order. Without an order, shows it in the editor. */
export async function openBuyerExtension(
  handle: string,
  {
    target,
    id,
    locale = 'en',
    isSignedIn = true,
  }: { target: string; id: string | null; locale?: string; isSignedIn?: boolean },
): Promise<void> {
  const authentication = isSignedIn ? 'fully_authenticated' : 'pre_authenticated';
  const order = id === null ? { editor: 'checkout' } : { order: id.slice(id.lastIndexOf('/') + 1) };
  const query = new URLSearchParams({ target, locale, authentication, ...order });
  await page.goto(`${platen.storeUrl}/demo.myshopify.com/account/extensions/${handle}?${query.toString()}`);
}
