// Links to a CSV file of the gateway: for programs, and for the reader's spreadsheet. Where credentials are needed the page fetches the file, since a link sends none.
import { createContext, type MouseEvent, useContext, useState } from 'react';
import styles from './button.module.css';
import { gatewayUrl } from './gateway-url';
import { Outcome } from './loading-states';
import { hasComma } from './numbers';
import { problemOf } from './problem';

/** The headers of every request of the caller. */
export const RequestHeaders = createContext<() => Record<string, string>>(() => ({}));

interface CsvLinkProps {
  path: string;
  /** The query's parameters; those without a value are left out. */
  members: Record<string, string | string[] | null | undefined>;
}

/** What a spreadsheet in the language of the browser expects: where decimals have a comma, lists have semicolons. */
const FOR_SPREADSHEETS = {
  bom: 'true',
  ...(hasComma && { separator: 'semicolon', decimalMark: 'comma' }),
};

export function CsvLinks({ path, members }: CsvLinkProps) {
  const [problem, setProblem] = useState('');
  return (
    <>
      <Outcome isBad>{problem}</Outcome>
      <CsvLink path={path} members={members} onProblem={setProblem}>
        Download CSV
      </CsvLink>
      <CsvLink path={path} members={{ ...members, ...FOR_SPREADSHEETS }} onProblem={setProblem}>
        CSV for Excel
      </CsvLink>
    </>
  );
}

function CsvLink(props: CsvLinkProps & { onProblem: (text: string) => void; children: string }) {
  const { path, members, onProblem, children } = props;
  const headers = useContext(RequestHeaders)();
  const given = Object.entries(members).filter(([, value]) => value != null && value.length > 0);
  const href = `${gatewayUrl(path)}?${new URLSearchParams(given.map(([name, value]) => [name, String(value)]))}`;
  const fetchFile = async (event: MouseEvent) => {
    if (Object.keys(headers).length === 0) return;
    event.preventDefault();
    onProblem('');
    try {
      const response = await fetch(href, { headers });
      if (!response.ok) throw new Error(`HTTP ${response.status}`);
      save(URL.createObjectURL(await response.blob()), path.slice(path.lastIndexOf('/') + 1));
    } catch (error) {
      onProblem(`Could not download the file. ${problemOf(error).message}`);
    }
  };
  return (
    <a className={styles['button']} href={href} download onClick={fetchFile}>
      {children}
    </a>
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
