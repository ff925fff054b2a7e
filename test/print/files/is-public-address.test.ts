import { expect, test } from 'vitest';
import { isPublicAddress } from '../../../src/print/files/is-public-address.ts';

/** One address of each kind from which print files are never fetched, and the boundaries of the larger networks. */
const refusedAddresses: readonly (readonly [what: string, address: string])[] = [
  ['this network', '0.0.0.0'],
  ['this network', '0.255.255.255'],
  ['private', '10.0.0.1'],
  ['private', '10.255.255.255'],
  ['private', '172.16.0.1'],
  ['private', '172.31.255.255'],
  ['private', '192.168.0.1'],
  ['carrier-grade NAT', '100.64.0.1'],
  ['carrier-grade NAT, metadata of a cloud', '100.100.100.200'],
  ['carrier-grade NAT', '100.127.255.255'],
  ['loopback', '127.0.0.1'],
  ['loopback', '127.255.255.254'],
  ['link-local', '169.254.0.1'],
  ['metadata of most clouds', '169.254.169.254'],
  ['metadata of Azure', '168.63.129.16'],
  ["metadata of Oracle's cloud", '192.0.0.192'],
  ['documentation', '192.0.2.1'],
  ['documentation', '198.51.100.1'],
  ['documentation', '203.0.113.1'],
  ['AS112', '192.31.196.1'],
  ['AS112', '192.175.48.1'],
  ['multicast relay', '192.52.193.1'],
  ['6to4 relay', '192.88.99.1'],
  ['benchmarking', '198.18.0.1'],
  ['benchmarking', '198.19.255.255'],
  ['multicast', '224.0.0.1'],
  ['multicast', '239.255.255.255'],
  ['reserved', '240.0.0.1'],
  ['broadcast', '255.255.255.255'],
  ['unspecified', '::'],
  ['loopback', '::1'],
  ['IPv4-compatible', '::127.0.0.1'],
  ['IPv4-compatible', '::8.8.8.8'],
  ['IPv4-mapped private', '::ffff:10.0.0.1'],
  ['IPv4-mapped loopback', '::ffff:7f00:1'],
  ['IPv4-mapped public', '::ffff:8.8.8.8'],
  ['IPv4-translated', '::ffff:0:10.0.0.1'],
  ['NAT64', '64:ff9b::10.0.0.1'],
  ['NAT64', '64:ff9b::808:808'],
  ['local NAT64', '64:ff9b:1::1'],
  ['discard', '100::1'],
  ['Teredo', '2001::1'],
  ['Teredo', '2001:0:4136:e378:8000:63bf:3fff:fdd2'],
  ['benchmarking', '2001:2::1'],
  ['ORCHID', '2001:20::1'],
  ['documentation', '2001:db8::1'],
  ['documentation', '3fff::1'],
  ['6to4 of a private address', '2002:a00:1::1'],
  ['6to4', '2002:808:808::1'],
  ['AS112', '2620:4f:8000::1'],
  ['segment routing', '5f00::1'],
  ['not assigned', '4000::1'],
  ['unique-local', 'fc00::1'],
  ['metadata of AWS', 'fd00:ec2::254'],
  ['metadata of Google', 'fd20:ce::254'],
  ['link-local', 'fe80::1'],
  ['link-local with a zone', 'fe80::1%eth0'],
  ['site-local', 'fec0::1'],
  ['multicast', 'ff02::1'],
];

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
