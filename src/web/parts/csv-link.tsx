// A link to a CSV file of the gateway. Where credentials are needed the page fetches the file, since a link sends none.
import { createContext, type MouseEvent, useContext, useState } from 'react';
import styles from './button.module.css';
import { problemOf } from './problem';
import { Outcome } from './states';

/** The headers of every request of the caller. */
export const RequestHeaders = createContext<() => Record<string, string>>(() => ({}));

/** @param members the query's parameters; those without a value are left out */
export function CsvLink({
  path,
  members,
}: {
  path: string;
  members: Record<string, string | string[] | null | undefined>;
}) {
  const headers = useContext(RequestHeaders)();
  const [problem, setProblem] = useState('');
  const known = Object.entries(members).filter(([, value]) => value != null && value.length > 0);
  const href = `${path}?${new URLSearchParams(known.map(([name, value]) => [name, String(value)]))}`;
  const fetchFile = async (event: MouseEvent) => {
    if (Object.keys(headers).length === 0) return;
    event.preventDefault();
    setProblem('');
    try {
      const response = await fetch(href, { headers });
      if (!response.ok) throw new Error(`HTTP ${response.status}`);
      save(URL.createObjectURL(await response.blob()), path.slice(path.lastIndexOf('/') + 1));
    } catch (error) {
      setProblem(`The file cannot be read: ${problemOf(error).message}`);
    }
  };
  return (
    <>
      <Outcome isBad>{problem}</Outcome>
      <a className={styles['button']} href={href} download onClick={fetchFile}>
        Download CSV
      </a>
    </>
  );
}

function save(url: string, name: string): void {
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The download has begun by then.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
