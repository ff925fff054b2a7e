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

test('without a URL for each code none is given, so that none stands beside the wrong code', () => {
  expect(toTrackingInfo([code('P1', null), code('P2', 'https://track.example/P2')])).toEqual({ numbers: ['P1', 'P2'] });
});

test('the company of all codes is named', () => {
  expect(toTrackingInfo([code('P1', null, 'UPS'), code('P2', null, 'UPS')]).company).toBe('UPS');
});

test('codes of two companies name none, nor does one whose company is not known', () => {
  expect(toTrackingInfo([code('P1', null, 'UPS'), code('P2', null, 'USPS')])).not.toHaveProperty('company');
  expect(toTrackingInfo([code('P1', null, 'UPS'), code('P2', null)])).not.toHaveProperty('company');
});

test('a company that is to be kept is', () => {
  expect(toTrackingInfo([code('P1', null, 'UPS'), code('P2', null)], 'My Courier').company).toBe('My Courier');
});
