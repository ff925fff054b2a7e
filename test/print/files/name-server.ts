import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { isIP } from 'node:net';
import { onTestFinished } from 'vitest';

const TYPES: Readonly<Record<number, 4 | 6>> = { 1: 4, 28: 6 };
const HEADER_BYTES = 12;
const NO_SUCH_NAME = 3;

/**
 * Starts a real name server on loopback (RFC 1035) that responds with the addresses of a name. IPv6 addresses are written in full. Unknown
 * names do not exist. The server does not respond for the names in `silent`.
 */
export async function startNameServer(
  names: Readonly<Record<string, readonly string[]>>,
  { silent = [] }: { silent?: readonly string[] } = {},
): Promise<{ address: string; questions: string[] }> {
  const questions: string[] = [];
  const server = createSocket('udp4');
  server.on('message', (query, from) => {
    const { name, end, version } = readQuestion(query);
    questions.push(`${name}/${version}`);
    if (silent.includes(name)) return;
    const has = Object.hasOwn(names, name) ? (names[name] ?? []) : null;
    const failure = has === null ? NO_SUCH_NAME : 0;
    const addresses = has?.filter((one) => isIP(one) === version) ?? [];
    const answer = toAnswer(query.subarray(0, end), failure, addresses);
    server.send(answer, from.port, from.address);
  });
  server.bind(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return { address: `127.0.0.1:${server.address().port}`, questions };
}

function readQuestion(query: Buffer): { name: string; end: number; version: 4 | 6 | 0 } {
  const labels: string[] = [];
  let at = HEADER_BYTES;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.').toLowerCase(), end: at + 5, version: TYPES[query.readUInt16BE(at + 1)] ?? 0 };
}

function toAnswer(question: Buffer, failure: number, addresses: readonly string[]): Buffer {
  const answer = Buffer.from(question);
  answer.writeUInt16BE(0x8180 | failure, 2);
  answer.writeUInt16BE(addresses.length, 6);
  answer.writeUInt32BE(0, 8);
  return Buffer.concat([answer, ...addresses.map(toRecord)]);
}

function toRecord(address: string): Buffer {
  const bytes =
    isIP(address) === 4 ? Buffer.from(address.split('.').map(Number)) : Buffer.from(address.replaceAll(':', ''), 'hex');
  const record = Buffer.from([0xc0, HEADER_BYTES, 0, bytes.length === 4 ? 1 : 28, 0, 1, 0, 0, 0, 60, 0, bytes.length]);
  return Buffer.concat([record, bytes]);
}
