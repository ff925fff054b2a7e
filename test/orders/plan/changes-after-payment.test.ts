import { expect, test } from 'vitest';
import { renderTable } from '../../flows/changes-after-payment.ts';

// `npx vitest run test/orders/plan/changes-after-payment.test.ts -u` writes the page anew.
test('the page about changes after payment is the table that is proved', async () => {
  await expect(renderTable()).toMatchFileSnapshot('../../../docs/merchants/changes-after-payment.md');
});
