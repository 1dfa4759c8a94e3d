// The page that imports a list of filaments or spools: a CSV file, a preview of what each row does, and the import of all rows or none.
import { type DragEvent, useMemo, useRef, useState } from 'react';
import { decodeFile, explainEncoding, findStockKind } from '../../farm/stock/stock-import.text';
import type { StockKind } from '../../generated/web-operations';
import { Button } from '../parts/button';
import { ChoiceField } from '../parts/choice-field';
import { CsvLinks } from '../parts/csv-links';
import { useFilters } from '../parts/filters';
import { Field, Form } from '../parts/form';
import { LinkButton } from '../parts/link-button';
import { Empty, Outcome } from '../parts/loading-states';
import { Page, Section } from '../parts/page';
import { useMayWrite } from '../parts/use-viewer';
import styles from './import.module.css';
import { IgnoreColumns, MissingMaterials } from './import-offers';
import { ImportRows } from './import-rows';
import { type List, type Shown, unknownColumnsIn, useImport } from './use-import';

const KINDS = {
  FILAMENTS: { word: 'products', path: '/filaments', file: '/reports/filaments.csv' },
  SPOOLS: { word: 'spools', path: '/spools', file: '/reports/spools.csv' },
} satisfies Record<StockKind, object>;

export function ImportPage() {
  const mayWrite = useMayWrite();
  return (
    <Page title="Import" about="Import products or spools from a list. You see a preview before anything is written.">
      {mayWrite ? <Import /> : <Empty>Your key is read-only. Importing needs a key that can write.</Empty>}
    </Page>
  );
}

function Import() {
  const [filterOf] = useFilters();
  const [list, setList] = useState<List>({
    kind: filterOf('kind') === 'FILAMENTS' ? 'FILAMENTS' : 'SPOOLS',
    csv: '',
  });
  const [encodingFault, setEncodingFault] = useState('');
  const [isOver, setOver] = useState(false);
  const { answered, refused, isBusy, preview, more, write } = useImport();
  const picked = useRef<HTMLInputElement>(null);
  const { word, file, path } = KINDS[list.kind];
  // A preview of another text says nothing about this one.
  const isOfList = (of: List | undefined) => of?.csv === list.csv && of.kind === list.kind;
  const shown = isOfList(answered?.of) ? answered?.shown : undefined;
  const problem = isOfList(refused?.of) ? refused?.problem : undefined;
  const fault = encodingFault || (problem?.message ?? '');
  const unknownColumns = problem ? unknownColumnsIn(problem) : [];
  const isOfFile = fault !== '' && shown === undefined;
  // The form shows a fault until it is another object.
  const faults = useMemo((): Record<string, string> => (isOfFile ? { '': fault } : {}), [isOfFile, fault]);
  const take = (csv: string, kind = list.kind) => {
    setList({ kind, csv });
    setEncodingFault('');
  };
  const previewOf = (changed: List) => {
    setList(changed);
    return preview(changed);
  };
  const read = async (given: File | undefined) => {
    if (given === undefined) return;
    const csv = decodeFile(new Uint8Array(await given.arrayBuffer()));
    // The same file may be chosen again, after it was corrected.
    if (picked.current) picked.current.value = '';
    take('');
    if (csv === null) setEncodingFault(explainEncoding(given.name));
    else await previewOf({ kind: findStockKind(csv) ?? list.kind, csv });
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    void read(event.dataTransfer.files[0]);
  };
  return (
    <>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: a place to drop a file; the field in it does the same by keys */}
      <div
        className={styles['drop']}
        data-over={isOver}
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={drop}
      >
        <Form
          faults={faults}
          isEdited={list.csv !== '' && shown?.confirm !== null}
          onSubmit={() => void preview(list)}
          actions={
            <Button type="submit" kind={shown?.confirm == null ? 'main' : 'plain'} isBusy={isBusy}>
              Preview
            </Button>
          }
        >
          <ChoiceField
            name="kind"
            label="Import"
            value={list.kind}
            onChange={({ target }) => take(list.csv, target.value as StockKind)}
            choices={[
              ['FILAMENTS', 'Products'],
              ['SPOOLS', 'Spools'],
            ]}
          />
          <Field
            name="file"
            label="A CSV file"
            hint="Choose a file, or drop it here."
            control={
              <input
                ref={picked}
                type="file"
                accept=".csv,.tsv,.txt,text/csv"
                onChange={({ target }) => void read(target.files?.[0])}
              />
            }
          />
          <div className={styles['paste']}>
            <Field
              name="csv"
              label="Or paste it"
              hint="The first line names the columns."
              value={list.csv}
              required
              control={<textarea value={list.csv} onChange={({ target }) => take(target.value)} />}
            />
          </div>
          <div className={styles['files']}>
            <span>{`Download all ${word} as a file with the right columns:`}</span>
            <CsvLinks path={file} members={{}} />
          </div>
        </Form>
        <IgnoreColumns
          columns={unknownColumns}
          isBusy={isBusy}
          onIgnore={() =>
            void previewOf({ ...list, ignoreColumns: [...(list.ignoreColumns ?? []), ...unknownColumns] })
          }
        />
      </div>
      {shown !== undefined && (
        <Section
          title={shown.written ? 'Imported' : 'Preview'}
          about={sumOf(shown)}
          actions={
            <>
              <Outcome isBad>{fault}</Outcome>
              {shown.written ? (
                <LinkButton to={path} kind="main">{`Open ${word}`}</LinkButton>
              ) : (
                shown.confirm !== null && (
                  <Button kind="main" isBusy={isBusy} onClick={() => void write()}>
                    {`Import ${shown.creates} new, ${shown.updates} changed`}
                  </Button>
                )
              )}
            </>
          }
        >
          <MissingMaterials
            shown={shown}
            isAdding={list.addMaterials === true}
            isBusy={isBusy}
            onAdd={() => void previewOf({ ...list, addMaterials: true })}
          />
          <ImportRows shown={shown} isBusy={isBusy} onMore={() => void more()} />
        </Section>
      )}
    </>
  );
}

const sumOf = ({ creates, updates, same, refused, written }: Shown): string =>
  [
    `${creates} new, ${updates} changed, ${same} unchanged`,
    ...(refused > 0 ? [`${refused} refused: correct them before you import`] : []),
    ...(written ? ['all rows are imported'] : []),
  ].join(', ');
