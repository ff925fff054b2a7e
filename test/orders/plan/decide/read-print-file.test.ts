import { describe, expect, test } from 'vitest';
import { planOrder } from '../../../../src/orders/plan/decide/plan-order.ts';
import type { PlanInput } from '../../../../src/orders/plan/decide/plan.ts';
import { findPrintFile, readPrintFile } from '../../../../src/orders/plan/decide/read-print-file.ts';
import { fillSettings } from '../../../../src/shops/settings/settings-schema.ts';
import { lineItem, planInput } from '../plan-input.ts';

const allowed = { printFileProperty: '_print_file', printFileHosts: ['files.example', '*.uploads.example'] };
const settings = { ...fillSettings({ delayMinutes: 0, ...allowed }), currency: 'USD' };
const withFile = (...values: (string | null)[]) => ({
  customAttributes: [
    { key: 'Engraving', value: 'https://evil.example/a.pdf' },
    ...values.map((value) => ({ key: '_print_file', value })),
  ],
});

/** Reads the print file of a line that is not in a bundle. */
const readAlone = (line: ReturnType<typeof withFile>, shop: Parameters<typeof readPrintFile>[2]) =>
  readPrintFile({ lineItems: [] }, { ...line, lineItemGroup: null }, shop);

describe('the print file of a line', () => {
  test.each([
    ['on an allowed host', 'https://files.example/a.pdf?sig=%2Fx', 'https://files.example/a.pdf?sig=%2Fx'],
    [
      'on a host that matches an allowed wildcard',
      'https://eu.Uploads.example/a.pdf',
      'https://eu.uploads.example/a.pdf',
    ],
    ['with surrounding spaces', ' https://files.example/a.pdf ', 'https://files.example/a.pdf'],
    [
      'as normalized by the URL parser',
      'https://files.example\\@evil.example/a.pdf',
      'https://files.example/@evil.example/a.pdf',
    ],
  ])('a print file is accepted %s', (_, value, url) => {
    expect(readAlone(withFile(value), allowed)).toEqual({ url, fault: null });
  });

  test.each([
    ['if it is empty', '', /empty/],
    ['if it has no value', null, /empty/],
    ['if it is not a URL', 'my dog.jpg', /not the address of a file/],
    ['if its URL does not use https', 'http://files.example/a.pdf', /https/],
    ['if its URL is a script', 'javascript:alert(1)', /not the address|https/],
    ['on another host', 'https://evil.example/a.pdf', /host/],
    ['on a host whose name only ends with an allowed name', 'https://evilfiles.example/a.pdf', /host/],
    ['on the parent domain of an allowed wildcard', 'https://uploads.example/a.pdf', /host/],
    ['on a subdomain of a host that is allowed exactly', 'https://a.files.example/a.pdf', /host/],
    ['if its URL has a port', 'https://files.example:8443/a.pdf', /port/],
    ['if its URL has a password', 'https://files.example:x@evil.example/a.pdf', /password/],
    ['if it is too long', `https://files.example/${'a'.repeat(2_048)}`, /2048 characters/],
    ['if it is too long once encoded', `https://files.example/${'é'.repeat(1_000)}`, /2048 characters/],
  ])('a print file is refused %s, and the message does not repeat the file', (_, value, fault) => {
    const read = readAlone(withFile(value), allowed);
    expect(read).toEqual({ url: null, fault: expect.stringMatching(fault) });
    expect(read?.fault).not.toMatch(/evil|dog/);
  });

  test('two different print files on a line are refused, but the same file twice is accepted', () => {
    const one = 'https://files.example/a.pdf';
    expect(readAlone(withFile(one, 'https://files.example/b.pdf'), allowed)?.fault).toMatch(/more than one/);
    expect(readAlone(withFile(one, one), allowed)?.url).toBe(one);
  });

  test('a line has no print file if the shop has set no property or the line lacks the property', () => {
    expect(readAlone(withFile('https://evil.example'), { ...allowed, printFileProperty: null })).toBeNull();
    expect(readAlone(withFile(), allowed)).toBeNull();
  });
});

describe('the print file in the property that the setting named when the order was placed', () => {
  const BEFORE = 'https://files.example/before.pdf';
  const NOW = { key: '_design_file', value: 'https://files.example/now.pdf' };
  const renamed = { ...allowed, printFileProperty: NOW.key };
  const none = { ...allowed, printFileProperty: null };
  const find = (
    customAttributes: { key: string; value: string }[],
    shop: typeof allowed | typeof none,
    formerFileProperties = ['_print_file'],
  ) => {
    const line = lineItem('a', { customAttributes });
    const { order } = planInput({ lineItems: [line] });
    return findPrintFile({ order, settings: { ...settings, ...shop }, formerFileProperties }, line);
  };
  const before = { key: '_print_file', value: BEFORE };

  test.each([
    ['names another property', renamed],
    ['names no property', none],
  ])('a print file in the former property is still used when the setting %s', (_, shop) => {
    expect(find([before], shop)).toEqual({ url: BEFORE, fault: null });
    expect(find([before], shop, ['_other', '_print_file'])).toEqual({ url: BEFORE, fault: null });
  });

  test('a print file in the current property, valid or not, takes precedence over the former property', () => {
    expect(find([before, NOW], renamed)?.url).toBe(NOW.value);
    expect(find([before, { ...NOW, value: 'https://evil.example/now.pdf' }], renamed)?.fault).toMatch(/host/);
  });

  test('the former property is not used for an order placed later or for a line without a file', () => {
    expect(find([before], renamed, [])).toBeNull();
    expect(find([], renamed)).toBeNull();
  });
});

describe('an order with print files in its line properties', () => {
  const variant = { id: 'variant-a' };
  const plan = (files: (string | null)[], change: Partial<PlanInput> = {}) => {
    const lineItems = files.map((file, index) => lineItem(`${index}`, { variant, ...withFile(file) }));
    return planOrder(planInput({ lineItems }, { settings, ...change }));
  };

  describe('an order with a print file in the properties of a bundle', () => {
    const FILE = 'https://files.example/bundle.pdf';
    const inBundle = (id: string, file: string | null) => ({
      lineItemGroup: { id, ...(file === null ? { customAttributes: [] } : withFile(file)) },
    });
    const planBundle = (...lines: Partial<ReturnType<typeof lineItem>>[]) => {
      const lineItems = lines.map((line, index) => lineItem(`${index}`, { variant, ...line }));
      return planOrder(planInput({ lineItems }, { settings }));
    };

    test("a bundle file is refused if the bundle has several lines, and the print link's file is not used", () => {
      const { wanted, holds } = planBundle(inBundle('box', FILE), inBundle('box', FILE));
      expect(wanted).toEqual([]);
      expect(holds).toMatchObject(
        ['0', '1'].map((shopifyLineItemId) => ({ code: 'print_file_refused', field: 'fileUrl', shopifyLineItemId })),
      );
      expect(holds[0]?.message).toMatch(/SKU-0.*_print_file.*whole bundle.*add it to that line instead/);
      expect(JSON.stringify(holds)).not.toContain('files.example');
    });

    test("a bundle file is refused even if the bundle's other line is not printed or was removed", () => {
      const own = { variant: { id: 'variant-b' } };
      const lineItems = [
        lineItem('0', { variant, ...inBundle('box', FILE) }),
        lineItem('1', { ...own, currentQuantity: 0, ...inBundle('box', FILE) }),
      ];
      const connections = new Map([['variant-b', 'ignored' as const]]);
      const { wanted, holds } = planOrder(planInput({ lineItems }, { settings, connections }));
      expect([wanted, holds]).toMatchObject([[], [{ code: 'print_file_refused', shopifyLineItemId: '0' }]]);
    });

    test("a line is printed with the bundle's file if it is the bundle's only line", () => {
      const { wanted, holds } = planBundle(inBundle('box', FILE), inBundle('other', null));
      expect(holds).toEqual([]);
      expect(wanted[0]?.items.map(({ fileUrl, isOwnFile }) => [fileUrl, isOwnFile])).toEqual([
        [FILE, true],
        ['https://files.example/a.pdf', false],
      ]);
    });

    test('the lines of a bundle are printed with their own files if each has one', () => {
      const files = ['https://files.example/b.pdf', 'https://files.example/c.pdf'];
      const lines = files.map((file) => ({ ...withFile(file), ...inBundle('box', FILE) }));
      expect(planBundle(...lines).wanted[0]?.items).toMatchObject(files.map((fileUrl) => ({ fileUrl })));
    });
  });

  test("a line with an unusable file is held, and the print link's file is not used instead", () => {
    const { wanted, holds } = plan(['https://evil.example/a.pdf']);
    expect(wanted).toEqual([]);
    expect(holds).toMatchObject([{ code: 'print_file_refused', field: 'fileUrl', shopifyLineItemId: '0' }]);
    expect(holds[0]?.message).toMatch(/SKU-0.*_print_file.*host/);
    expect(JSON.stringify(holds)).not.toContain('evil');
  });

  test('an unusable file does not hold a line once all of its units were sent to print', () => {
    const print = { shopifyLineItemId: '0', quantity: 2, fulfilledBefore: 0, shopifyFulfillmentOrderId: 'fo' };
    const prints = [{ ...print, isReplaceable: false, isOfThisInstall: true }];
    expect(plan(['https://evil.example/a.pdf'], { prints })).toMatchObject({ holds: [], wanted: [] });
  });
});
