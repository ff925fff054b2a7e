import { expect, test } from 'vitest';
import { toTrackingInfo } from '../../src/shipments/to-tracking-info.ts';

const code = (number: string, url: string | null, company: string | null = null) => ({ number, url, company });

test('codes and URLs pair by position', () => {
  const tracking = [code('P1', 'https://track.example/P1'), code('P2', 'https://track.example/P2')];
  expect(toTrackingInfo(tracking)).toEqual({
    numbers: ['P1', 'P2'],
    urls: ['https://track.example/P1', 'https://track.example/P2'],
  });
});

test('unless every code has a URL, no URLs are sent, so that none is shown with the wrong code', () => {
  expect(toTrackingInfo([code('P1', null), code('P2', 'https://track.example/P2')])).toEqual({ numbers: ['P1', 'P2'] });
});

test('a company shared by all codes is named', () => {
  expect(toTrackingInfo([code('P1', null, 'UPS'), code('P2', null, 'UPS')]).company).toBe('UPS');
});

test('no company is named for codes of two companies or with an unknown one', () => {
  expect(toTrackingInfo([code('P1', null, 'UPS'), code('P2', null, 'USPS')])).not.toHaveProperty('company');
  expect(toTrackingInfo([code('P1', null, 'UPS'), code('P2', null)])).not.toHaveProperty('company');
});

test('an existing company is kept', () => {
  expect(toTrackingInfo([code('P1', null, 'UPS'), code('P2', null)], 'My Courier').company).toBe('My Courier');
});
