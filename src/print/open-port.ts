import type { PrintService } from './client.ts';
import { createCurrentPort } from './current/port-current.ts';
import { createV1Port } from './legacy/port-v1.ts';
import { createV2Port } from './legacy/port-v2.ts';
import type { PortChoice, PrintPort } from './port.ts';

/** Returns the calls that print an order through the chosen interface. */
export function openPort(service: PrintService, choice: PortChoice): PrintPort {
  if (choice.printInterface === 'v1') return createV1Port(service.v1(choice.legacyHost));
  if (choice.printInterface === 'v2') return createV2Port(service.v2(choice.legacyHost));
  return createCurrentPort(service);
}
