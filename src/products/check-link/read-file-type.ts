/**
 * The type of a print file: a type that a create request accepts (docs/rules/print-interface.md#create-item), a web page, an empty file, or
 * anything else.
 */
export type PrintFileType = 'pdf' | 'png' | 'jpeg' | 'page' | 'empty' | 'other';

const SIGNATURES: readonly (readonly [type: PrintFileType, bytes: Buffer])[] = [
  ['pdf', Buffer.from('%PDF-')],
  ['png', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])],
  ['jpeg', Buffer.from([0xff, 0xd8, 0xff])],
];
/** `\s` also matches a byte order mark. */
const PAGE = /^\s*<(!doctype\s+html|html|head|body|!--)/i;
/** The number of bytes at the start of a file that determine its type. */
export const TYPE_BYTES = 512;

/** Detects a file's type from its first bytes, regardless of its name and content type. */
export function readFileType(head: Buffer): PrintFileType {
  if (head.length === 0) return 'empty';
  const found = SIGNATURES.find(([, bytes]) => head.subarray(0, bytes.length).equals(bytes));
  if (found) return found[0];
  return PAGE.test(head.subarray(0, TYPE_BYTES).toString('utf8')) ? 'page' : 'other';
}
