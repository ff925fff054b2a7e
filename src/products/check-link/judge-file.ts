import type { CountedPages } from './count-pages.ts';
import type { LinkProblem, LinkProblemCode } from './link-problem.ts';
import type { SeenFile } from './open-print-files.ts';
import type { PrintFileType } from './read-file-type.ts';
import { fileUrlFaults } from './read-file-url.ts';

type Words = Omit<LinkProblem, 'field' | 'mayPass'>;
type Failure = Exclude<SeenFile, { outcome: 'read' | 'status' }>['outcome'];

const LATER = 'Open the address in a browser. If it opens there, check the link again later.';

/** What is said of a file that could not be fetched. */
const FAILURES: Readonly<Record<Failure, Words>> = {
  not_public: { code: 'file_host_not_public', ...fileUrlFaults.file_host_not_public },
  bad_port: { code: 'file_has_port', ...fileUrlFaults.file_has_port },
  redirect: words(
    'file_redirects',
    'The address leads on to another one instead of giving the file.',
    'Open it in a browser and use the address that the file itself has in the end.',
  ),
  bad_certificate: words(
    'file_host_unverified',
    'The server of the print file could not show with a valid certificate that it is this server.',
    'Have the certificate of the server renewed, or put the file on another server.',
  ),
  too_large: words('file_too_large', 'The print file is larger than 100 MB.', 'Export it smaller, below 100 MB.'),
  slow: words('file_slow', 'The server of the print file did not give it in time.', LATER),
  unreachable: words('file_unreachable', 'The server of the print file does not answer.', LATER),
};
const PASSING: ReadonlySet<Failure> = new Set(['slow', 'unreachable']);

/** What is wrong with a file as it was seen; null: nothing. `pageCount` is that of the link. */
export function judgeFile(seen: SeenFile, pageCount: number | null): LinkProblem | null {
  if (seen.outcome === 'status') return judgeStatus(seen.status);
  if (seen.outcome !== 'read') return ofFile(FAILURES[seen.outcome], PASSING.has(seen.outcome));
  return judgeType(seen.type, pageCount);
}

/**
 * What is wrong with the pages of a PDF; null: it has as many as the link says. `counted` is `damaged` for a file that cannot be read as a
 * PDF, `locked` for one that opens with a password alone, `too_complex` for one that was given up.
 */
export function judgePages(counted: CountedPages, pageCount: number): LinkProblem | null {
  if (counted === 'damaged') {
    return ofFile(
      words('file_damaged', 'The print file cannot be read as a PDF.', 'Export it anew and upload it again.'),
    );
  }
  if (counted === 'locked') {
    const message = 'The print file opens with a password alone.';
    return ofFile(words('file_damaged', message, 'Export it without a password and upload it again.'));
  }
  if (counted === 'too_complex') {
    const message =
      'The pages of the print file could not be counted: reading it as a PDF takes too much time or memory.';
    return ofFile(words('file_damaged', message, 'Export it anew as a plain PDF and upload it again.'));
  }
  if (counted === pageCount) return null;
  const message = `The link says that the product has ${pageCount} pages, but the PDF has ${counted}.`;
  const remedy = 'Correct the page count, which counts the cover too, or the PDF.';
  return { ...words('page_count_differs', message, remedy), field: 'pageCount', mayPass: false };
}

function judgeStatus(status: number): LinkProblem {
  if (status === 401 || status === 403) {
    const message = `The server does not give the print file to everybody (status ${status}).`;
    return ofFile(words('file_not_shared', message, 'Share the file so that its address opens without signing in.'));
  }
  if (status === 404 || status === 410) {
    const message = `There is no file at this address (status ${status}).`;
    return ofFile(words('file_missing', message, 'Upload the file again, or correct the address.'));
  }
  const message = `The server of the print file answers with the error ${status}.`;
  return ofFile(words('file_not_given', message, LATER), status === 408 || status === 429 || status >= 500);
}

function judgeType(type: PrintFileType, pageCount: number | null): LinkProblem | null {
  if (type === 'empty') return ofFile(words('file_empty', 'The print file is empty.', 'Upload it again.'));
  if (type === 'page') {
    const message = 'At this address is a web page and not the file itself.';
    return ofFile(words('file_is_a_page', message, 'Use the address of the file, such as that of a direct download.'));
  }
  if (type === 'other') {
    const message = 'The print file is neither a PDF nor a PNG or JPEG image, whatever its name says.';
    return ofFile(words('file_type', message, 'Export it as PDF, PNG or JPEG.'));
  }
  if (type === 'pdf' || pageCount === null || pageCount === 1) return null;
  const message = `The link says that the product has ${pageCount} pages, but the print file is an image, which has one.`;
  return ofFile(words('file_needs_pdf', message, 'Give a PDF with all pages, or take the page count away.'));
}

function words(code: LinkProblemCode, message: string, remedy: string): Words {
  return { code, message, remedy };
}

function ofFile(said: Words, mayPass = false): LinkProblem {
  return { ...said, field: 'fileUrl', mayPass };
}
