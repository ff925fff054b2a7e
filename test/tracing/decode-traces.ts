/** A span as it was exported. */
export interface ExportedSpan {
  traceId: string;
  spanId: string;
  /** Empty for a span without a parent. */
  parentSpanId: string;
  name: string;
  /** OTLP's number: 1 internal, 2 server, 3 client, 5 consumer. */
  kind: number;
  startNs: bigint;
  endNs: bigint;
  attributes: Record<string, unknown>;
  events: { name: string; attributes: Record<string, unknown> }[];
  /** 2 if the span ended with an error. */
  status: number;
  statusMessage: string;
  /** The attributes of the process that exported the span. */
  resource: Record<string, unknown>;
}

type Value = bigint | Buffer;
type Message = Map<number, Value[]>;

/**
 * Decodes an ExportTraceServiceRequest in the protobuf encoding. The numbers are those of the fields in OpenTelemetry's `trace.proto`. The
 * test decodes the bytes itself, so that it sees what a receiver would see.
 */
export function decodeTraces(bytes: Buffer): ExportedSpan[] {
  return messages(decode(bytes), 1).flatMap((resourceSpans) => {
    const resource = messages(resourceSpans, 1).flatMap((one) => messages(one, 1));
    return messages(resourceSpans, 2)
      .flatMap((scopeSpans) => messages(scopeSpans, 2))
      .map((span) => toSpan(span, toAttributes(resource)));
  });
}

function toSpan(span: Message, resource: Record<string, unknown>): ExportedSpan {
  const [status] = messages(span, 15);
  return {
    traceId: bytesOf(span, 1).toString('hex'),
    spanId: bytesOf(span, 2).toString('hex'),
    parentSpanId: bytesOf(span, 4).toString('hex'),
    name: bytesOf(span, 5).toString(),
    kind: Number(numberOf(span, 6)),
    startNs: numberOf(span, 7),
    endNs: numberOf(span, 8),
    attributes: toAttributes(messages(span, 9)),
    events: messages(span, 11).map((event) => ({
      name: bytesOf(event, 2).toString(),
      attributes: toAttributes(messages(event, 3)),
    })),
    status: status ? Number(numberOf(status, 3)) : 0,
    statusMessage: status ? bytesOf(status, 2).toString() : '',
    resource,
  };
}

function toAttributes(pairs: readonly Message[]): Record<string, unknown> {
  return Object.fromEntries(pairs.map((pair) => [bytesOf(pair, 1).toString(), toValue(messages(pair, 2)[0])]));
}

function toValue(value: Message | undefined): unknown {
  if (value?.has(1)) return bytesOf(value, 1).toString();
  if (value?.has(2)) return numberOf(value, 2) === 1n;
  if (value?.has(3)) return Number(numberOf(value, 3));
  throw new Error('an attribute has a value of an unexpected type');
}

function messages(message: Message, field: number): Message[] {
  return (message.get(field) ?? []).map((value) => decode(value as Buffer));
}

function bytesOf(message: Message, field: number): Buffer {
  return (message.get(field)?.[0] as Buffer | undefined) ?? Buffer.alloc(0);
}

function numberOf(message: Message, field: number): bigint {
  return (message.get(field)?.[0] as bigint | undefined) ?? 0n;
}

/** Reads the fields of one message: numbers (wire types 0, 1 and 5) and bytes (wire type 2). */
function decode(bytes: Buffer): Message {
  const message: Message = new Map();
  let at = 0;
  const readNumber = (): bigint => {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = bytes.readUInt8(at);
      at += 1;
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
  };
  const take = (length: number): Buffer => {
    at += length;
    return bytes.subarray(at - length, at);
  };
  while (at < bytes.length) {
    const tag = Number(readNumber());
    const wire = tag & 7;
    const value =
      wire === 0
        ? readNumber()
        : wire === 1
          ? take(8).readBigUInt64LE()
          : wire === 5
            ? BigInt(take(4).readUInt32LE())
            : take(Number(readNumber()));
    message.set(tag >>> 3, [...(message.get(tag >>> 3) ?? []), value]);
  }
  return message;
}
