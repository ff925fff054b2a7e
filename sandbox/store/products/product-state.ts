// A product in the books of the sandbox store.

export interface Product {
  id: string;
  shop: string;
  title: string;
  handle: string;
  status: 'ACTIVE' | 'ARCHIVED' | 'DRAFT' | 'UNLISTED';
  vendor: string;
  productType: string;
  tags: string[];
  isGiftCard: boolean;
  options: string[];
  createdAt: string;
  updatedAt: string;
  variants: Variant[];
}

export interface Variant {
  id: string;
  title: string;
  sku: string | null;
  barcode: string | null;
  price: string;
  compareAtPrice: string | null;
  taxable: boolean;
  inventoryPolicy: 'DENY' | 'CONTINUE';
  optionValues: string[];
  createdAt: string;
  updatedAt: string;
  inventoryItem: InventoryItem;
}

export interface InventoryItem {
  id: string;
  tracked: boolean;
  requiresShipping: boolean;
  weightGrams: number;
  createdAt: string;
  updatedAt: string;
  levels: InventoryLevel[];
}

export interface InventoryLevel {
  id: string;
  locationId: string;
  isActive: boolean;
  available: number;
  createdAt: string;
  updatedAt: string;
}
