// The dialog that adds a printer: first its machine and its name, then the spools in its slots.
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
  /** From here on the form connects a printer: a refusal of its machine must not add it again. */
  const [made, setMade] = useState<Printer>();
  const submit = async () => {
    const printer = await named(texts.name);
    if (printer === undefined) return;
    setMade(printer);
    if (texts.kind !== '') {
      const input = inputOf({ type: 'printer', id: printer.id }, texts);
      if ((await save(AddDeviceDocument, { input })) === undefined) return;
    }
    announce('Printer added.');
    onAdded(printer);
  };
  const named = async (name: string): Promise<Printer | undefined> => {
    if (made === undefined) return (await save(CreatePrinterDocument, { input: { name } }))?.createPrinter;
    if (made.name === name) return made;
    return (await save(UpdatePrinterDocument, { id: made.id, input: { name } }))?.updatePrinter;
  };
  const suggest = async ({ name, model }: TestResult) => {
    const suggestion = name ?? model;
    if (suggestion === null) return;
    // The names as they are now: another printer may just have got this one.
    const query = { query: PrinterChoicesDocument, context: { isWhole: true }, fetchPolicy: 'network-only' } as const;
    const known = await apollo.query(query).catch(() => undefined);
    const names = known?.data?.printers.nodes.map(({ name }) => name) ?? [];
    fillIn('name', notAmong(names, suggestion));
  };
  return (
    <Form
      faults={faults}
      isEdited={isEdited}
      onSubmit={() => void submit()}
      actions={<FormButtons action="Add printer" isBusy={isBusy} onCancel={onCancel} />}
    >
      {made !== undefined && (
        <p>The printer is added, but not connected yet. Correct the fields below, then try again.</p>
      )}
      {mayConfigure && (
        <KindField bind={bind} ownerType="printer" noneLabel="Not connected: I enter its jobs by hand" />
      )}
      {texts.kind !== '' && (
        <DeviceFields
          bind={bind}
          owner={{ type: 'printer', ...(made && { id: made.id }) }}
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

/** "voron", or "voron 2" where a printer has that name. */
function notAmong(names: readonly string[], name: string): string {
  let free = name;
  for (let number = 2; names.includes(free); number += 1) free = `${name} ${number}`;
  return free;
}
