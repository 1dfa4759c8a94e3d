// The dialog of the search: a field, and below it the pages, or the printers, jobs, spools, products and cameras that match.
import { useQuery } from '@apollo/client/react';
import { Autocomplete } from '@base-ui/react/autocomplete';
import { Dialog } from '@base-ui/react/dialog';
import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from 'react';
import { Link } from 'react-router';
import { findSearchedNumber } from '../../farm/inventory/inventory.texts';
import { readSpoolmanLabel } from '../../farm/inventory/spoolman-label';
import { SearchDocument } from '../../generated/web-operations';
import { Badge } from '../parts/badge';
import { ProblemBox } from '../parts/loading-states';
import { Swatch } from '../parts/swatch';
import { useDebounced } from '../parts/use-debounced';
import { listMatches } from './found-objects';
import styles from './search-dialog.module.css';
import { groupResults, type Result, type ResultGroup, toVariables } from './search-results';

export interface SearchDialogProps {
  isOpen: boolean;
  onClose: () => void;
  pages: readonly { to: string; name: string }[];
}

/** As long as the longest text that each list accepts. */
const MAX_LENGTH = 1000;
const MAX_RECENT = 5;

export function SearchDialog({ isOpen, onClose, pages }: SearchDialogProps) {
  const [recent, setRecent] = useState<readonly Result[]>([]);
  const open = (result: Result) => {
    if (!result.isList)
      setRecent([result, ...recent.filter(({ address }) => address !== result.address)].slice(0, MAX_RECENT));
    onClose();
  };
  const pageResults = pages.map(({ to, name }) => ({ address: to, name, details: [], isList: true }));
  const start: ResultGroup[] = [
    { value: 'Opened from here', items: [...recent] },
    { value: 'Pages', items: pageResults },
  ];
  return (
    <Dialog.Root open={isOpen} onOpenChange={(isOpen) => isOpen || onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className={styles['backdrop']} />
        <Dialog.Popup className={styles['popup']} aria-label="Search">
          <Search start={start.filter(({ items }) => items.length > 0)} onOpen={open} />
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

/** @param start the groups that are shown before the user types */
function Search({ start, onOpen }: { start: ResultGroup[]; onOpen: (result: Result) => void }) {
  const [text, setText] = useState('');
  const { groups, isPending, error, refetch } = useResults(text.trim(), start);
  /** Whether Enter was pressed before the results arrived, as the scanner of a label does. */
  const [opensFirst, setOpensFirst] = useState(false);
  const chosen = opensFirst && !isPending ? groups[0]?.items[0] : undefined;
  const press = (event: KeyboardEvent & { preventBaseUIHandler: () => void }) => {
    if (event.key !== 'Enter' || !isPending) return;
    event.preventDefault();
    event.preventBaseUIHandler();
    setOpensFirst(true);
  };
  const count = groups.flatMap(({ items }) => items.filter(({ isList }) => !isList)).length;
  return (
    <Autocomplete.Root
      open
      inline
      mode="none"
      items={groups}
      itemToStringValue={({ name }: Result) => name}
      autoHighlight="always"
      keepHighlight
      value={text}
      onValueChange={(value, { reason }) => {
        if (reason !== 'input-change' && reason !== 'input-clear') return;
        setText(value);
        setOpensFirst(false);
      }}
    >
      <Autocomplete.Input
        className={styles['input']}
        aria-label="Search printers, jobs, spools, products and cameras"
        placeholder="Name, serial, #number, tag or label link"
        maxLength={MAX_LENGTH}
        spellCheck={false}
        onKeyDown={press}
      />
      {error !== undefined && <ProblemBox title="Could not search" error={error} onRetry={() => void refetch()} />}
      <Autocomplete.Status className={styles['status']}>
        {isPending
          ? 'Searching …'
          : text.trim() !== '' && count > 0 && `${count} ${count === 1 ? 'result' : 'results'}`}
      </Autocomplete.Status>
      <Autocomplete.Empty className={styles['empty']}>
        {!isPending && error === undefined && describeNoMatch(text.trim())}
      </Autocomplete.Empty>
      <Autocomplete.List className={styles['list']} aria-busy={isPending}>
        {(group: ResultGroup) => (
          <Autocomplete.Group key={group.value} items={group.items} className={styles['group']}>
            <Autocomplete.GroupLabel className={styles['kind']}>{group.value}</Autocomplete.GroupLabel>
            <Autocomplete.Collection>
              {(result: Result) => (
                <ResultRow key={result.address} result={result} isChosen={result === chosen} onOpen={onOpen} />
              )}
            </Autocomplete.Collection>
          </Autocomplete.Group>
        )}
      </Autocomplete.List>
    </Autocomplete.Root>
  );
}

interface ResultRowProps {
  result: Result;
  /** Whether the row opens by itself. */
  isChosen: boolean;
  onOpen: (result: Result) => void;
}

function ResultRow({ result, isChosen, onOpen }: ResultRowProps) {
  const link = useRef<HTMLAnchorElement>(null);
  useEffect(() => {
    // A click, so that a form with edits that are not saved asks first.
    if (isChosen) link.current?.click();
  }, [isChosen]);
  const { address, name, details, colorHex = null, isArchived = false } = result;
  const text = details.filter((detail) => detail !== null && detail !== name).join(' · ');
  return (
    <Autocomplete.Item
      value={result}
      className={styles['item']}
      render={<Link ref={link} to={address} tabIndex={-1} />}
      onClick={({ ctrlKey, metaKey, shiftKey }) => {
        // With these keys the browser opens another window, and the search stays open.
        if (!ctrlKey && !metaKey && !shiftKey) onOpen(result);
      }}
    >
      <Swatch color={colorHex} />
      <span className={styles['name']}>{name}</span>
      {text !== '' && <span className={styles['details']}>{text}</span>}
      {isArchived && <Badge tone="muted">Archived</Badge>}
    </Autocomplete.Item>
  );
}

function describeNoMatch(text: string): string {
  const number = readSpoolmanLabel(text)?.id ?? findSearchedNumber(text);
  return number === undefined
    ? `No printer, job, spool, product or camera matches “${text}”.`
    : `No spool or product has the number ${number}.`;
}

/** The results of a text. While newer results are pending, the last results stay, so that the list does not flicker. */
function useResults(text: string, start: ResultGroup[]) {
  const settled = useDebounced(text);
  const isBlank = text === '';
  const { data, error, refetch } = useQuery(SearchDocument, {
    variables: toVariables(settled),
    skip: isBlank || settled === '',
    // The cache would merge the jobs into the list of the jobs page with the same search.
    fetchPolicy: 'no-cache',
  });
  const isPending = !isBlank && (settled !== text || (data === undefined && error === undefined));
  const current = useMemo(
    () => (data === undefined || isPending ? undefined : groupResults(listMatches(data), settled)),
    [data, isPending, settled],
  );
  const [last, setLast] = useState<ResultGroup[]>([]);
  useEffect(() => {
    if (current !== undefined) setLast(current);
  }, [current]);
  return {
    groups: isBlank ? start : (current ?? (error === undefined ? last : [])),
    isPending,
    error: isPending ? undefined : error,
    refetch,
  };
}
