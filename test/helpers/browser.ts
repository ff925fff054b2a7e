import { existsSync } from 'node:fs';
import { chromium } from 'playwright-core';
import type { BrowserContext, Page, Response } from 'playwright-core';
import { describeDifferences, findDifferences, isApiCall } from './check-api.ts';

const CHROMIUM = '/usr/bin/chromium';
/** Disables updates, background services and name resolution except for loopback. */
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
];

export interface TestBrowser {
  context: BrowserContext;
  /** Requests that pages sent to other machines. The browser blocked them. */
  strayRequests: string[];
  /** Problems in pages: script errors, actions that the browser blocked and API calls that differ from the OpenAPI document. */
  problems: string[];
  close(): Promise<void>;
}

/** Opens headless Chromium for one test file. Throws if Chromium is not installed: see scripts/install-chromium.sh. */
export async function openBrowser(): Promise<TestBrowser> {
  if (!existsSync(CHROMIUM)) throw new Error(`${CHROMIUM} is missing. Run scripts/install-chromium.sh.`);
  const browser = await chromium.launch({ executablePath: CHROMIUM, headless: true, args: FLAGS });
  const context = await browser.newContext({
    locale: 'en-GB',
    timezoneId: 'Europe/Oslo',
    viewport: { width: 1100, height: 900 },
  });
  context.setDefaultTimeout(15_000);
  const strayRequests: string[] = [];
  const problems: string[] = [];
  await context.route(
    ({ hostname }) => hostname !== '127.0.0.1',
    async (route) => {
      strayRequests.push(route.request().url());
      await route.abort();
    },
  );
  context.on('page', (page) => watchProblems(page, problems));
  return { context, strayRequests, problems, close: () => browser.close() };
}

function watchProblems(page: Page, problems: string[]): void {
  page.on('pageerror', (error) => problems.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(message.text());
  });
  page.on('response', async (response) => {
    if (isApiCall(response.request().method(), response.url())) problems.push(...(await checkResponse(response)));
  });
}

async function checkResponse(response: Response): Promise<string[]> {
  // The browser no longer has the body of a download, or of a page that the user has left.
  const received = await response.text().catch(() => '');
  if (received === '') return [];
  const request = response.request();
  const exchange = { method: request.method(), url: response.url(), sent: request.postData(), received };
  const differences = findDifferences({
    ...exchange,
    status: response.status(),
    type: response.headers()['content-type'] ?? null,
    language: response.headers()['content-language'] ?? null,
  });
  return differences.length === 0 ? [] : [describeDifferences(exchange, differences)];
}
