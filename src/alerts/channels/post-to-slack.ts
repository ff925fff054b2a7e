import { request, type Agent } from 'undici';
import { createDeadline, internet, openPublicAgent, type FileNetwork } from '../../print/files/public-host.ts';
import { AlertFailedError } from '../alert-failed-error.ts';
import type { Message } from '../messages/message.ts';
import { toSlackText } from '../messages/to-slack-text.ts';

const TOTAL_MS = 15_000;

/** Posts a message to an incoming webhook of Slack or of a chat with the same format. Throws AlertFailedError. */
export async function postToSlack(address: string, message: Message, network: FileNetwork = internet): Promise<void> {
  const deadline = createDeadline(network.clock, TOTAL_MS);
  let agent: Agent | null = null;
  try {
    const url = new URL(address);
    const opened = await openPublicAgent(url, network, deadline);
    if ('outcome' in opened)
      throw new AlertFailedError(opened.outcome === 'slow' ? 'chat_unavailable' : 'chat_not_public');
    ({ agent } = opened);
    const { statusCode, body } = await request(url, {
      method: 'POST',
      dispatcher: agent,
      headers: { 'content-type': 'application/json', 'user-agent': 'platen' },
      body: JSON.stringify({ text: toSlackText(message), unfurl_links: false }),
      signal: deadline.signal,
    });
    // The body of the response is not read. Closing it also closes the connection.
    body.on('error', () => {}).destroy();
    if (statusCode < 200 || statusCode >= 300)
      throw new AlertFailedError(isTemporary(statusCode) ? 'chat_unavailable' : 'chat_refused');
  } catch (error) {
    throw error instanceof AlertFailedError ? error : new AlertFailedError('chat_unavailable');
  } finally {
    deadline.end();
    await agent?.destroy();
  }
}

function isTemporary(status: number): boolean {
  return status === 429 || status >= 500;
}
