import { BlockList, isIP } from 'node:net';

/**
 * IPv4 networks without public internet hosts (IANA, IPv4 Special-Purpose Address Registry), multicast and reserved networks, and the only
 * public address at which a cloud serves machine metadata.
 */
const BLOCKED_IPV4: readonly (readonly [network: string, bits: number])[] = [
  ['0.0.0.0', 8], // this network
  ['10.0.0.0', 8], // private
  ['100.64.0.0', 10], // shared by the customers of a carrier
  ['127.0.0.0', 8], // loopback
  ['169.254.0.0', 16], // link-local, metadata service of most clouds
  ['168.63.129.16', 32], // metadata service of Azure
  ['172.16.0.0', 12], // private
  ['192.0.0.0', 24], // protocol assignments, metadata service of Oracle's cloud
  ['192.0.2.0', 24], // documentation
  ['192.31.196.0', 24], // AS112
  ['192.52.193.0', 24], // multicast relays
  ['192.88.99.0', 24], // 6to4 relays
  ['192.168.0.0', 16], // private
  ['192.175.48.0', 24], // AS112
  ['198.18.0.0', 15], // benchmarking
  ['198.51.100.0', 24], // documentation
  ['203.0.113.0', 24], // documentation
  ['224.0.0.0', 4], // multicast
  ['240.0.0.0', 4], // reserved, broadcast
];

/**
 * Rejected networks within 2000::/3, the only part of IPv6 that is assigned to the internet (IANA, IPv6 Special-Purpose Address Registry).
 * Everything outside 2000::/3 is rejected: loopback, IPv4-mapped and IPv4-compatible, NAT64, link-local, unique-local, multicast.
 */
const BLOCKED_IPV6: readonly (readonly [network: string, bits: number])[] = [
  ['2001::', 23], // protocol assignments: Teredo, benchmarking, ORCHID
  ['2001:db8::', 32], // documentation
  ['2002::', 16], // 6to4, which contains an IPv4 address
  ['2620:4f:8000::', 48], // AS112
  ['3fff::', 20], // documentation
];

const blocked = new BlockList();
for (const [network, bits] of BLOCKED_IPV4) blocked.addSubnet(network, bits, 'ipv4');
for (const [network, bits] of BLOCKED_IPV6) blocked.addSubnet(network, bits, 'ipv6');
const globalUnicast = new BlockList();
globalUnicast.addSubnet('2000::', 3, 'ipv6');

/**
 * Returns whether anyone on the internet can reach the host at this address. False for text that is not an IP address or that has a zone.
 */
export function isPublicAddress(address: string): boolean {
  const version = isIP(address);
  if (version === 4) return !blocked.check(address, 'ipv4');
  if (version !== 6 || address.includes('%')) return false;
  return globalUnicast.check(address, 'ipv6') && !blocked.check(address, 'ipv6');
}
