// Shows the page that imports products or spools from a CSV file: a preview of each row, then the import of all rows or none.
import { type DragEvent, useMemo, useRef, useState } from 'react';
import { decodeFile, explainEncoding, findStockKind } from '../../farm/stock/stock-import.text';
import type { StockKind } from '../../generated/web-operations';
import { Button } from '../parts/button';
import { ChoiceField } from '../parts/choice-field';
import { useConfirm } from '../parts/confirm';
import { CsvLinks } from '../parts/csv-links';
import { useFilters } from '../parts/filters';
import { Field, Form } from '../parts/form';
import { LinkButton } from '../parts/link-button';
import { Empty, Outcome } from '../parts/loading-states';
import { SPOOLMAN_ADDRESS } from '../parts/object-addresses';
import { Page, Section } from '../parts/page';
import { useMayWrite } from '../parts/use-viewer';
import styles from './import.module.css';
import { IgnoreColumns, MissingMaterials } from './import-offers';
import { ImportRows } from './import-rows';
import { findUnknownColumns, type ImportList, type ImportResult, useImport } from './use-import';

const KINDS = {
  FILAMENTS: { noun: 'products', path: '/filaments', file: '/reports/filaments.csv' },
  SPOOLS: { noun: 'spools', path: '/spools', file: '/reports/spools.csv' },
} satisfies Record<StockKind, object>;

export function ImportPage() {
  const mayWrite = useMayWrite();
  return (
    <Page
      title="Import"
      about="Import products or spools from a list. You see a preview before anything is written."
      actions={<LinkButton to={SPOOLMAN_ADDRESS}>Import from Spoolman</LinkButton>}
    >
      {mayWrite ? <Import /> : <Empty>Your key is read-only. Importing needs a key that can write.</Empty>}
    </Page>
  );
}

function Import() {
  const [getFilter] = useFilters();
  const [list, setList] = useState<ImportList>({
    kind: getFilter('kind') === 'FILAMENTS' ? 'FILAMENTS' : 'SPOOLS',
    csv: '',
  });
  const [encodingFault, setEncodingFault] = useState('');
  const [isDraggingOver, setDraggingOver] = useState(false);
  const { answer, rejection, isBusy, preview, readMore, write } = useImport();
  const confirm = useConfirm();
  const fileInput = useRef<HTMLInputElement>(null);
  const { noun, file, path } = KINDS[list.kind];
  // A preview is shown only for the list that it was made from.
  const isSameList = (other: ImportList | undefined) => other?.csv === list.csv && other.kind === list.kind;
  const result = isSameList(answer?.list) ? answer?.result : undefined;
  const problem = isSameList(rejection?.list) ? rejection?.problem : undefined;
  const fault = encodingFault || (problem?.message ?? '');
  const unknownColumns = problem ? findUnknownColumns(problem) : [];
  const isFaultOfFile = fault !== '' && result === undefined;
  // The form shows the fault again for each new object, so the object must stay the same.
  const faults = useMemo((): Record<string, string> => (isFaultOfFile ? { '': fault } : {}), [isFaultOfFile, fault]);
  const changeText = (csv: string, kind = list.kind) => {
    setList({ kind, csv });
    setEncodingFault('');
  };
  const previewList = (changed: ImportList) => {
    setList(changed);
    setEncodingFault('');
    return preview(changed);
  };
  const readFile = async (file: File | undefined) => {
    if (file === undefined) return;
    const csv = decodeFile(new Uint8Array(await file.arrayBuffer()));
    // The user can choose the same file again after correcting it.
    if (fileInput.current) fileInput.current.value = '';
    if (csv === null) setEncodingFault(explainEncoding(file.name));
    else await previewList({ kind: findStockKind(csv) ?? list.kind, csv });
  };
  const confirmAndWrite = async (warnings: number) => {
    const rows = warnings === 1 ? '1 row has' : `${warnings.toLocaleString()} rows have`;
    const question = {
      title: 'More than a full spool',
      text: `${rows} a weight above a full spool, as the preview shows. Import anyway?`,
      action: 'Import anyway',
      dismiss: 'Correct the file',
    };
    if (warnings === 0 || (await confirm(question))) await write();
  };
  const handleDrop = (event: DragEvent) => {
    event.preventDefault();
    setDraggingOver(false);
    void readFile(event.dataTransfer.files[0]);
  };
  return (
    <>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: a file can be dropped here; the file field inside does the same by keyboard */}
      <div
        className={styles['drop']}
        data-over={isDraggingOver}
        onDragOver={(event) => {
          event.preventDefault();
          setDraggingOver(true);
        }}
        onDragLeave={() => setDraggingOver(false)}
        onDrop={handleDrop}
      >
        <Form
          faults={faults}
          isEdited={list.csv !== '' && result?.confirm !== null}
          onSubmit={() => void preview(list)}
          actions={
            <Button type="submit" kind={result?.confirm == null ? 'main' : 'plain'} isBusy={isBusy}>
              Preview
            </Button>
          }
        >
          <ChoiceField
            name="kind"
            label="Import"
            value={list.kind}
            onChange={({ target }) => changeText(list.csv, target.value as StockKind)}
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
                ref={fileInput}
                type="file"
                accept=".csv,.tsv,.txt,text/csv"
                onChange={({ target }) => void readFile(target.files?.[0])}
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
              control={<textarea value={list.csv} onChange={({ target }) => changeText(target.value)} />}
            />
          </div>
          <div className={styles['files']}>
            <span>{`Download all ${noun} as a file with the right columns:`}</span>
            <CsvLinks path={file} parameters={{}} />
          </div>
        </Form>
        <IgnoreColumns
          columns={unknownColumns}
          isBusy={isBusy}
          onIgnore={() =>
            void previewList({ ...list, ignoreColumns: [...(list.ignoreColumns ?? []), ...unknownColumns] })
          }
        />
      </div>
      {result !== undefined && (
        <Section
          title={result.written ? 'Imported' : 'Preview'}
          about={summarize(result)}
          actions={
            <>
              <Outcome isBad>{fault}</Outcome>
              {result.written ? (
                <LinkButton to={path} kind="main">{`Open ${noun}`}</LinkButton>
              ) : (
                result.confirm !== null && (
                  <Button kind="main" isBusy={isBusy} onClick={() => void confirmAndWrite(result.warnings)}>
                    {`Import ${result.creates} new, ${result.updates} changed`}
                  </Button>
                )
              )}
            </>
          }
        >
          <MissingMaterials
            result={result}
            isAdding={list.addMaterials === true}
            isBusy={isBusy}
            onAdd={() => void previewList({ ...list, addMaterials: true })}
          />
          <ImportRows result={result} isBusy={isBusy} onMore={() => void readMore()} />
        </Section>
      )}
    </>
  );
}

const summarize = ({ creates, updates, same, refused, warnings, written }: ImportResult): string =>
  [
    `${creates} new, ${updates} changed, ${same} unchanged`,
    ...(refused > 0 ? [`${refused} refused: correct them before you import`] : []),
    ...(warnings > 0 && !written ? [`${warnings} to check: more than a full spool`] : []),
    ...(written ? ['all rows are imported'] : []),
  ].join(', ');
