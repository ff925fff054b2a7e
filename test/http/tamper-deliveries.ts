import { createHmac } from 'node:crypto';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { createRandom, type Random } from '../fuzz/random.ts';
import { recordedWebhooks } from '../inbox/recorded-webhooks.ts';
import { signBody, createWebhookHeaders } from './test-app.ts';

/** A delivery that was tampered with: the kind of change, and the request that the endpoint receives. */
interface Tampered {
  how: string;
  body: Buffer;
  headers: Record<string, string>;
}

/** A recorded delivery before tampering. */
interface Signed {
  body: Buffer;
  hmac: string;
}

type Mutation = (signed: Signed, random: Random) => Partial<Signed>;

/** The ways to tamper with a delivery. Each changes the body or the signature, so that the two no longer match. */
const MUTATIONS: Record<string, Mutation> = {
  'a bit of the body is flipped': ({ body }, random) => ({ body: flipRandomBit(body, random) }),
  'a byte is removed': ({ body }, random) => {
    const at = random.below(body.length);
    return { body: Buffer.concat([body.subarray(0, at), body.subarray(at + 1)]) };
  },
  'the body is cut off': ({ body }, random) => ({ body: body.subarray(0, random.below(body.length)) }),
  'the body is compressed': ({ body }, random) => ({
    body: random.pick([gzipSync, deflateSync, brotliCompressSync])(body),
  }),
  'the body is another delivery': (_signed, random) => ({ body: Buffer.from(`{"id":${random.below(1e9)}}`) }),
  'a bit of the signature is flipped': ({ hmac }, random) => ({
    hmac: flipRandomBit(Buffer.from(hmac, 'base64'), random).toString('base64'),
  }),
  'the signature is cut off': ({ hmac }, random) => ({ hmac: hmac.slice(0, random.below(hmac.length)) }),
  'the signature is in hexadecimal': ({ hmac }) => ({ hmac: Buffer.from(hmac, 'base64').toString('hex') }),
  'the signature uses another secret': ({ body }, random) => ({
    hmac: signBody(body, `sandbox-secre${random.below(99)}`),
  }),
  'the signature uses another hash function': ({ body }, random) => ({
    hmac: createHmac(random.pick(['sha1', 'sha512', 'md5']), 'sandbox-secret')
      .update(body)
      .digest('base64'),
  }),
};

/** Yields `count` tampered deliveries for a shop. The same seed yields the same deliveries. */
export function* tamperDeliveries(seed: number, count: number, shop: string): Generator<Tampered> {
  const random = createRandom(seed);
  const mutations = Object.entries(MUTATIONS);
  const small = recordedWebhooks.filter(({ body }) => body.length < 20_000);
  for (let made = 0; made < count; made += 1) {
    const [how, mutate] = mutations[made % mutations.length] ?? random.pick(mutations);
    const { topic, body } = random.pick(small);
    const sent = { body, hmac: signBody(body), ...mutate({ body, hmac: signBody(body) }, random) };
    // The signature in this header replaces the correct signature of the body.
    const headers = createWebhookHeaders(sent.body, { topic, shop, 'X-Shopify-Hmac-Sha256': sent.hmac });
    yield { how, body: sent.body, headers };
  }
}

function flipRandomBit(bytes: Buffer, random: Random): Buffer {
  const changed = Buffer.from(bytes);
  const at = random.below(bytes.length);
  changed[at] = (changed[at] ?? 0) ^ (1 << random.below(8));
  return changed;
}
