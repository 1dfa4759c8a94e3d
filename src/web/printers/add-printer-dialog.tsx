// The dialog that adds a printer: the first step connects and names it, the second enters the spools in its slots.
import { useApolloClient } from '@apollo/client/react';
import { useState } from 'react';
import {
  AddDeviceDocument,
  CreatePrinterDocument,
  PrinterChoicesDocument,
  type PrinterRowFragment,
  UpdatePrinterDocument,
} from '../../generated/web-operations';
import { DeviceFields, inputOf, KindField, textsOf } from '../devices/device-fields';
import type { TestResult } from '../devices/device-test';
import { announce } from '../parts/announcer';
import { useTexts } from '../parts/field-texts';
import { Field, Form, FormButtons, FormDialog } from '../parts/form';
import { useSaving } from '../parts/saving';
import { useMayConfigureDevices } from '../parts/use-viewer';
import { FirstSpools } from './first-spools';

type Printer = Pick<PrinterRowFragment, 'id' | 'name'>;

const OWNER = { type: 'printer' } as const;

export default function AddPrinterDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const [added, setAdded] = useState<Printer>();
  const close = () => {
    setAdded(undefined);
    onClose();
  };
  return (
    <FormDialog
      title={added === undefined ? 'Add a printer' : `Which spools are in ${added.name}?`}
      isOpen={isOpen}
      onClose={close}
    >
      {added === undefined ? (
        <AddForm onAdded={setAdded} onCancel={close} />
      ) : (
        <FirstSpools printerId={added.id} onDone={close} />
      )}
    </FormDialog>
  );
}

function AddForm({ onAdded, onCancel }: { onAdded: (printer: Printer) => void; onCancel: () => void }) {
  const mayConfigure = useMayConfigureDevices();
  const apollo = useApolloClient();
  const { texts, isEdited, bind, fillIn } = useTexts({
    name: '',
    ...textsOf(OWNER),
    ...(!mayConfigure && { kind: '' }),
  });
  const { save, isBusy, faults } = useSaving();
  /** The printer exists already. If connecting fails, submitting again must not create a second printer. */
  const [created, setCreated] = useState<Printer>();
  const submit = async () => {
    const printer = await savePrinter(texts.name);
    if (printer === undefined) return;
    setCreated(printer);
    if (texts.kind !== '') {
      const input = inputOf({ type: 'printer', id: printer.id }, texts);
      if ((await save(AddDeviceDocument, { input })) === undefined) return;
    }
    announce('Printer added.');
    onAdded(printer);
  };
  const savePrinter = async (name: string): Promise<Printer | undefined> => {
    if (created === undefined) return (await save(CreatePrinterDocument, { input: { name } }))?.createPrinter;
    if (created.name === name) return created;
    return (await save(UpdatePrinterDocument, { id: created.id, input: { name } }))?.updatePrinter;
  };
  const suggest = async ({ name, model }: TestResult) => {
    const suggestion = name ?? model;
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
      actions={<FormButtons action="Add printer" isBusy={isBusy} onCancel={onCancel} />}
    >
      {created !== undefined && (
        <p>The printer is added, but not connected yet. Correct the fields below, then try again.</p>
      )}
      {mayConfigure && (
        <KindField bind={bind} ownerType="printer" noneLabel="Not connected: I enter its jobs by hand" />
      )}
      {texts.kind !== '' && (
        <DeviceFields
          bind={bind}
          owner={{ type: 'printer', ...(created && { id: created.id }) }}
          onFound={(found) => void suggest(found)}
        />
      )}
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
