// Links to a CSV file of the gateway, for programs and for spreadsheets. If the caller has a key, the page fetches the file,
// because a link sends no key.
import { createContext, type MouseEvent, useContext, useState } from 'react';
import styles from './button.module.css';
import { gatewayUrl } from './gateway-url';
import { Outcome } from './loading-states';
import { usesDecimalComma } from './numbers';
import { toProblem } from './problem';

/** The headers of every request of the caller. */
export const RequestHeaders = createContext<() => Record<string, string>>(() => ({}));

interface CsvLinkProps {
  path: string;
  /** The parameters of the query. Parameters without a value are left out. */
  parameters: Record<string, string | string[] | null | undefined>;
}

/** The format that a spreadsheet in the browser's language expects: a locale with decimal commas separates columns by semicolons. */
const SPREADSHEET_PARAMETERS = {
  bom: 'true',
  ...(usesDecimalComma && { separator: 'semicolon', decimalMark: 'comma' }),
};

export function CsvLinks({ path, parameters }: CsvLinkProps) {
  const [problem, setProblem] = useState('');
  return (
    <>
      <Outcome isBad>{problem}</Outcome>
      <CsvLink path={path} parameters={parameters} onProblem={setProblem}>
        Download CSV
      </CsvLink>
      <CsvLink path={path} parameters={{ ...parameters, ...SPREADSHEET_PARAMETERS }} onProblem={setProblem}>
        CSV for Excel
      </CsvLink>
    </>
  );
}

function CsvLink(props: CsvLinkProps & { onProblem: (text: string) => void; children: string }) {
  const { path, parameters, onProblem, children } = props;
  const headers = useContext(RequestHeaders)();
  const entries = Object.entries(parameters).filter(([, value]) => value != null && value.length > 0);
  const href = `${gatewayUrl(path)}?${new URLSearchParams(entries.map(([name, value]) => [name, String(value)]))}`;
  const fetchFile = async (event: MouseEvent) => {
    if (Object.keys(headers).length === 0) return;
    event.preventDefault();
    onProblem('');
    try {
      const response = await fetch(href, { headers });
      if (!response.ok) throw new Error(`HTTP ${response.status}`);
      saveFile(URL.createObjectURL(await response.blob()), path.slice(path.lastIndexOf('/') + 1));
    } catch (error) {
      onProblem(`Could not download the file. ${toProblem(error).message}`);
    }
  };
  return (
    <a className={styles['button']} href={href} download onClick={fetchFile}>
      {children}
    </a>
  );
}

/** Saves a file that the page holds, by the URL that createObjectURL has given. */
export function saveFile(url: string, name: string): void {
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The URL must stay valid until the download has started.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
