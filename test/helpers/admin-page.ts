import { mkdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import type { Platen } from './platen.ts';

const DEMO = 'demo.myshopify.com';
/** Where to write screenshots. Without it, none are made. */
const SHOTS = process.env['PLATEN_SHOTS'];
const VIEWPORT = { width: 1100, height: 900 };

/** Opens one of the app's pages as a merchant does: the admin redirects to the app with a session token. */
export async function openAdmin(page: Page, platen: Platen, path = '', shop = DEMO): Promise<void> {
  await page.goto(`${platen.storeUrl}/${shop}/admin/apps/sandbox-app${path}`);
}

/** Writes screenshots of the page as on a desktop, on a phone and in dark mode, if the environment asks for them. */
export async function shoot(page: Page, name: string): Promise<void> {
  if (SHOTS === undefined) return;
  mkdirSync(SHOTS, { recursive: true });
  for (const [suffix, width, colorScheme] of [
    ['', VIEWPORT.width, 'light'],
    ['-phone', 375, 'light'],
    ['-dark', VIEWPORT.width, 'dark'],
  ] as const) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: VIEWPORT.height });
    await page.screenshot({ path: `${SHOTS}/${name}${suffix}.png`, fullPage: true });
  }
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize(VIEWPORT);
}

/** Expects no accessibility problem of serious or critical impact, in light and dark. */
export async function expectAccessible(page: Page): Promise<void> {
  const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
  // App Bridge's policy forbids injected scripts, so axe runs in the page's own context.
  await page.evaluate(axe);
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    const violations = await page.evaluate<{ id: string; impact: string; nodes: { html: string }[] }[]>(
      'axe.run({ resultTypes: ["violations"] }).then(({ violations }) => violations)',
    );
    const serious = violations.filter(({ impact }) => ['serious', 'critical'].includes(impact));
    expect([colorScheme, serious.map((one) => [one.id, one.nodes.map(({ html }) => html)])]).toEqual([colorScheme, []]);
  }
  await page.emulateMedia({ colorScheme: 'light' });
}

/** Expects that the page fits the widths of small phones. */
export async function expectNoSidewaysScroll(page: Page): Promise<void> {
  for (const width of [320, 375]) {
    await page.setViewportSize({ width, height: 800 });
    const content = await page.evaluate<number>('document.documentElement.scrollWidth');
    expect(content, `the content's width at ${width} px`).toBe(width);
  }
  await page.setViewportSize(VIEWPORT);
}
