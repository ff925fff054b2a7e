import { HTTPS_PORT, judgeFileUrl } from '../../print/files/judge-file-url.ts';
import type { LinkProblem } from './link-problem.ts';

/**
 * Characters of the address of a print file: as many as browsers and file hosts are sure to take, the documented interface names no
 * limit.
 */
export const LONGEST_FILE_URL = 2_048;

/** What each address that no file is fetched from is told as. */
export const fileUrlFaults = {
  file_address_unusable: {
    message: 'This is not the address of a file.',
    remedy: 'Give the whole address, such as https://files.example.com/mug.pdf.',
  },
  file_not_https: {
    message: 'The address of the print file does not begin with https://.',
    remedy: 'Put the file where it has an https address.',
  },
  file_has_password: {
    message: 'The address of the print file has a user name or a password in it.',
    remedy: 'Use an address that opens without signing in.',
  },
  file_has_port: {
    message: 'The address of the print file names a port after its host.',
    remedy: 'Use an address without a number after the name of the server.',
  },
  file_host_not_public: {
    message: 'The internet knows no server by the name in this address.',
    remedy: 'Put the file on a server that the internet can reach, and give the address it has there.',
  },
} as const satisfies Partial<Record<LinkProblem['code'], Pick<LinkProblem, 'message' | 'remedy'>>>;

export type FileUrlFault = keyof typeof fileUrlFaults;
type FileUrlProblem = LinkProblem & { code: FileUrlFault };

/**
 * The address of a print file, looked at without asking anybody: https, with the name of a host that the internet can have, without a port,
 * user name and password. A problem where it is none that a file could be fetched from. This is the one rule for what is saved, what is
 * checked and what a buyer brings.
 */
export function readFileUrl(
  text: string,
  httpsPort = HTTPS_PORT,
): { url: URL; problem: null } | { url: null; problem: FileUrlProblem } {
  const url = text.length > LONGEST_FILE_URL ? null : URL.parse(text);
  if (url === null || url.hostname === '') return refuse('file_address_unusable');
  if (url.protocol !== 'https:') return refuse('file_not_https');
  if (url.username !== '' || url.password !== '') return refuse('file_has_password');
  const fault = judgeFileUrl(url, httpsPort);
  if (fault !== null) return refuse(fault === 'bad_port' ? 'file_has_port' : 'file_host_not_public');
  return { url, problem: null };
}

function refuse(code: FileUrlFault): { url: null; problem: FileUrlProblem } {
  return { url: null, problem: { code, field: 'fileUrl', ...fileUrlFaults[code], mayPass: false } };
}
