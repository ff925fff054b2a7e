import { isIP } from 'node:net';

export const HTTPS_PORT = 443;

/**
 * Returns the reason not to fetch a file from an address, or null if Platen can fetch it. Checks only the address and makes no connection.
 * `bad_port` means that the address does not use https on port 443. `not_public` means that the host is an IP address or a name that does
 * not exist on the internet (`localhost`, or a name without a dot). IP addresses are not allowed, because they have no certificate name to
 * check.
 */
export function checkFileUrl({ protocol, port, hostname }: URL, httpsPort: number): 'bad_port' | 'not_public' | null {
  if (protocol !== 'https:' || Number(port || HTTPS_PORT) !== httpsPort) return 'bad_port';
  const name = hostname.replace(/\.$/, '');
  if (isIP(name) !== 0 || name.startsWith('[')) return 'not_public';
  return name.includes('.') && !name.endsWith('.localhost') ? null : 'not_public';
}
