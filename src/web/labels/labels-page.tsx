// Shows labels with codes for spools and products. The address holds the chosen objects and the paper, and the browser prints the labels.
import { useQuery } from '@apollo/client/react';
import { useMemo } from 'react';
import { LabelAddressDocument } from '../../generated/web-operations';
import { isLoopback } from '../../values/loopback';
import { Button } from '../parts/button';
import { ChoiceFilter, FieldFilter, Filters, useFilters } from '../parts/filters';
import { ROOT } from '../parts/gateway-url';
import { combineQueries, Empty, Loaded, Outcome } from '../parts/loading-states';
import { filamentChoices, selectableRows, spoolChoices, useFilaments, useSpools } from '../parts/object-choices';
import { Page } from '../parts/page';
import { AddLabel, ChosenLabels } from './chosen-labels';
import { countUsedLabels, isRoll, SHEETS, type Sheet } from './label-sheets';
import { createFilamentLabel, createSpoolLabel, findRows, type Label, splitList } from './label-texts';
import styles from './labels.module.css';
import { PrintedLabels } from './printed-labels';
import { createCodes } from './qr-codes';

const [DEFAULT_PAPER] = Object.keys(SHEETS) as [string];
const PAPERS = Object.fromEntries(Object.entries(SHEETS).map(([paper, { name }]) => [paper, name]));

export function LabelsPage() {
  const [getFilter] = useFilters();
  const spools = useSpools();
  const filaments = useFilaments();
  const address = useQuery(LabelAddressDocument);
  const isKnownPaper = Object.hasOwn(SHEETS, getFilter('sheet'));
  const paper = isKnownPaper ? getFilter('sheet') : DEFAULT_PAPER;
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
        <AddLabel
          name="spools"
          label="Add a spool"
          choices={spoolChoices(selectableRows(spools.data?.spools.nodes ?? []))}
        />
        <AddLabel
          name="filaments"
          label="Add a product"
          choices={filamentChoices(selectableRows(filaments.data?.filaments.nodes ?? []))}
        />
      </Filters>
      <Loaded query={combineQueries(combineQueries(spools, filaments), address)} what="the spools and products">
        {({ spools, filaments, publicUrl }) => {
          const chosenSpools = findRows(spools.nodes, splitList(getFilter('spools')));
          const chosenFilaments = findRows(filaments.nodes, splitList(getFilter('filaments')));
          const labels = [...chosenSpools.rows.map(createSpoolLabel), ...chosenFilaments.rows.map(createFilamentLabel)];
          const problems = [
            ...(isKnownPaper || getFilter('sheet') === ''
              ? []
              : [`Unknown paper “${getFilter('sheet')}”: choose one from the list.`]),
            ...chosenSpools.missing.map((name) => `Spool ${name} was not found.`),
            ...chosenFilaments.missing.map((name) => `Product ${name} was not found.`),
          ];
          return (
            <>
              <ChosenLabels spools={chosenSpools.choices} filaments={chosenFilaments.choices} />
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
  const [getFilter] = useFilters();
  const sheet = SHEETS[paper] as Sheet;
  const addresses = labels.map(({ number }) => `${base}n/${number}`).join('\n');
  const codes = useMemo(() => createCodes(addresses.split('\n')), [addresses]);
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
        skip={countUsedLabels(sheet, getFilter('skip'))}
        labels={labels.flatMap((label, index) => {
          const code = codes[index];
          return code ? { ...label, address: `${base}n/${label.number}`, code } : [];
        })}
      />
    </>
  );
}
