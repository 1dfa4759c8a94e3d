// Decides which products must be bought and how many spools of each, and writes the list as text and as CSV.
import type { FilamentsQuery } from '../../generated/web-operations';
import { type Cell, type CsvForm, defineCsv } from '../../values/csv';
import { add, countParts, isAbove, multiply, subtract } from '../parts/exact-decimals';
import { compareNaturally, filamentName } from '../parts/formats';
import { formatGrams } from '../parts/numbers';
import { formatSpoolGrams } from '../parts/spool-grams';

type Product = FilamentsQuery['filaments']['nodes'][number];

/** A product to buy. */
export interface Purchase {
  product: Product;
  /** The grams that must be bought for the minimum stock to be free after all queued and printing jobs. */
  missingGrams: string;
  /** `null` if the net weight of the product is 0. */
  spools: number | null;
  /** The price of these spools; `null` if it is unknown. */
  price: string | null;
}

/** The products with less free filament than their minimum stock, or less than their jobs need. Sorted by vendor and name. */
export function listPurchases(products: readonly Product[]): Purchase[] {
  return products
    .filter(({ archivedAt }) => archivedAt === null)
    .map((product) => ({ product, missingGrams: findMissingGrams(product) }))
    .filter(({ missingGrams }) => isAbove(missingGrams, '0'))
    .map(({ product, missingGrams }) => {
      const spools = countParts(missingGrams, product.weightTotalGrams);
      const price = spools === null || product.purchasePrice === null ? null : multiply(product.purchasePrice, spools);
      return { product, missingGrams, spools, price };
    })
    .sort((a, b) => compareNaturally(filamentName(a.product), filamentName(b.product)));
}

/** The free grams are what remains after all queued and printing jobs, so they are below 0 if the jobs need more than remains. */
const findMissingGrams = ({ minimumGrams, stock }: Product): string => subtract(minimumGrams ?? '0', stock.freeGrams);

interface PurchaseTotals {
  spools: number;
  /** The price of all spools with a known price; `null` if no price is known. */
  price: string | null;
  /** How many products have no price. */
  withoutPrice: number;
}

export function sumPurchases(purchases: readonly Purchase[]): PurchaseTotals {
  const prices = purchases.flatMap(({ price }) => price ?? []);
  return {
    spools: purchases.reduce((sum, { spools }) => sum + (spools ?? 0), 0),
    price: prices.length === 0 ? null : add('0', ...prices),
    withoutPrice: purchases.length - prices.length,
  };
}

/** The list as text for a message, one line for each product. */
export function writeShoppingText(purchases: readonly Purchase[], money: (amount: string) => string): string {
  const lines = purchases.map(({ product, missingGrams, spools, price }) => {
    const { articleNumber, weightTotalGrams, purchasePrice } = product;
    const details = [
      articleNumber && `article ${articleNumber}`,
      `${formatSpoolGrams(missingGrams)} missing`,
      price !== null && purchasePrice !== null && `${money(purchasePrice)} per spool`,
    ];
    const count = spools === null ? '' : `${spools} × `;
    return `${count}${filamentName(product)}, ${formatGrams(weightTotalGrams)} (${details.filter(Boolean).join(', ')})`;
  });
  return `${lines.join('\n')}\n`;
}

const exact = (value: string | null): Cell => value && { value };

/** The columns of the file. Columns of the export of products have the same names and meanings. */
const CSV = defineCsv<Purchase>(
  {
    number: ({ product }) => product.number,
    name: ({ product }) => product.name,
    vendor: ({ product }) => product.vendor,
    articleNumber: ({ product }) => product.articleNumber,
    material: ({ product }) => product.material.name,
    colorHex: ({ product }) => product.colorHex,
    weightTotalGrams: ({ product }) => exact(product.weightTotalGrams),
    freeGrams: ({ product }) => exact(product.stock.freeGrams),
    plannedGrams: ({ product }) => exact(product.stock.plannedGrams),
    minimumGrams: ({ product }) => exact(product.minimumGrams),
    missingGrams: ({ missingGrams }) => exact(missingGrams),
    spoolsToOrder: ({ spools }) => spools,
    purchasePrice: ({ product }) => exact(product.purchasePrice),
    totalPrice: ({ price }) => exact(price),
  },
  ['purchasePrice', 'totalPrice'],
);

export function writeShoppingCsv(purchases: Purchase[], form: CsvForm, currency: string | null): string {
  const { header, lines } = CSV(form, currency);
  return header + lines(purchases);
}
