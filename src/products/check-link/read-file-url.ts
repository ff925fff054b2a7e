import type { LinkProblem } from './link-problem.ts';

/** Characters of the address of a print file: as many as browsers and file hosts are sure to take, the interface page names no limit. */
export const LONGEST_FILE_URL = 2_048;

/**
 * The address of a print file, looked at without asking anybody: https, with a host, without user name and password. A problem
 * where it is none that a file could be fetched from.
 */
export function readFileUrl(text: string): { url: URL; problem: null } | { url: null; problem: LinkProblem } {
  const url = text.length > LONGEST_FILE_URL ? null : URL.parse(text);
  if (url === null || url.hostname === '') {
    const message = 'This is not the address of a file.';
    return refuse(
      'file_address_unusable',
      message,
      'Give the whole address, such as https://files.example.com/mug.pdf.',
    );
  }
  if (url.protocol !== 'https:') {
    const message = 'The address of the print file does not begin with https://.';
    return refuse('file_not_https', message, 'Put the file where it has an https address.');
  }
  if (url.username !== '' || url.password !== '') {
    const message = 'The address of the print file has a user name or a password in it.';
    return refuse('file_has_password', message, 'Use an address that opens without signing in.');
  }
  return { url, problem: null };
}

function refuse(code: LinkProblem['code'], message: string, remedy: string): { url: null; problem: LinkProblem } {
  return { url: null, problem: { code, field: 'fileUrl', message, remedy, mayPass: false } };
}
