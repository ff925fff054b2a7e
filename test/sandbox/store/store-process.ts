import { startStore } from '../../../sandbox/store/start.ts';

// Runs a store in a separate process so that a test can kill the process. Arguments: the folder of the store's books and the app's URL.
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
