import { expect, test } from 'vitest';
import { renderTable } from '../../flows/changes/changes-after-payment.ts';

// `npx vitest run test/orders/plan/changes-after-payment.test.ts -u` updates the page.
test('the page about changes after payment contains the table that the tests check', async () => {
  await expect(renderTable()).toMatchFileSnapshot('../../../docs/merchants/changes-after-payment.md');
});
