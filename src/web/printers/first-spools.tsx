// The second step of adding a printer: the user chooses the spools in the slots that the connected machine reports.
import { useQuery } from '@apollo/client/react';
import { useEffect, useMemo, useState } from 'react';
import { FirstSpoolsDocument, type FirstSpoolsQuery, LoadSpoolDocument } from '../../generated/web-operations';
import { CONNECTION_STATES } from '../devices/device-texts';
import { announce } from '../parts/announcer';
import { Badge } from '../parts/badge';
import { Button } from '../parts/button';
import { toInstant } from '../parts/days';
import { useFieldTexts } from '../parts/field-texts';
import { Check, Field, Form } from '../parts/form';
import { Loaded } from '../parts/loading-states';
import { selectableRows, spoolChoices, useSpools } from '../parts/object-choices';
import { useSaving } from '../parts/saving';
import { SearchChoice } from '../parts/search-choice';
import { slotName } from '../parts/slot-name';

/** A machine connects and reports its slots within seconds, so the page polls often. */
const POLL_MS = 2_000;
/** How long the user waits for the first state and print of a machine. */
const MAX_WAIT_MS = 10_000;

interface FirstSpoolsProps {
  printerId: string;
  onDone: () => void;
}

export function FirstSpools({ printerId, onDone }: FirstSpoolsProps) {
  const query = useQuery(FirstSpoolsDocument, { variables: { id: printerId }, pollInterval: POLL_MS });
  const { data } = useSpools();
  const spools = useMemo(() => spoolChoices(selectableRows(data?.spools.nodes ?? [])), [data]);
  const printer = (query.data ?? query.previousData)?.printer;
  const slots = listOfferedSlots(printer?.slots ?? []);
  const print = findRunningPrint(printer);
  const isWaiting = useIsWaitingForPrint(printer);
  const { texts, isEdited, bind } = useFieldTexts<string>({
    ...Object.fromEntries(slots.map(({ slot, spool }) => [slot, spool?.id ?? ''])),
    isLater: '',
    at: '',
  });
  const isLater = texts['isLater'] !== '';
  const { save, isBusy, faults } = useSaving();
  const submit = async () => {
    const time = isLater && texts['at'] ? toInstant(texts['at']) : null;
    const at = print === undefined || isLater ? time : (print.startedAt ?? print.createdAt);
    for (const { slot, spool } of slots) {
      const spoolId = texts[slot] || null;
      if (spoolId === (spool?.id ?? null)) continue;
      if ((await save(LoadSpoolDocument, { printerId, slot, spoolId, at })) === undefined) return;
    }
    if (isEdited) announce('Spools loaded.');
    onDone();
  };
  const names = slots.map(({ slot }) => slot);
  return (
    <Form
      faults={faults}
      isEdited={isEdited}
      onSubmit={() => void submit()}
      actions={
        <>
          <Button onClick={onDone}>Skip for now</Button>
          <Button type="submit" kind="main" isBusy={isBusy || isWaiting}>
            Save spools
          </Button>
        </>
      }
    >
      <Loaded query={query} what="the printer" rows={2}>
        {({ printer }) => printer?.device && <Connection {...printer.device.connection} />}
      </Loaded>
      {print !== undefined && (
        <p>
          {`${printer?.name} is printing ${printer?.state?.printName || 'a file'}. ${
            isLater
              ? 'The spool you choose is counted from the time below.'
              : COUNTED_FROM_START[slots.length > 1 ? 'many' : 'one']
          }`}
        </p>
      )}
      {slots.map(({ slot, reported }) => (
        <SearchChoice
          key={slot}
          {...bind(slot)}
          value={texts[slot] ?? ''}
          label={`Spool in ${slotName(slot, names)}`}
          hint={reported === null ? undefined : `The printer reports: ${reported}`}
          choices={spools}
          placeholder="Empty"
        />
      ))}
      {print !== undefined && !isLater && faults[''] !== undefined && (
        <p>If you put the spool in after this print had started, check “I put it in later”.</p>
      )}
      {print !== undefined && (
        <Check {...bind('isLater')} value={texts['isLater'] ?? ''}>
          I put it in later
        </Check>
      )}
      {print !== undefined && isLater && (
        <Field
          {...bind('at')}
          label="Put in at"
          isOptional
          type="datetime-local"
          hint="Leave empty if you put it in just now."
        />
      )}
    </Form>
  );
}

const COUNTED_FROM_START = {
  one: 'The spool you choose is counted from the start of this print.',
  many: 'The spools you choose are counted from the start of this print.',
};

type Printer = FirstSpoolsQuery['printer'] | undefined;

/**
 * A printer whose machine has reported no filament has the slot tool:0. If it feeds from a filament unit, this slot does not exist,
 * and a spool in it would get nothing of the print.
 */
function listOfferedSlots<Slot extends { slot: string; spool: object | null }>(
  slots: readonly Slot[],
): readonly Slot[] {
  const hasToolsOnly = slots.every(({ slot }) => slot.startsWith('tool:'));
  return slots.filter(({ slot, spool }) => hasToolsOnly || slot !== 'tool:0' || spool !== null);
}

function findRunningPrint(printer: Printer) {
  const print = printer?.state?.print;
  return print?.outcome === 'RUNNING' ? print : undefined;
}

/**
 * Whether a machine that is connecting may still report its print. A spool that is saved before would be counted from now, and not
 * from the start of the print. A machine that reports nothing does not hold up the user for long.
 */
function useIsWaitingForPrint(printer: Printer): boolean {
  const [isOver, setOver] = useState(false);
  useEffect(() => {
    const timer = setTimeout(setOver, MAX_WAIT_MS, true);
    return () => clearTimeout(timer);
  }, []);
  const connection = printer?.device?.connection.state;
  const state = printer?.state ?? null;
  const mayConnect = connection === 'CONNECTING' || connection === 'CONNECTED';
  const mayReportPrint = state === null || (state.print === null && BUSY.includes(state.activity));
  return !isOver && mayConnect && mayReportPrint;
}

const BUSY: readonly string[] = ['PREPARING', 'PRINTING', 'PAUSED'];

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
