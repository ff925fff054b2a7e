import { systemClock } from '../../clock.ts';
import { Agent, request } from 'undici';

const MAX_BYTES = 64 * 1024;
const TIMEOUT_MS = 5_000;

/** The response from an address. */
export interface ProbeResponse {
  status: number;
  body: string;
  /** The time in the Date header, or null. */
  date: Date | null;
  milliseconds: number;
}

/** Requests an address once, without credentials and without following redirects. Rejects if it does not respond in time. */
export async function probeAddress(url: string, timeoutMs: number = TIMEOUT_MS): Promise<ProbeResponse> {
  const agent = new Agent({ maxResponseSize: MAX_BYTES, connect: { timeout: timeoutMs } });
  const begun = systemClock.ticks();
  try {
    const {
      statusCode: status,
      headers,
      body,
    } = await request(url, {
      dispatcher: agent,
      signal: systemClock.timeout(timeoutMs),
    });
    const milliseconds = systemClock.ticks() - begun;
    const date = new Date(String(headers['date']));
    const text = await body.text();
    return { status, body: text, date: Number.isNaN(date.getTime()) ? null : date, milliseconds };
  } finally {
    await agent.destroy();
  }
}
