// The second step of adding a printer: the user chooses the spools in the slots that the connected machine reports.
import { useQuery } from '@apollo/client/react';
import { useMemo } from 'react';
import { LoadSpoolDocument, PrinterPageDocument } from '../../generated/web-operations';
import { CONNECTION_STATES } from '../devices/device-texts';
import { announce } from '../parts/announcer';
import { Badge } from '../parts/badge';
import { Button } from '../parts/button';
import { useTexts } from '../parts/field-texts';
import { Form } from '../parts/form';
import { Loaded } from '../parts/loading-states';
import { offered, spoolChoices, useSpools } from '../parts/object-choices';
import { useSaving } from '../parts/saving';
import { SearchChoice } from '../parts/search-choice';
import { slotName } from '../parts/slot-name';

/** A machine connects and reports its slots within seconds, so the page polls often. */
const POLL_MS = 2_000;

interface FirstSpoolsProps {
  printerId: string;
  onDone: () => void;
}

export function FirstSpools({ printerId, onDone }: FirstSpoolsProps) {
  const query = useQuery(PrinterPageDocument, { variables: { id: printerId }, pollInterval: POLL_MS });
  const { data } = useSpools();
  const spools = useMemo(() => spoolChoices(offered(data?.spools.nodes ?? [])), [data]);
  const slots = query.data?.printer?.slots ?? [];
  const { texts, isEdited, bind } = useTexts<string>(
    Object.fromEntries(slots.map(({ slot, spool }) => [slot, spool?.id ?? ''])),
  );
  const { save, isBusy, faults } = useSaving();
  const submit = async () => {
    for (const { slot, spool } of slots) {
      const spoolId = texts[slot] || null;
      if (spoolId === (spool?.id ?? null)) continue;
      if ((await save(LoadSpoolDocument, { printerId, slot, spoolId, at: null })) === undefined) return;
    }
    if (isEdited) announce('Spools loaded.');
    onDone();
  };
  return (
    <Form
      faults={faults}
      isEdited={isEdited}
      onSubmit={() => void submit()}
      actions={
        <>
          <Button onClick={onDone}>Skip for now</Button>
          <Button type="submit" kind="main" isBusy={isBusy}>
            Save spools
          </Button>
        </>
      }
    >
      <Loaded query={query} what="the printer" rows={2}>
        {({ printer }) => printer?.device && <Connection {...printer.device.connection} />}
      </Loaded>
      {slots.map(({ slot, reported }) => (
        <SearchChoice
          key={slot}
          {...bind(slot)}
          value={texts[slot] ?? ''}
          label={`Spool in ${slotName(
            slot,
            slots.map(({ slot }) => slot),
          )}`}
          hint={reported === null ? undefined : `The printer reports: ${reported}`}
          choices={spools}
          placeholder="Empty"
        />
      ))}
    </Form>
  );
}

interface ConnectionProps {
  state: keyof typeof CONNECTION_STATES;
  message: string | null;
}

function Connection({ state, message }: ConnectionProps) {
  const { name, tone } = CONNECTION_STATES[state];
  return (
    <p>
      <Badge tone={tone}>{name}</Badge>
      {message !== null && <span>{` ${message}`}</span>}
    </p>
  );
}
