import { isIP } from 'node:net';

export const HTTPS_PORT = 443;

/**
 * Why no file is fetched from an address, judged from the address alone; null if nothing speaks against it. `bad_port`: not https at port
 * 443. `not_public`: the host is an IP address, which has no certificate name to check, or a name that does not exist on the internet:
 * `localhost`, or one without a dot.
 */
export function judgeFileUrl({ protocol, port, hostname }: URL, httpsPort: number): 'bad_port' | 'not_public' | null {
  if (protocol !== 'https:' || Number(port || HTTPS_PORT) !== httpsPort) return 'bad_port';
  const name = hostname.replace(/\.$/, '');
  if (isIP(name) !== 0 || name.startsWith('[')) return 'not_public';
  return name.includes('.') && !name.endsWith('.localhost') ? null : 'not_public';
}
