import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { browser, open, page, platen, testPages } from '../helpers/admin-page.ts';

// Checks Shopify's limits for pages in the admin on a CPU that is slowed down to a quarter of its speed.

const SLOWER = 4;
const LARGEST_PAINT_MS = 2_500;
const MOST_SHIFT = 0.1;
const LONGEST_INTERACTION_MS = 200;
const MOST_SCRIPT_BYTES = 100_000;

testPages();

/** Runs in the page before the page's own scripts, and stores the measurements in `window.vitals`. */
const WATCH = `
  window.vitals = { paint: 0, shift: 0, interaction: 0 };
  const watch = (type, note, more) => new PerformanceObserver((list) => list.getEntries().forEach(note)).observe({ type, buffered: true, ...more });
  watch('largest-contentful-paint', (entry) => { window.vitals.paint = entry.startTime; });
  watch('layout-shift', (entry) => { if (!entry.hadRecentInput) window.vitals.shift += entry.value; });
  watch('event', (entry) => { if (entry.interactionId) window.vitals.interaction = Math.max(window.vitals.interaction, entry.duration); }, { durationThreshold: 16 });
`;

const readVitals = () => page.evaluate<{ paint: number; shift: number; interaction: number }>('window.vitals');

test('the home page paints early, has a stable layout and responds quickly', async () => {
  for (let count = 0; count < 3; count += 1) {
    const { id } = await platen.placeSkus({ 'POSTER-30X40': 1 });
    await platen.untilState(id, 'fulfilled');
  }
  const devtools = await browser.context.newCDPSession(page);
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: SLOWER });
  await page.addInitScript(WATCH);
  await open();
  // Wait for the charts, so that the measured layout shift includes them.
  await page.getByText('paid by buyers').waitFor();
  await page.getByRole('button', { name: 'Show as a table' }).first().click();
  await page.getByRole('button', { name: 'Hide the table' }).click();
  // The browser reports an interaction once its frame has been painted.
  await expect.poll(async () => (await readVitals()).interaction).toBeGreaterThan(0);
  const { paint, shift, interaction } = await readVitals();
  expect(paint).toBeGreaterThan(0);
  expect(paint).toBeLessThan(LARGEST_PAINT_MS);
  expect(shift).toBeLessThan(MOST_SHIFT);
  expect(interaction).toBeLessThan(LONGEST_INTERACTION_MS);
});

test('the pages need less than 100 kB of compressed JavaScript', async () => {
  await open();
  const address = await page.locator('script[src^="/assets/"]').getAttribute('src');
  const script = await (await fetch(`${platen.url}${address}`)).arrayBuffer();
  expect(gzipSync(script).length).toBeLessThan(MOST_SCRIPT_BYTES);
});
