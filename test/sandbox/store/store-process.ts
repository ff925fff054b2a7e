import { startStore } from '../../../sandbox/store/start.ts';

// A store in a process of its own, to be killed: folder of the books and the app's address are the arguments.
const [home = '', appUrl = ''] = process.argv.slice(2);
const { url } = await startStore({
  home,
  port: 0,
  appUrl,
  apiKey: 'sandbox-app',
  apiSecret: 'sandbox-secret',
  webhookRetryMs: [50, 50, 50, 50],
  routingMs: 150,
});
process.stdout.write(`${url}\n`);
