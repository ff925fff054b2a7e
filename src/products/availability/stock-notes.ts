const SENTENCES = {
  not_at_location:
    "It cannot be delivered, but it stays sellable: Platen only changes variants that are stocked at Platen's location.",
  tracked_by_merchant: 'It cannot be delivered, but it stays sellable: your store already counts its stock.',
  own_stock: 'The print service cannot deliver it, but it stays sellable: there is stock of it at another location.',
  changed: 'Platen made it unsellable, and someone has changed that in the store. It stays as it is now.',
  counted_since:
    'After Platen made it unsellable, stock was entered for it at another location, so its stock is still tracked. To sell it without tracking, switch off "Track quantity" in the store.',
  no_permission:
    'Platen made it unsellable and cannot restore it, because the store no longer grants the permission write_products.',
  unsellable: 'It cannot be delivered to any region that the shop ships to.',
} as const;

/** A note on a variant's stock. */
export type StockNote = { code: string; message: string } | null;

/** Explains the state of a variant's stock to the merchant. */
export function sayOfStock(code: keyof typeof SENTENCES): NonNullable<StockNote> {
  return { code, message: SENTENCES[code] };
}
