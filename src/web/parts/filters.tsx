// Filters that live in the address: a link to a filtered list shows the same list to its reader.
import { type ReactNode, useState } from 'react';
import { useSearchParams } from 'react-router';
import { Button } from './button';
import { Field } from './form';
import styles from './form.module.css';

/** The filters of the address, and a way to set one; '' takes it out. Typing makes no entries in the history. */
export function useFilters(): [of: (name: string) => string, set: (name: string, value: string) => void] {
  const [parameters, setParameters] = useSearchParams();
  const set = (name: string, value: string) =>
    setParameters(
      () => {
        // The router's own parameters are those of the last picture: of two filters set at once it would keep one.
        const next = new URLSearchParams(window.location.search);
        if (value === '') next.delete(name);
        else next.set(name, value);
        return next;
      },
      { replace: true, preventScrollReset: true },
    );
  return [(name) => parameters.get(name) ?? '', set];
}

export function Filters({ children }: { children: ReactNode }) {
  return (
    <search className={styles['filters']} aria-label="Filters">
      {children}
    </search>
  );
}

/** Filters that a narrow window folds, with the number of those in use. @param names of the filters in the address */
export function FoldedFilters({ names, children }: { names: readonly string[]; children: ReactNode }) {
  const [of] = useFilters();
  const [isOpen, setOpen] = useState(false);
  const active = names.filter((name) => of(name) !== '').length;
  return (
    <>
      <Button className={styles['fold']} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {active === 0 ? 'Filters' : `Filters (${active})`}
      </Button>
      <div className={styles['folded']} data-open={isOpen}>
        {children}
      </div>
    </>
  );
}

/** A field whose value lives in the address. @param otherwise is shown while the address has no value */
export function FieldFilter({
  name,
  otherwise = '',
  ...field
}: {
  name: string;
  label: string;
  type: 'search' | 'number' | 'date' | 'datetime-local';
  otherwise?: string;
}) {
  const [of, set] = useFilters();
  return (
    <Field
      {...field}
      name={name}
      value={of(name) || otherwise}
      onChange={(event) => set(name, event.currentTarget.value)}
    />
  );
}

export const SearchFilter = ({ label }: { label: string }) => <FieldFilter name="search" label={label} type="search" />;

/** @param choices the values with their names; '' is the choice of all */
export function ChoiceFilter({
  label,
  name,
  choices,
}: {
  label: string;
  name: string;
  choices: Record<string, string>;
}) {
  const [of, set] = useFilters();
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
        <select value={of(name)} onChange={(event) => set(name, event.currentTarget.value)}>
          {options}
        </select>
      }
    />
  );
}
