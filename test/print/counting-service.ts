import { createServer, type AddressInfo } from 'node:net';

// Runs a service in a separate process. The service responds to every request with the process's first argument, and reports the number of
// bytes received over all connections.
const body = process.argv[2] ?? '';
let bytes = 0;
const server = createServer((socket) => {
  socket.on('error', () => {});
  socket.on('data', (chunk) => {
    bytes += chunk.length;
    socket.end(`HTTP/1.1 200 OK\r\ncontent-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`);
  });
});
process.on('message', () => process.send?.(bytes));
server.listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => process.send?.((server.address() as AddressInfo).port));
