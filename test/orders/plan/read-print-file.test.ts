import { describe, expect, test } from 'vitest';
import { planOrder } from '../../../src/orders/plan/plan-order.ts';
import { hashPlan } from '../../../src/orders/plan/hash-plan.ts';
import type { PlanInput } from '../../../src/orders/plan/plan.ts';
import { readPrintFile } from '../../../src/orders/plan/read-print-file.ts';
import { fillSettings } from '../../../src/shops/settings-schema.ts';
import { lineItem, planInput } from './plan-input.ts';

const allowed = { printFileProperty: '_print_file', printFileHosts: ['files.example', '*.uploads.example'] };
const settings = { ...fillSettings({ delayMinutes: 0, ...allowed }), currency: 'USD' };
const withFile = (...values: (string | null)[]) => ({
  customAttributes: [
    { key: 'Engraving', value: 'https://evil.example/a.pdf' },
    ...values.map((value) => ({ key: '_print_file', value })),
  ],
});

describe('the print file of a line', () => {
  test.each([
    ['of a host that is allowed', 'https://files.example/a.pdf?sig=%2Fx', 'https://files.example/a.pdf?sig=%2Fx'],
    ['of a host under an allowed name', 'https://eu.Uploads.example/a.pdf', 'https://eu.uploads.example/a.pdf'],
    ['with spaces around it', ' https://files.example/a.pdf ', 'https://files.example/a.pdf'],
    ['as it was read', 'https://files.example\\@evil.example/a.pdf', 'https://files.example/@evil.example/a.pdf'],
  ])('is taken %s', (_, value, url) => {
    expect(readPrintFile(withFile(value), allowed)).toEqual({ url, fault: null });
  });

  test.each([
    ['that is empty', '', /empty/],
    ['that has no value', null, /empty/],
    ['that is no address', 'my dog.jpg', /not the address of a file/],
    ['that is not https', 'http://files.example/a.pdf', /https/],
    ['of a script', 'javascript:alert(1)', /not the address|https/],
    ['of another host', 'https://evil.example/a.pdf', /host/],
    ['of a host that only ends like an allowed one', 'https://evilfiles.example/a.pdf', /host/],
    ['of a name whose hosts are allowed', 'https://uploads.example/a.pdf', /host/],
    ['of a host under one that is allowed alone', 'https://a.files.example/a.pdf', /host/],
    ['at another port', 'https://files.example:8443/a.pdf', /host/],
    ['with a password', 'https://files.example:x@evil.example/a.pdf', /password/],
    ['that is too long', `https://files.example/${'a'.repeat(2_048)}`, /2048 characters/],
    ['that is too long once it is encoded', `https://files.example/${'é'.repeat(1_000)}`, /2048 characters/],
  ])('is refused %s, in words that do not repeat it', (_, value, fault) => {
    const read = readPrintFile(withFile(value), allowed);
    expect(read).toEqual({ url: null, fault: expect.stringMatching(fault) });
    expect(read?.fault).not.toMatch(/evil|dog/);
  });

  test('is refused when there are two, and taken when one is said twice', () => {
    const one = 'https://files.example/a.pdf';
    expect(readPrintFile(withFile(one, 'https://files.example/b.pdf'), allowed)?.fault).toMatch(/more than one/);
    expect(readPrintFile(withFile(one, one), allowed)?.url).toBe(one);
  });

  test('is nobody’s where the shop has set no property, or the line does not have it', () => {
    expect(readPrintFile(withFile('https://evil.example'), { ...allowed, printFileProperty: null })).toBeNull();
    expect(readPrintFile(withFile(), allowed)).toBeNull();
  });

  test('is of no host while none is allowed', () => {
    const none = { ...allowed, printFileHosts: [] };
    expect(readPrintFile(withFile('https://files.example/a.pdf'), none)?.fault).toMatch(/host/);
  });
});

describe('an order whose lines bring their print files', () => {
  const variant = { id: 'variant-a' };
  const plan = (files: (string | null)[], change: Partial<PlanInput> = {}) => {
    const lineItems = files.map((file, index) => lineItem(`${index}`, { variant, ...withFile(file) }));
    return planOrder(planInput({ lineItems }, { settings, ...change }));
  };

  test('is printed with the product of its variant, and for each line with its own file', () => {
    const files = ['https://files.example/a.pdf', 'https://files.example/b.pdf'];
    const [wanted] = plan(files).wanted;
    expect(wanted?.items).toMatchObject(
      files.map((fileUrl) => ({ productUid: 'product-variant-a', fileUrl, isOwnFile: true, quantity: 2 })),
    );
  });

  test('another file makes another plan', () => {
    const address = {
      firstName: 'Ada',
      lastName: 'Miller',
      addressLine1: '1',
      city: 'B',
      postCode: '1',
      country: 'DE',
    };
    const hashes = ['a', 'b'].map((file) => {
      const items = plan([`https://files.example/${file}.pdf`]).wanted.flatMap((one) => one.items);
      return hashPlan(items, { ...address, email: 'ada@example.com' }, settings);
    });
    expect(hashes[0]).not.toBe(hashes[1]);
  });

  test('is held for a file that cannot be used, and not printed with that of the print link', () => {
    const { wanted, holds } = plan(['https://evil.example/a.pdf']);
    expect(wanted).toEqual([]);
    expect(holds).toMatchObject([{ code: 'print_file_refused', field: 'fileUrl', shopifyLineItemId: '0' }]);
    expect(holds[0]?.message).toMatch(/SKU-0.*_print_file.*host/);
    expect(JSON.stringify(holds)).not.toContain('evil');
  });

  test('is not held for it once all of the line was sent to print', () => {
    const print = { shopifyLineItemId: '0', quantity: 2, fulfilledBefore: 0, shopifyFulfillmentOrderId: 'fo' };
    const prints = [{ ...print, isReplaceable: false, isOfThisInstall: true }];
    expect(plan(['https://evil.example/a.pdf'], { prints })).toMatchObject({ holds: [], wanted: [] });
  });

  test('a line that is not ours may carry anything', () => {
    const connections = new Map([['variant-a', 'ignored' as const]]);
    expect(plan(['https://evil.example/a.pdf'], { connections })).toMatchObject({ reason: 'no_line_of_ours' });
  });
});
