import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import { openBrowser, type TestBrowser } from './browser.ts';
import { startPlaten, type Platen, type PlatenOptions } from './platen.ts';

const DEMO = 'demo.myshopify.com';
const VIEWPORT = { width: 1100, height: 900 };

/** Set by `testPages` for the tests of a file. */
export let platen: Platen;
export let browser: TestBrowser;
/** A new page for each test. */
export let page: Page;

/** Runs Platen and a browser for the tests of a file. */
export function testPages(options: PlatenOptions = {}): void {
  beforeAll(async () => {
    platen = await startPlaten({ time: 'real', ...options, settings: { delayMinutes: 0, ...options.settings } });
    browser = await openBrowser();
  }, 120_000);
  afterAll(async () => {
    await browser.close();
    await platen.stop();
  });
  beforeEach(async () => {
    browser.problems.length = 0;
    page = await browser.context.newPage();
  });
  afterEach(() => page.close());
}

/** Opens one of the app's pages as a merchant would: the admin redirects to the app with a session token. */
export async function open(path = '', shop = DEMO): Promise<void> {
  await openAdmin(page, platen, path, shop);
}

/** Opens the current page again while the admin's language is German. */
export async function openInGerman(): Promise<void> {
  const german = new URL(page.url());
  german.searchParams.set('locale', 'de');
  german.searchParams.delete('id_token');
  await page.goto(german.href);
  await page.locator('html[lang=de]').waitFor();
}

/** Opens one of the app's pages in the given browser page. */
export async function openAdmin(one: Page, { storeUrl }: Platen, path = '', shop = DEMO): Promise<void> {
  await one.goto(`${storeUrl}/${shop}/admin/apps/sandbox-app${path}`);
}

/** Expects no accessibility problem with serious or critical impact, in light and dark mode. */
export async function expectAccessible(): Promise<void> {
  const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
  // App Bridge's policy forbids injected scripts, so axe runs in the page's own context.
  await page.evaluate(axe);
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    // Only the colors depend on the mode.
    const rules = colorScheme === 'dark' ? ', runOnly: ["color-contrast"]' : '';
    const violations = await page.evaluate<{ id: string; impact: string; nodes: { html: string }[] }[]>(
      `axe.run({ resultTypes: ["violations"]${rules} }).then(({ violations }) => violations)`,
    );
    const serious = violations.filter(({ impact }) => ['serious', 'critical'].includes(impact));
    expect([colorScheme, serious.map((one) => [one.id, one.nodes.map(({ html }) => html)])]).toEqual([colorScheme, []]);
  }
  await page.emulateMedia({ colorScheme: 'light' });
}

/** Expects that the page does not scroll sideways at the widths of small phones. */
export async function expectNoSidewaysScroll(): Promise<void> {
  for (const width of [320, 375]) {
    await page.setViewportSize({ width, height: 800 });
    const content = await page.evaluate<number>('document.documentElement.scrollWidth');
    expect(content, `the content's width at ${width} px`).toBe(width);
  }
  await page.setViewportSize(VIEWPORT);
}
