// The dialog that adds a printer: the first step connects and names it, the second enters the spools in its slots.
import { useApolloClient } from '@apollo/client/react';
import { useState } from 'react';
import {
  AddDeviceDocument,
  CreatePrinterDocument,
  PrinterChoicesDocument,
  type PrinterRowFragment,
  RemovePrinterDocument,
  UpdatePrinterDocument,
} from '../../generated/web-operations';
import { DeviceFields, inputOf, KindField, textsOf } from '../devices/device-fields';
import { type TestResult, useDeviceTester } from '../devices/device-test';
import { announce } from '../parts/announcer';
import { useFieldTexts } from '../parts/field-texts';
import { Field, Form, FormButtons, FormDialog } from '../parts/form';
import { useSaving } from '../parts/saving';
import { useMayConfigureDevices } from '../parts/use-viewer';
import { FirstSpools } from './first-spools';

type Printer = Pick<PrinterRowFragment, 'id' | 'name'>;

const OWNER = { type: 'printer' } as const;

export default function AddPrinterDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const apollo = useApolloClient();
  const [added, setAdded] = useState<Printer>();
  /** A printer that exists already, but whose connection could not be saved. */
  const [unconnected, setUnconnected] = useState<Printer>();
  const close = () => {
    setAdded(undefined);
    setUnconnected(undefined);
    onClose();
  };
  /** The gateway refuses to remove a printer that has a connection or jobs by now. */
  const cancel = () => {
    if (unconnected !== undefined) {
      const { id, name } = unconnected;
      apollo
        .mutate({ mutation: RemovePrinterDocument, variables: { id } })
        .catch(() => announce(`The printer ${name} is added, but it may not be connected.`));
    }
    close();
  };
  const finish = (printer: Printer) => {
    setUnconnected(undefined);
    setAdded(printer);
  };
  return (
    <FormDialog
      title={added === undefined ? 'Add a printer' : `Which spools are in ${added.name}?`}
      isOpen={isOpen}
      onClose={cancel}
    >
      {added === undefined ? (
        <AddForm unconnected={unconnected} setUnconnected={setUnconnected} onAdded={finish} onCancel={cancel} />
      ) : (
        <FirstSpools printerId={added.id} onDone={close} />
      )}
    </FormDialog>
  );
}

interface AddFormProps {
  /** Submitting again must not create a second printer. */
  unconnected: Printer | undefined;
  setUnconnected: (printer: Printer) => void;
  onAdded: (printer: Printer) => void;
  onCancel: () => void;
}

function AddForm({ unconnected, setUnconnected, onAdded, onCancel }: AddFormProps) {
  const mayConfigure = useMayConfigureDevices();
  const apollo = useApolloClient();
  const { texts, isEdited, bind, fillIn } = useFieldTexts({
    name: '',
    ...textsOf(OWNER),
    ...(!mayConfigure && { kind: '' }),
  });
  const { save, isBusy, faults } = useSaving();
  const tester = useDeviceTester((found) => void suggest(found));
  const tested = texts.kind === '' ? undefined : tester.findTested(inputOf(OWNER, texts));
  const hasFailed = tested?.testResult != null && tested.testResult.fault !== null;
  const submit = async () => {
    if (texts.kind !== '' && !(await isConnectionChecked())) return;
    const printer = await savePrinter(texts.name);
    if (printer === undefined) return;
    if (texts.kind !== '') {
      setUnconnected(printer);
      const input = inputOf({ type: 'printer', id: printer.id }, texts);
      if ((await save(AddDeviceDocument, { input })) === undefined) return;
    }
    announce('Printer added.');
    onAdded(printer);
  };
  /** Tests the connection before anything is created. After a failed test the user may add the printer anyway: it may be off now. */
  const isConnectionChecked = async () =>
    tested?.testResult !== undefined || (await tester.test(inputOf(OWNER, texts)))?.fault === null;
  const savePrinter = async (name: string): Promise<Printer | undefined> => {
    if (unconnected === undefined) return (await save(CreatePrinterDocument, { input: { name } }))?.createPrinter;
    if (unconnected.name === name) return unconnected;
    return (await save(UpdatePrinterDocument, { id: unconnected.id, input: { name } }))?.updatePrinter;
  };
  const suggest = async ({ name, model, serial }: TestResult) => {
    const suggestion = name ?? model ?? serial;
    if (suggestion === null) return;
    // The names are read again, because another printer may just have been given this name.
    const query = { query: PrinterChoicesDocument, context: { isWhole: true }, fetchPolicy: 'network-only' } as const;
    const printers = await apollo.query(query).catch(() => undefined);
    const names = printers?.data?.printers.nodes.map(({ name }) => name) ?? [];
    fillIn('name', makeUnique(names, suggestion));
  };
  return (
    <Form
      faults={faults}
      isEdited={isEdited}
      onSubmit={() => void submit()}
      actions={
        <FormButtons
          action={hasFailed ? 'Add anyway' : 'Add printer'}
          isBusy={isBusy || tester.isBusy}
          onCancel={onCancel}
        />
      }
    >
      {unconnected !== undefined && !isBusy && (
        <p>The printer could not be connected. Correct the fields below and try again. Cancel removes the printer.</p>
      )}
      {mayConfigure && (
        <KindField bind={bind} ownerType="printer" noneLabel="Not connected: I enter its jobs by hand" />
      )}
      {texts.kind !== '' && <DeviceFields bind={bind} owner={OWNER} tester={tester} />}
      <Field
        {...bind('name')}
        label="Printer name"
        placeholder="Bay 1"
        hint={texts.kind === '' ? undefined : 'The connection test fills in the name of the machine.'}
        required
      />
    </Form>
  );
}

/** "voron", or "voron 2" if another printer is already named "voron". */
function makeUnique(names: readonly string[], name: string): string {
  let free = name;
  for (let number = 2; names.includes(free); number += 1) free = `${name} ${number}`;
  return free;
}
