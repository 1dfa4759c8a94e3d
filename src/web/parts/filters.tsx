// Filters that are stored in the address of the page, so that a link opens the same filtered list.
import { type ReactNode, useState } from 'react';
import { useSearchParams } from 'react-router';
import { Button } from './button';
import { Field } from './form';
import styles from './form.module.css';

/** Reads and sets filters in the address; '' removes a filter. Typing adds no entries to the history. */
export function useFilters(): [getFilter: (name: string) => string, setFilter: (name: string, value: string) => void] {
  const [parameters, setParameters] = useSearchParams();
  const setFilter = (name: string, value: string) =>
    setParameters(
      () => {
        // The parameters of the router are those of the last render. If two filters are set together, the first would be lost.
        const next = new URLSearchParams(window.location.search);
        if (value === '') next.delete(name);
        else next.set(name, value);
        return next;
      },
      { replace: true, preventScrollReset: true },
    );
  return [(name) => parameters.get(name) ?? '', setFilter];
}

export function Filters({ children }: { children: ReactNode }) {
  return (
    <search className={styles['filters']} aria-label="Filters">
      {children}
    </search>
  );
}

/**
 * Filters in one row. A window that is too narrow for the row hides them behind a button, which shows how many are active.
 * @param names the names of these filters in the address
 */
export function FoldedFilters({ names, children }: { names: readonly string[]; children: ReactNode }) {
  const [getFilter] = useFilters();
  const [, setParameters] = useSearchParams();
  const [isOpen, setOpen] = useState(false);
  const clear = () =>
    setParameters((parameters) => new URLSearchParams([...parameters].filter(([name]) => !names.includes(name))), {
      replace: true,
      preventScrollReset: true,
    });
  const active = names.filter((name) => getFilter(name) !== '').length;
  return (
    <>
      <Button className={styles['fold']} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {active === 0 ? 'Filters' : `Filters (${active})`}
      </Button>
      <div className={styles['folded']} data-open={isOpen}>
        {children}
        {active > 0 && (
          <Button kind="quiet" className={styles['clear']} onClick={clear}>
            Clear filters
          </Button>
        )}
      </div>
    </>
  );
}

/**
 * A field whose value is stored in the address.
 * @param fallback the value that is shown while the address has none
 */
export function FieldFilter({
  name,
  fallback = '',
  ...field
}: {
  name: string;
  label: string;
  type: 'search' | 'number' | 'date' | 'datetime-local';
  fallback?: string;
}) {
  const [getFilter, setFilter] = useFilters();
  return (
    <Field
      {...field}
      name={name}
      value={getFilter(name) || fallback}
      onChange={(event) => setFilter(name, event.currentTarget.value)}
    />
  );
}

export const SearchFilter = ({ label }: { label: string }) => <FieldFilter name="search" label={label} type="search" />;

/** @param choices the values with their names; the value '' turns the filter off */
export function ChoiceFilter({
  label,
  name,
  choices,
}: {
  label: string;
  name: string;
  choices: Record<string, string>;
}) {
  const [getFilter, setFilter] = useFilters();
  const options = Object.entries(choices).map(([value, text]) => (
    <option key={value} value={value}>
      {text}
    </option>
  ));
  return (
    <Field
      name={name}
      label={label}
      control={
        <select value={getFilter(name)} onChange={(event) => setFilter(name, event.currentTarget.value)}>
          {options}
        </select>
      }
    />
  );
}
