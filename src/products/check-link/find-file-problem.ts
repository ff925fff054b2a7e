import type { CountedPages } from './count-pages.ts';
import type { LinkProblem, LinkProblemCode } from './link-problem.ts';
import type { FetchedFileInfo } from './open-print-files.ts';
import type { PrintFileType } from './read-file-type.ts';
import { fileUrlFaults } from './read-file-url.ts';

type ProblemTexts = Omit<LinkProblem, 'field' | 'mayPass'>;
type Failure = Exclude<FetchedFileInfo, { outcome: 'read' | 'status' }>['outcome'];

const TRY_LATER = 'Open the address in a browser. If it opens there, check the link again later.';

/** The messages for a file that could not be fetched. */
const FAILURES: Readonly<Record<Failure, ProblemTexts>> = {
  not_public: { code: 'file_host_not_public', ...fileUrlFaults.file_host_not_public },
  bad_port: { code: 'file_has_port', ...fileUrlFaults.file_has_port },
  redirect: toTexts(
    'file_redirects',
    'The address redirects to another address instead of returning the file.',
    "Open the address in a browser, and use the file's final address.",
  ),
  bad_certificate: toTexts(
    'file_host_unverified',
    "The print file's server has no valid certificate for its name.",
    "Renew the server's certificate, or put the file on another server.",
  ),
  too_large: toTexts(
    'file_too_large',
    'The print file is larger than 100 MB.',
    'Export a smaller version of the file, up to 100 MB.',
  ),
  slow: toTexts('file_slow', "The print file's server did not send the file in time.", TRY_LATER),
  unreachable: toTexts('file_unreachable', "The print file's server does not respond.", TRY_LATER),
};
const TEMPORARY: ReadonlySet<Failure> = new Set(['slow', 'unreachable']);

/** Returns a fetched file's problem, or null. `pageCount` is the link's page count. */
export function findFileProblem(seen: FetchedFileInfo, pageCount: number | null): LinkProblem | null {
  if (seen.outcome === 'status') return findStatusProblem(seen.status);
  if (seen.outcome !== 'read') return toFileProblem(FAILURES[seen.outcome], TEMPORARY.has(seen.outcome));
  return findTypeProblem(seen.type, pageCount);
}

/**
 * Returns the problem with a PDF's pages, or null if the PDF has as many pages as the link states. `CountedPages` explains the values of
 * `counted`.
 */
export function findPageProblem(counted: CountedPages, pageCount: number): LinkProblem | null {
  if (counted === 'damaged') {
    return toFileProblem(
      toTexts(
        'file_damaged',
        'The print file cannot be read as a PDF.',
        'Export the file again, and upload the new version.',
      ),
    );
  }
  if (counted === 'locked') {
    const message = 'The print file opens only with a password.';
    return toFileProblem(
      toTexts('file_damaged', message, 'Export the file without a password, and upload the new version.'),
    );
  }
  if (counted === 'too_complex') {
    const message =
      "The print file's pages could not be counted: reading the file as a PDF takes too much time or memory.";
    return toFileProblem(
      toTexts('file_damaged', message, 'Export the file again as a plain PDF, and upload the new version.'),
    );
  }
  if (counted === pageCount) return null;
  const message = `According to the link, the product has ${pageCount} pages, but the PDF has ${counted}.`;
  const remedy = 'Correct the PDF or the page count, which includes the cover.';
  return { ...toTexts('page_count_differs', message, remedy), field: 'pageCount', mayPass: false };
}

function findStatusProblem(status: number): LinkProblem {
  if (status === 401 || status === 403) {
    const message = `The print file is not publicly accessible (status ${status}).`;
    return toFileProblem(
      toTexts('file_not_shared', message, 'Share the file so that its address opens without signing in.'),
    );
  }
  if (status === 404 || status === 410) {
    const message = `There is no file at this address (status ${status}).`;
    return toFileProblem(toTexts('file_missing', message, 'Upload the file again, or correct the address.'));
  }
  const message = `The print file's server returned the error ${status}.`;
  return toFileProblem(
    toTexts('file_not_given', message, TRY_LATER),
    status === 408 || status === 429 || status >= 500,
  );
}

function findTypeProblem(type: PrintFileType, pageCount: number | null): LinkProblem | null {
  if (type === 'empty')
    return toFileProblem(toTexts('file_empty', 'The print file is empty.', 'Upload the file again.'));
  if (type === 'page') {
    const message = 'This address opens a web page, not the file itself.';
    return toFileProblem(
      toTexts('file_is_a_page', message, "Use the file's own address, such as a direct download link."),
    );
  }
  if (type === 'other') {
    const message = 'The print file is not a PDF, PNG or JPEG file, regardless of its name.';
    return toFileProblem(toTexts('file_type', message, 'Export the file as a PDF, PNG or JPEG file.'));
  }
  if (type === 'pdf' || pageCount === null || pageCount === 1) return null;
  const message = `According to the link, the product has ${pageCount} pages, but the print file is an image, which has one page.`;
  return toFileProblem(toTexts('file_needs_pdf', message, 'Use a PDF with all pages, or remove the page count.'));
}

function toTexts(code: LinkProblemCode, message: string, remedy: string): ProblemTexts {
  return { code, message, remedy };
}

function toFileProblem(text: ProblemTexts, mayPass = false): LinkProblem {
  return { ...text, field: 'fileUrl', mayPass };
}
