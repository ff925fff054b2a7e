import { deflateSync } from 'node:zlib';

/** Returns a PDF with these objects, numbered from 1. The first object is the catalog. */
export function toPdf(objects: readonly (string | Buffer)[], trailer = ''): Buffer {
  const parts = [Buffer.from('%PDF-1.7\n')];
  const places: number[] = [];
  let at = 9;
  for (const [index, object] of objects.entries()) {
    const part = Buffer.concat([Buffer.from(`${index + 1} 0 obj\n`), Buffer.from(object), Buffer.from('\nendobj\n')]);
    places.push(at);
    parts.push(part);
    at += part.length;
  }
  const entries = places.map((place) => `${String(place).padStart(10, '0')} 00000 n \n`).join('');
  const size = objects.length + 1;
  const end = `xref\n0 ${size}\n0000000000 65535 f \n${entries}trailer\n<< /Size ${size} /Root 1 0 R ${trailer} >>\nstartxref\n${at}\n%%EOF\n`;
  return Buffer.concat([...parts, Buffer.from(end)]);
}

export const CATALOG = '<< /Type /Catalog /Pages 2 0 R >>';
export const PAGE = '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 10 10] >>';

/** Returns a PDF with this number of pages whose page tree states that it has `claimed` pages. */
export function pagesPdf(
  pages: number,
  { claimed = pages, trailer = '' }: { claimed?: number; trailer?: string } = {},
): Buffer {
  const kids = Array.from({ length: pages }, (_, index) => `${index + 3} 0 R`).join(' ');
  const tree = `<< /Type /Pages /Kids [${kids}] /Count ${claimed} >>`;
  return toPdf([CATALOG, tree, ...Array.from({ length: pages }, () => PAGE)], trailer);
}

/** Returns a PDF in the newer form: its catalog, page tree and pages are in a compressed object stream. */
export function compressedPdf(pages: number): Buffer {
  const kids = Array.from({ length: pages }, (_, index) => `${index + 3} 0 R`).join(' ');
  const objects = [
    CATALOG,
    `<< /Type /Pages /Kids [${kids}] /Count ${pages} >>`,
    ...Array.from({ length: pages }, () => PAGE),
  ];
  let place = 0;
  const places = objects.map((object, index) => {
    const entry = `${index + 1} ${place}`;
    place += object.length + 1;
    return entry;
  });
  const first = places.join(' ').length + 1;
  const holder = objects.length + 1;
  const packed = deflateSync(`${places.join(' ')}\n${objects.join('\n')}`);
  const start = Buffer.from('%PDF-1.7\n');
  const stream = toStream(
    `${holder} 0 obj\n`,
    `/Type /ObjStm /N ${objects.length} /First ${first} /Filter /FlateDecode`,
    packed,
  );
  const rows = Buffer.concat([
    row(0, 0, 0),
    ...objects.map((_, index) => row(2, holder, index)),
    row(1, start.length, 0),
    row(1, start.length + stream.length, 0),
  ]);
  const dictionary = `/Type /XRef /Size ${holder + 2} /W [1 4 2] /Root 1 0 R /Filter /FlateDecode`;
  const table = toStream(`${holder + 1} 0 obj\n`, dictionary, deflateSync(rows));
  const end = Buffer.from(`startxref\n${start.length + stream.length}\n%%EOF\n`);
  return Buffer.concat([start, stream, table, end]);
}

function toStream(start: string, dictionary: string, data: Buffer): Buffer {
  const head = `${start}<< ${dictionary} /Length ${data.length} >>\nstream\n`;
  return Buffer.concat([Buffer.from(head), data, Buffer.from('\nendstream\nendobj\n')]);
}

function row(type: number, second: number, third: number): Buffer {
  const bytes = Buffer.alloc(7);
  bytes.writeUInt8(type, 0);
  bytes.writeUInt32BE(second, 1);
  bytes.writeUInt16BE(third, 5);
  return bytes;
}
