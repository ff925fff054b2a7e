import { expect, test } from 'vitest';
import { isPublicAddress } from '../../../src/print/files/is-public-address.ts';
import { refusedAddresses } from './refused-addresses.ts';

test.each(refusedAddresses)('%s: %s is not a public address', (_what, address) => {
  expect(isPublicAddress(address)).toBe(false);
});

test.each([
  '1.1.1.1',
  '8.8.8.8',
  '9.255.255.255',
  '11.0.0.0',
  '100.63.255.255',
  '100.128.0.0',
  '126.255.255.255',
  '128.0.0.0',
  '169.253.255.255',
  '172.15.255.255',
  '172.32.0.0',
  '192.167.255.255',
  '192.169.0.0',
  '198.17.255.255',
  '198.20.0.0',
  '223.255.255.255',
  '2001:200::1',
  '2001:4860:4860::8888',
  '2606:4700:4700::1111',
  '2a00:1450:4001:829::200e',
  '2003::1',
])('%s is a public address', (address) => {
  expect(isPublicAddress(address)).toBe(true);
});

test.each(['', 'localhost', '1.2.3', '0x7f.1', '2130706433', '1.2.3.4%eth0', '2606:4700::1%eth0', ' 8.8.8.8'])(
  '%j is not an IP address',
  (address) => {
    expect(isPublicAddress(address)).toBe(false);
  },
);
