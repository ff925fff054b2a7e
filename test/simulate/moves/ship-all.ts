import { liveOrders, readPrinted, SHIPPED } from '../judge/read-books.ts';
import { ask, Refused, type Scene } from '../scene.ts';

/** Makes the print service accept payments again and ships all live print orders of the order. */
export async function shipAll(scene: Scene): Promise<void> {
  await ask(scene, 'print', '/payment', { refused: false });
  for (const { id, fulfillmentStatus } of liveOrders(await readPrinted(scene))) {
    if (SHIPPED.includes(fulfillmentStatus)) continue;
    await ask(scene, 'print', `/orders/${id}/advance`, { to: 'shipped' }).catch((error: unknown) => {
      if (!(error instanceof Refused)) throw error;
    });
  }
}
