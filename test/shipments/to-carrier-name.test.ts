import { describe, expect, test } from 'vitest';
import { toCarrierName } from '../../src/shipments/to-carrier-name.ts';

const ofUrl = (trackingUrl: string) =>
  toCarrierName({ shipmentMethodUid: null, shipmentMethodName: null, trackingUrl });
const ofMethod = (shipmentMethodUid: string | null, shipmentMethodName: string | null = null) =>
  toCarrierName({ shipmentMethodUid, shipmentMethodName, trackingUrl: null });

describe('the carrier from the tracking URL', () => {
  test.each([
    ['https://www.ups.com/track?tracknum=1Z', 'UPS'],
    ['https://tools.usps.com/go/TrackConfirmAction', 'USPS'],
    ['https://www.dhl.de/de/privatkunden.html?piececode=1', 'DHL'],
    ['https://portal.postnord.com/tracking/details/1', 'Portal PostNord'],
    ['https://www.dpdlocal.co.uk/apps/tracking/', 'DPD Local'],
    ['https://www.dpd.co.uk/apps/tracking/', 'DPD UK'],
  ])('the tracking URL %s names the carrier %s', (url, company) => {
    expect(ofUrl(url)).toBe(company);
  });

  test.each(['https://track.example/ups.com', 'https://notups.com/x', 'https://ups.com.example/x', 'no url', ''])(
    'the tracking URL %s names no carrier',
    (url) => {
      expect(ofUrl(url)).toBeNull();
    },
  );
});

describe('the carrier from the shipping method if the tracking URL is unknown', () => {
  test.each([
    ['fed_ex_smart_post', 'SmartPost', 'FedEx'],
    ['royal_mail_tracked_48', 'Royal Mail Tracked 48', 'Royal Mail'],
    ['ups_surepost', 'UPS Surepost', 'UPS'],
    ['dhl_parcel', 'DHL Parcel', 'DHL'],
    ['dhl_express_worldwide', 'DHL Express Worldwide', 'DHL Express'],
    ['tnt_parcel', 'PostNL Standard', 'PostNL'],
    ['tnt_express', 'TNT Express', 'TNT'],
    ['australia_post_parcel', 'Australia Post Parcel', 'Australia Post'],
    ['ups', null, 'UPS'],
  ])('the shipping method with the UID %s and the name %s names the carrier %s', (uid, name, company) => {
    expect(ofMethod(uid, name)).toBe(company);
  });

  test.each([
    ['upsell_parcel', null],
    ['normal', 'Standard'],
    ['db_schenker_pallet', 'DB Schenker Pallet'],
    [null, null],
  ])('the shipping method with the UID %s and the name %s names no carrier', (uid, name) => {
    expect(ofMethod(uid, name)).toBeNull();
  });
});

test('the tracking URL takes precedence over the shipping method, because the buyer opens the URL', () => {
  const parcel = {
    shipmentMethodUid: 'ups_surepost',
    shipmentMethodName: 'UPS Surepost',
    trackingUrl: 'https://tools.usps.com/go/1',
  };
  expect(toCarrierName(parcel)).toBe('USPS');
});
