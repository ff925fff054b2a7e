import { isIP } from 'node:net';

export const HTTPS_PORT = 443;

/**
 * What an address says by itself against fetching a file from it, before anybody is asked; null: nothing. `bad_port`: it is not https at
 * the port of https. `not_public`: its host is an address in numbers, of which no certificate's name could be checked and which would ask
 * no name server, or a name that the internet does not have: `localhost`, or one without a dot.
 */
export function judgeFileUrl({ protocol, port, hostname }: URL, httpsPort: number): 'bad_port' | 'not_public' | null {
  if (protocol !== 'https:' || Number(port || HTTPS_PORT) !== httpsPort) return 'bad_port';
  const name = hostname.replace(/\.$/, '');
  if (isIP(name) !== 0 || name.startsWith('[')) return 'not_public';
  return name.includes('.') && !name.endsWith('.localhost') ? null : 'not_public';
}
