// Shows the shopping list: the products to buy, with the spools to order of each. Users copy, download or print it.
import { useQuery } from '@apollo/client/react';
import { useState } from 'react';
import { Link } from 'react-router';
import { FilamentsDocument } from '../../generated/web-operations';
import { type CsvForm, PLAIN_FORM } from '../../values/csv';
import { announce } from '../parts/announcer';
import { Button } from '../parts/button';
import { Command } from '../parts/command';
import { copyText } from '../parts/copy-text';
import { saveFile } from '../parts/csv-links';
import { Empty, Loaded } from '../parts/loading-states';
import { useMoney } from '../parts/money';
import { usesDecimalComma } from '../parts/numbers';
import { Page } from '../parts/page';
import { useCurrency } from '../parts/use-viewer';
import { listPurchases, type Purchase, sumPurchases, writeShoppingCsv, writeShoppingText } from './shopping-list';
import { ShoppingTable } from './shopping-table';

export function ShoppingPage() {
  const query = useQuery(FilamentsDocument, { variables: { archived: false }, context: { isWhole: true } });
  const money = useMoney();
  const purchases = listPurchases((query.data ?? query.previousData)?.filaments.nodes ?? []);
  const [uncopied, setUncopied] = useState<string>();
  const copy = async () => {
    const text = writeShoppingText(purchases, money);
    const isCopied = await copyText(text);
    if (isCopied) announce('Shopping list copied.');
    setUncopied(isCopied ? undefined : text);
  };
  return (
    <Page
      title="Shopping list"
      about={purchases.length === 0 ? undefined : summarize(purchases, money)}
      actions={
        purchases.length > 0 && (
          <>
            <Download purchases={purchases} />
            <Button onClick={() => window.print()}>Print list</Button>
            <Button kind="main" onClick={() => void copy()}>
              Copy as text
            </Button>
          </>
        )
      }
    >
      {uncopied !== undefined && <Command text={uncopied} label="shopping list" />}
      <Loaded query={query} what="the products">
        {() =>
          purchases.length === 0 ? (
            <Empty>
              <span>
                {
                  'Nothing to buy. A product appears here when less than its minimum stock is free, or when jobs need more than is left. '
                }
              </span>
              <Link to="/filaments">See all products</Link>
            </Empty>
          ) : (
            <ShoppingTable purchases={purchases} />
          )
        }
      </Loaded>
    </Page>
  );
}

function summarize(purchases: readonly Purchase[], money: (amount: string) => string): string {
  const { spools, price, withoutPrice } = sumPurchases(purchases);
  const parts = [
    `${count(purchases.length, 'product')}, ${count(spools, 'spool')} to order`,
    price && money(price),
    price && withoutPrice > 0 && `${count(withoutPrice, 'product')} without a price`,
  ];
  return `${parts.filter(Boolean).join(', ')}. ${new Date().toLocaleDateString(undefined, { dateStyle: 'medium' })}`;
}

const count = (number: number, noun: string) => `${number.toLocaleString()} ${noun}${number === 1 ? '' : 's'}`;

/** A spreadsheet in a locale with decimal commas expects semicolons between the columns. */
const SPREADSHEET_FORM: CsvForm = {
  ...PLAIN_FORM,
  bom: true,
  ...(usesDecimalComma && { separator: ';', decimalMark: ',' }),
};

function Download({ purchases }: { purchases: Purchase[] }) {
  const currency = useCurrency();
  const download = (form: CsvForm) => {
    const file = new Blob([writeShoppingCsv(purchases, form, currency)], { type: 'text/csv;charset=utf-8' });
    saveFile(URL.createObjectURL(file), 'shopping-list.csv');
  };
  return (
    <>
      <Button onClick={() => download(PLAIN_FORM)}>Download CSV</Button>
      <Button onClick={() => download(SPREADSHEET_FORM)}>CSV for Excel</Button>
    </>
  );
}
