import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { browser, open, page, platen, testPages } from '../helpers/admin-page.ts';

const DEMO = 'demo.myshopify.com';
testPages({ advanceSeconds: null });

const getAppUrl = async () =>
  ((await platen.control('store', 'POST', `/shops/${DEMO}/install`)) as { url: string }).url;

/** Serves a separate site that embeds the address in a frame, and returns the frame's content. */
async function readFrameContent(address: string): Promise<string> {
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html');
    response.end(`<!doctype html><iframe src="${address.replaceAll('&', '&amp;')}"></iframe>`);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
    return (await page.frames()[1]?.content()) ?? '';
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

test('the store’s own admin can show the app in a frame', async () => {
  const url = await getAppUrl();
  // The browser prompts for permission before a page from the public network can reach this machine.
  await browser.context.grantPermissions(['local-network-access']);
  await page.route(`https://${DEMO}/**`, (route) =>
    route.fulfill({ contentType: 'text/html', body: `<iframe src="${url.replaceAll('&', '&amp;')}"></iframe>` }),
  );
  await page.goto(`https://${DEMO}/admin/apps/platen`);
  await page.frameLocator('iframe').getByRole('heading', { name: 'Connections' }).waitFor();
  expect(browser.problems.join()).not.toContain('frame-ancestors');
});

test('no other site can show the app in a frame', async () => {
  expect(await readFrameContent(await getAppUrl())).not.toContain('Platen');
  expect(browser.problems.join()).toContain('frame-ancestors');
  expect(await readFrameContent(`${platen.url}/healthz`)).not.toContain('alive');
  // A response without this policy is displayed, which proves that the test can read the content of a frame.
  expect(await readFrameContent(`${platen.storeUrl}/app-bridge.js`)).toContain('idToken');
});

test('the page at the server’s own address links to the app in the admin', async () => {
  await page.goto(platen.url);
  await page.getByRole('link', { name: 'Open Platen in the demo store’s admin' }).click();
  await page.getByRole('heading', { name: 'Connections' }).waitFor();
  expect(browser.problems).toEqual([]);
});

test('the home page is readable without JavaScript, and states that changes need JavaScript', async () => {
  const context = await browser.context.browser()?.newContext({ javaScriptEnabled: false });
  if (!context) throw new Error('The browser was closed.');
  const plain = await context.newPage();
  await plain.goto(await getAppUrl());
  expect(await plain.locator('noscript p').innerText()).toContain('You need JavaScript');
  await plain.getByText('Your print account', { exact: true }).waitFor();
  await context.close();
});

test('the home page is readable while Shopify’s script is unreachable', async () => {
  await page.route('**/polaris.js', (route) => route.abort());
  await open();
  await page.getByText('Your print account', { exact: true }).waitFor();
  const box = await page.getByText('Your print account', { exact: true }).boundingBox();
  expect(box?.height).toBeGreaterThan(0);
});

test('markup in the print service’s comment on an order is shown as plain text', async () => {
  const markup = `<img src=x onerror="document.title='owned'"><b>bold</b>`;
  const { id, name } = await platen.placeSkus({ 'POSTER-30X40': 1 });
  await platen.untilState(id, 'printing');
  const [printed] = await platen.printedFor(name);
  await platen.control('print', 'POST', `/orders/${printed?.id}/advance`, { to: 'on_hold', comment: markup });
  await platen.untilState(id, 'held');
  for (const path of [`/orders/${id.split('/').at(-1)}`, '']) {
    await open(path);
    await page.getByText(`with the comment: ${markup}`).first().waitFor();
    expect(await page.locator('img, b').count()).toBe(0);
    expect(await page.title()).not.toBe('owned');
  }
});

test('a page whose session token is refused gets a new token and loads', async () => {
  const { name } = await platen.placeSkus({ 'POSTER-30X40': 1 });
  let refused = 0;
  await page.route('**/api/orders*', async (route) => {
    refused += 1;
    const { authorization: _, ...headers } = route.request().headers();
    await (refused === 1
      ? route.continue({ headers: { ...headers, authorization: 'Bearer expired' } })
      : route.continue());
  });
  await open('/orders');
  await page.getByRole('link', { name, exact: true }).waitFor();
  expect(refused).toBeGreaterThan(1);
});

test('the pages send no request to another machine', () => {
  expect(browser.strayRequests.filter((url) => !url.startsWith(`https://${DEMO}/`))).toEqual([]);
});
