import { expect, test } from 'vitest';
import { postToSlack } from '../../../src/alerts/channels/post-to-slack.ts';
import type { Message } from '../../../src/alerts/messages/message.ts';
import { isPublicAddress } from '../../../src/print/files/is-public-address.ts';
import { startFileServer } from '../../print/files/file-server.ts';

const MESSAGE: Message = {
  language: 'en',
  subject: 'Demo: 1 order needs your attention',
  sections: [{ title: 'Address too long', links: [{ label: '#1001 <!channel>', url: 'https://admin.example/1001' }] }],
  footer: { text: 'Sent by Platen.', link: { label: 'Change alerts', url: 'https://admin.example/settings' } },
};

test('a chat receives the message as JSON, and markup in an order’s name cannot notify the whole channel', async () => {
  const bodies: string[] = [];
  const chat = await startFileServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => (body += String(chunk)));
    request.on('end', () => {
      bodies.push(`${request.method} ${request.headers['content-type']} ${body}`);
      response.end('ok');
    });
  });
  await postToSlack(chat.url('/services/T0/B0/secret').href, MESSAGE, chat.network);
  const text = [
    '*Demo: 1 order needs your attention*',
    '*Address too long*\n<https://admin.example/1001|#1001 &lt;!channel&gt;>',
    'Sent by Platen. <https://admin.example/settings|Change alerts>',
  ].join('\n\n');
  expect(bodies).toEqual([`POST application/json ${JSON.stringify({ text, unfurl_links: false })}`]);
});

test('a message fails with a problem that names the cause if the chat refuses it, redirects it, is overloaded or is not public', async () => {
  let status = 404;
  const chat = await startFileServer((_request, response) =>
    response.writeHead(status, { location: 'https://other.example/' }).end('no_service'),
  );
  const post = (network = chat.network) => postToSlack(chat.url('/x').href, MESSAGE, network);
  await expect(post()).rejects.toMatchObject({ problem: 'chat_refused' });
  status = 302;
  await expect(post()).rejects.toMatchObject({ problem: 'chat_refused' });
  status = 429;
  await expect(post()).rejects.toMatchObject({ problem: 'chat_unavailable' });
  status = 503;
  await expect(post()).rejects.toMatchObject({ problem: 'chat_unavailable' });
  const before = chat.connections();
  await expect(post({ ...chat.network, isPublic: isPublicAddress })).rejects.toMatchObject({
    problem: 'chat_not_public',
  });
  await expect(postToSlack('https://127.0.0.1/x', MESSAGE)).rejects.toMatchObject({ problem: 'chat_not_public' });
  await expect(post({ ...chat.network, resolve: () => Promise.reject(new Error('down')) })).rejects.toMatchObject({
    problem: 'chat_unavailable',
  });
  expect(chat.connections()).toBe(before);
});
