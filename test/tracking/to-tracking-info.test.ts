import { expect, test } from 'vitest';
import { toTrackingInfo } from '../../src/tracking/to-tracking-info.ts';

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

test.each([
  ['https://www.ups.com/track?tracknum=1Z', 'UPS'],
  ['https://tools.usps.com/go/TrackConfirmAction', 'USPS'],
  ['https://www.royalmail.com/track-your-item', 'Royal Mail'],
])('the company of %s is %s', (url, company) => {
  expect(toTrackingInfo([code('P1', url)]).company).toBe(company);
});

test.each(['https://track.example/ups.com', 'https://notups.com/x', 'https://ups.com.example/x'])(
  'no company is made up for %s',
  (url) => {
    expect(toTrackingInfo([code('P1', url)])).not.toHaveProperty('company');
  },
);

test('codes of two companies name none', () => {
  const tracking = [code('P1', 'https://ups.com/1'), code('P2', 'https://usps.com/2')];
  expect(toTrackingInfo(tracking)).not.toHaveProperty('company');
});

test('a company that the store has is kept', () => {
  expect(toTrackingInfo([code('P1', null, 'My Courier'), code('P2', null)]).company).toBe('My Courier');
});
