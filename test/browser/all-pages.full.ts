import { expect, test } from 'vitest';
import {
  browser,
  expectAccessible,
  expectNoSidewaysScroll,
  open,
  openInGerman,
  page,
  testPages,
} from '../helpers/admin-page.ts';
import { ALL_PAGES, expectEmbedded, placeHeldOrder, untilShown } from './all-pages.ts';

testPages({ advanceSeconds: null });

/** Common English words that no German text contains. Nearly every English sentence has at least one of them. */
const ENGLISH = /\b(the|is|are|and|of|to|with|your|not|it)\b/i;

let order: string | null = null;

test.each(ALL_PAGES)(
  'the page at "%s" follows the rules for embedded apps, is accessible in light and dark mode, fits a phone and is in German in a German admin',
  async (path) => {
    order ??= await placeHeldOrder();
    const at = path.replace(':order', order);
    await open(at);
    await expectEmbedded(path);
    await expectAccessible();
    await expectNoSidewaysScroll();
    await openInGerman();
    await untilShown();
    const texts = await page.locator('s-paragraph, s-banner, s-badge').allInnerTexts();
    expect(texts.filter((text) => ENGLISH.test(text))).toEqual([]);
    expect(browser.problems).toEqual([]);
  },
);
