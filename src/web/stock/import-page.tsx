// A list of filaments or spools as a CSV file: what each row would do, and then all of it written, or nothing.
import { useApolloClient } from '@apollo/client/react';
import { type DragEvent, useMemo, useRef, useState } from 'react';
import { stockKindOf } from '../../farm/stock/stock-import.kind';
import {
  ImportStockDocument,
  type ImportStockMutation,
  type ImportStockMutationVariables,
  type StockKind,
} from '../../generated/web-operations';
import { Button } from '../parts/button';
import { ChoiceField } from '../parts/choice-field';
import { CsvLinks } from '../parts/csv-links';
import { useFilters } from '../parts/filters';
import { Field, Form } from '../parts/form';
import { LinkButton } from '../parts/link-button';
import { Empty, Outcome } from '../parts/loading-states';
import { Page, Section } from '../parts/page';
import { problemOf } from '../parts/problem';
import { useMayWrite } from '../parts/use-viewer';
import styles from './import.module.css';
import { ImportRows } from './import-rows';

type Shown = ImportStockMutation['importStock'];

const KINDS = {
  FILAMENTS: { word: 'filaments', path: '/filaments', file: '/reports/filaments.csv' },
  SPOOLS: { word: 'spools', path: '/spools', file: '/reports/spools.csv' },
} satisfies Record<StockKind, object>;

export function ImportPage() {
  const mayWrite = useMayWrite();
  return (
    <Page
      title="Import"
      about="Filaments and spools from a list. Nothing is written before you have seen what each row does."
    >
      {mayWrite ? <Import /> : <Empty>Your key may not write, so it brings no list along.</Empty>}
    </Page>
  );
}

function Import() {
  const [filterOf] = useFilters();
  const [kind, setKind] = useState<StockKind>(filterOf('kind') === 'FILAMENTS' ? 'FILAMENTS' : 'SPOOLS');
  const [csv, setCsv] = useState('');
  const [fault, setFault] = useState('');
  const [isOver, setOver] = useState(false);
  const [answered, setAnswered] = useState<{ of: ImportStockMutationVariables; shown: Shown }>();
  const [isBusy, setBusy] = useState(false);
  const apollo = useApolloClient();
  const picked = useRef<HTMLInputElement>(null);
  const { word, file, path } = KINDS[kind];
  // What another text would do says nothing of this one.
  const shown = answered?.of.csv === csv && answered.of.kind === kind ? answered.shown : undefined;
  const isOfFile = fault !== '' && shown === undefined;
  // The form shows a fault until it is another object.
  const faults = useMemo((): Record<string, string> => (isOfFile ? { '': fault } : {}), [isOfFile, fault]);
  const take = (text: string, of = kind) => {
    setCsv(text);
    setKind(of);
    setFault('');
  };
  /** It sends no Idempotency-Key: a confirm is written once anyway, and the answer to a large file is too long to be stored with a key. */
  const ask = async (variables: ImportStockMutationVariables) => {
    setBusy(true);
    setFault('');
    try {
      const { data } = await apollo.mutate({ mutation: ImportStockDocument, variables, fetchPolicy: 'no-cache' });
      if (data) setAnswered({ of: { ...variables, confirm: null }, shown: data.importStock });
    } catch (error) {
      setFault(problemOf(error).message);
    } finally {
      setBusy(false);
    }
  };
  const read = async (given: File | undefined) => {
    if (given === undefined) return;
    const text = await textOf(given);
    // The same file may be chosen again, after it was corrected.
    if (picked.current) picked.current.value = '';
    if (text === null) {
      take('');
      setFault(`${given.name} is not UTF-8: save it as "CSV UTF-8" in the spreadsheet.`);
      return;
    }
    const of = kindOf(text) ?? kind;
    take(text, of);
    await ask({ kind: of, csv: text });
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
          isEdited={csv !== '' && shown?.confirm !== null}
          onSubmit={() => void ask({ kind, csv })}
          actions={
            <Button type="submit" kind={shown?.confirm == null ? 'main' : 'plain'} isBusy={isBusy}>
              Preview
            </Button>
          }
        >
          <ChoiceField
            name="kind"
            label="A list of"
            value={kind}
            onChange={({ target }) => take(csv, target.value as StockKind)}
            choices={[
              ['FILAMENTS', 'Filaments'],
              ['SPOOLS', 'Spools'],
            ]}
          />
          <Field
            name="file"
            label="A CSV file"
            hint="Choose one, or drop it here."
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
              label="Or its text"
              hint="The first line names the columns."
              value={csv}
              required
              control={<textarea value={csv} onChange={({ target }) => take(target.value)} />}
            />
          </div>
          <div className={styles['files']}>
            <span>{`All ${word}, with the columns that the file needs:`}</span>
            <CsvLinks path={file} members={{}} />
          </div>
        </Form>
      </div>
      {shown !== undefined && (
        <Section
          title={shown.written ? 'Written' : 'What it does'}
          about={sumOf(shown)}
          actions={
            <>
              <Outcome isBad>{fault}</Outcome>
              {shown.written ? (
                <LinkButton to={path} kind="main">{`Open the ${word}`}</LinkButton>
              ) : (
                shown.confirm !== null && (
                  <Button kind="main" isBusy={isBusy} onClick={() => void ask({ kind, csv, confirm: shown.confirm })}>
                    {`Write: ${shown.creates} new, ${shown.updates} changed`}
                  </Button>
                )
              )}
            </>
          }
        >
          <ImportRows rows={shown.rows} same={shown.same} />
        </Section>
      )}
    </>
  );
}

const sumOf = ({ creates, updates, same, refused, written }: Shown): string =>
  [
    `${creates} new, ${updates} changed, ${same} the same`,
    ...(refused > 0 ? [`${refused} refused: nothing is written before they are corrected`] : []),
    ...(written ? ['all are written'] : []),
  ].join(', ');

/** Null for another encoding than UTF-8. */
async function textOf(file: File): Promise<string | null> {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(await file.arrayBuffer());
  } catch {
    return null;
  }
}

/** Undefined where the first line does not say. */
function kindOf(text: string): StockKind | undefined {
  const [head = ''] = text.split(/[\r\n]/, 1);
  return stockKindOf(head.split(/[,;\t]/).map((name) => name.replace(/["\ufeff]/g, '')));
}
