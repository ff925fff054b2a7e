import { expect, test } from 'vitest';
import type { AddressChange } from '../../../src/orders/address/address-change.ts';
import { fitPhone } from '../../../src/orders/address/fit-phone.ts';

function fit(phone: string | null, country: string) {
  const changes: AddressChange[] = [];
  return { ...fitPhone(phone, country, 25, changes), changes };
}

test.each([
  ['US', '+1(502)-459-2181', '+1 502 459 2181'],
  ['US', '502-459-2181', '+1 502 459 2181'],
  ['US', '５０２４５９２１８１', '+1 502 459 2181'],
  ['GB', '07911 123456', '+44 7911 123456'],
  ['DE', '0171/1234567', '+49 171 1234567'],
  ['FR', '06.12.34.56.78', '+33 6 12 34 56 78'],
  ['IT', '06 6982', '+39 06 6982'],
  ['JP', '090-1234-5678', '+81 90 1234 5678'],
  ['BR', '(11) 96123-4567', '+55 11 96123 4567'],
  ['RU', '8 (912) 345-67-89', '+7 912 345 67 89'],
  ['US', 'Bob: 502-459-2181 (work)', '+1 502 459 2181'],
  ['FR', '+49 171 1234567', '+49 171 1234567'],
  ['AQ', '+49 171 1234567', '+49 171 1234567'],
])('in %s, the phone number %s is sent as %s', (country, phone, written) => {
  expect(fit(phone, country).phone).toBe(written);
  expect(fit(phone, country).changes).toMatchObject(
    phone === written ? [] : [{ field: 'phone', from: phone, to: written, why: 'written in international form' }],
  );
  expect(fit(written, country)).toEqual({ phone: written, changes: [] });
});

test.each(['502-459-2181 x12', '(502) 459-2181 ext. 12', 'tel:+1-502-459-2181;ext=12'])(
  'the extension of %s is removed, and the change is recorded',
  (phone) => {
    expect(fit(phone, 'US').phone).toBe('+1 502 459 2181');
    expect(fit(phone, 'US').changes).toMatchObject([{ why: expect.stringContaining('without its extension') }]);
  },
);

test.each([
  ['DE', '0171 1234567 / 040 123456'],
  ['DE', '+49 171 1234567 +49 40 123456'],
  ['FR', '0612345678/0712345678'],
  ['US', '502-459-2181, 502-459-2182'],
  ['US', '502-459-2181 or 502-459-2182'],
  ['US', '502-459-2181 502-459-2182'],
  ['US', '555-555-SHIP'],
  ['US', '123-123-1234'],
  ['US', 'none'],
  ['AQ', '171 1234567'],
])('in %s, a value that is not one valid phone number is omitted, and the change is recorded: %s', (country, phone) => {
  expect(fit(phone, country)).toEqual({
    changes: [{ field: 'phone', from: phone, to: null, why: 'left out: not a valid phone number' }],
  });
});
