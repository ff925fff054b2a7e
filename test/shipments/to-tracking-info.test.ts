import { expect, test } from 'vitest';
import { toTrackingInfo } from '../../src/shipments/to-tracking-info.ts';

const code = (number: string, url: string | null, company: string | null = null) => ({ number, url, company });

test("no URLs are sent unless every code has a URL, so that no code is shown with another code's URL", () => {
  expect(toTrackingInfo([code('P1', null), code('P2', 'https://track.example/P2')])).toEqual({ numbers: ['P1', 'P2'] });
});

test('the company that all codes share is named', () => {
  expect(toTrackingInfo([code('P1', null, 'UPS'), code('P2', null, 'UPS')]).company).toBe('UPS');
});

test('no company is named if the codes belong to two companies or to an unknown company', () => {
  expect(toTrackingInfo([code('P1', null, 'UPS'), code('P2', null, 'USPS')])).not.toHaveProperty('company');
  expect(toTrackingInfo([code('P1', null, 'UPS'), code('P2', null)])).not.toHaveProperty('company');
});
