const NOTES = {
  not_at_location:
    "The variant cannot be delivered, but it stays sellable: Platen only changes variants that are stocked at Platen's location.",
  tracked_by_merchant: 'The variant cannot be delivered, but it stays sellable: your store already tracks its stock.',
  own_stock: 'The print service cannot deliver the variant, but it stays sellable: another location has it in stock.',
  changed:
    'Platen made the variant unsellable, but someone has since changed this in the store. Platen leaves the variant as it is now.',
  counted_since:
    'After Platen made the variant unsellable, stock was entered at another location, so the stock is still tracked. To sell the variant without tracking, switch off "Track quantity" in the store.',
  no_permission:
    'Platen made the variant unsellable and cannot restore it, because the store no longer lets Platen edit products.',
  unsellable: 'The variant cannot be delivered to any region that the shop ships to.',
} as const;

/** A note on a variant's stock. */
export type StockNote = { code: string; message: string } | null;

/** Explains the state of a variant's stock to the merchant. */
export function toStockNote(code: keyof typeof NOTES): NonNullable<StockNote> {
  return { code, message: NOTES[code] };
}
