import { HTTPS_PORT, checkFileUrl } from '../../print/files/check-file-url.ts';
import type { LinkProblem } from './link-problem.ts';

/**
 * Maximum number of characters in a print file's address. Browsers and file hosts support addresses of this length. The documented
 * interface has no limit.
 */
export const MAX_FILE_URL_LENGTH = 2_048;

/** The messages for addresses that Platen does not fetch. */
export const fileUrlFaults = {
  file_address_unusable: {
    message: 'This is not the address of a file.',
    remedy: 'Enter the full address, such as https://files.example.com/mug.pdf.',
  },
  file_not_https: {
    message: "The print file's address does not begin with https://.",
    remedy: 'Put the file on a server that has an https address.',
  },
  file_has_password: {
    message: "The print file's address contains a user name or password.",
    remedy: 'Use an address that opens without signing in.',
  },
  file_has_port: {
    message: "The print file's address contains a port.",
    remedy: 'Use an address without a port (the number after the server name).',
  },
  file_host_not_public: {
    message: 'This address does not name a public server.',
    remedy: "Put the file on a server that is reachable from the internet, and use the file's address there.",
  },
} as const satisfies Partial<Record<LinkProblem['code'], Pick<LinkProblem, 'message' | 'remedy'>>>;

export type FileUrlFault = keyof typeof fileUrlFaults;
type FileUrlProblem = LinkProblem & { code: FileUrlFault };

/**
 * Checks a print file's address without a request. The address must use https, have a host name that can be public, and contain no port,
 * user name or password. The same rules apply to addresses in saved links, addresses that are being checked and addresses that buyers
 * entered.
 */
export function readFileUrl(
  text: string,
  httpsPort = HTTPS_PORT,
): { url: URL; problem: null } | { url: null; problem: FileUrlProblem } {
  const url = text.length > MAX_FILE_URL_LENGTH ? null : URL.parse(text);
  if (url === null || url.hostname === '') return refuse('file_address_unusable');
  if (url.protocol !== 'https:') return refuse('file_not_https');
  if (url.username !== '' || url.password !== '') return refuse('file_has_password');
  const fault = checkFileUrl(url, httpsPort);
  if (fault !== null) return refuse(fault === 'bad_port' ? 'file_has_port' : 'file_host_not_public');
  return { url, problem: null };
}

function refuse(code: FileUrlFault): { url: null; problem: FileUrlProblem } {
  return { url: null, problem: { code, field: 'fileUrl', ...fileUrlFaults[code], mayPass: false } };
}
