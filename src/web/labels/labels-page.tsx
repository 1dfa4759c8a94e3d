// Labels with codes for spools and products: which ones and on what paper is in the address, and the browser prints them.
import { useQuery } from '@apollo/client/react';
import { useMemo } from 'react';
import { LabelAddressDocument } from '../../generated/web-operations';
import { isLoopback } from '../../values/loopback';
import { Button } from '../parts/button';
import { ChoiceFilter, FieldFilter, Filters, useFilters } from '../parts/filters';
import { ROOT } from '../parts/gateway-url';
import { both, Empty, Loaded, Outcome } from '../parts/loading-states';
import { filamentChoices, offered, spoolChoices, useFilaments, useSpools } from '../parts/object-choices';
import { Page } from '../parts/page';
import { ChosenOnes, OneMore } from './chosen-labels';
import { isRoll, SHEETS, type Sheet, usedOf } from './label-sheets';
import { found, type Label, labelOfFilament, labelOfSpool, listIn } from './label-texts';
import styles from './labels.module.css';
import { PrintedLabels } from './printed-labels';
import { codesOf } from './qr-codes';

const [USUAL] = Object.keys(SHEETS) as [string];
const PAPERS = Object.fromEntries(Object.entries(SHEETS).map(([paper, { name }]) => [paper, name]));

export function LabelsPage() {
  const [of] = useFilters();
  const spools = useSpools();
  const filaments = useFilaments();
  const address = useQuery(LabelAddressDocument);
  const isKnown = Object.hasOwn(SHEETS, of('sheet'));
  const paper = isKnown ? of('sheet') : USUAL;
  const sheet = SHEETS[paper] as Sheet;
  return (
    <Page
      title="Labels"
      about="Print at 100 % (no “fit to page”). Scan a label with a phone to open its spool."
      actions={
        <Button kind="main" onClick={() => window.print()}>
          Print labels
        </Button>
      }
    >
      <Filters>
        <ChoiceFilter label="Paper" name="sheet" choices={PAPERS} />
        {!isRoll(sheet) && <FieldFilter name="skip" label="Skip labels" type="number" />}
        <OneMore name="spools" label="Add a spool" choices={spoolChoices(offered(spools.data?.spools.nodes ?? []))} />
        <OneMore
          name="filaments"
          label="Add a product"
          choices={filamentChoices(offered(filaments.data?.filaments.nodes ?? []))}
        />
      </Filters>
      <Loaded query={both(both(spools, filaments), address)} what="the spools and products">
        {({ spools, filaments, publicUrl }) => {
          const ofSpools = found(spools.nodes, listIn(of('spools')));
          const ofFilaments = found(filaments.nodes, listIn(of('filaments')));
          const labels = [...ofSpools.rows.map(labelOfSpool), ...ofFilaments.rows.map(labelOfFilament)];
          const problems = [
            ...(isKnown || of('sheet') === '' ? [] : [`Unknown paper “${of('sheet')}”: choose one from the list.`]),
            ...ofSpools.missing.map((name) => `Spool ${name} was not found.`),
            ...ofFilaments.missing.map((name) => `Product ${name} was not found.`),
          ];
          return (
            <>
              <ChosenOnes spools={ofSpools.named} filaments={ofFilaments.named} />
              <p className={styles['problems']}>
                <Outcome isBad>{problems.join(' ')}</Outcome>
              </p>
              <Labels labels={labels} base={publicUrl === null ? ROOT.href : `${publicUrl}/`} paper={paper} />
            </>
          );
        }}
      </Loaded>
    </Page>
  );
}

function Labels({ labels, base, paper }: { labels: readonly Label[]; base: string; paper: string }) {
  const [of] = useFilters();
  const sheet = SHEETS[paper] as Sheet;
  const addresses = labels.map(({ number }) => `${base}n/${number}`).join('\n');
  const codes = useMemo(() => codesOf(addresses.split('\n')), [addresses]);
  if (labels.length === 0) return <Empty>A preview of the labels appears here. Add a spool or a product above.</Empty>;
  return (
    <>
      {isLoopback(new URL(base).hostname) && (
        <p className={styles['warning']} role="status">
          {`Phones cannot open ${base}, the address in these codes. Set PUBLIC_URL to the address that phones use, or open this page at that address.`}
        </p>
      )}
      <PrintedLabels
        paper={paper}
        sheet={sheet}
        skip={usedOf(sheet, of('skip'))}
        labels={labels.flatMap((label, at) => {
          const code = codes[at];
          return code ? { ...label, address: `${base}n/${label.number}`, code } : [];
        })}
      />
    </>
  );
}
