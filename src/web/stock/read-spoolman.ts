// Asks the gateway to read a Spoolman or its export files. Credentials are sent once, and nothing here keeps them.
import type { ApolloClient } from '@apollo/client';
import { useApolloClient } from '@apollo/client/react';
import { useState } from 'react';
import { splitSpoolmanFile } from '../../farm/spoolman-import/spoolman-parts';
import { decodeFile, explainEncoding } from '../../farm/stock/stock-import.text';
import {
  ReadSpoolmanDocument,
  type ReadSpoolmanInput,
  SpoolmanImportDocument,
  type SpoolmanImportStateFragment,
} from '../../generated/web-operations';
import { faultsByMember, toProblem } from '../parts/problem';

/** The characters of one request: the gateway accepts a megabyte, and a character may have more than one byte. */
const CHARACTERS_OF_REQUEST = 250_000;
const PAUSE_MS = 300;

/** What to read: a running Spoolman, or files. */
type SpoolmanChoice = { source: string } & (
  | { url: string; login: ReadSpoolmanInput['login'] }
  | { files: readonly File[] }
);

export function useReadSpoolman() {
  const apollo = useApolloClient();
  const [progress, setProgress] = useState<string>();
  const [faults, setFaults] = useState<Record<string, string>>({});
  /** @returns the id of the import; undefined if the gateway or a file was refused, which fills `faults` */
  const read = async (choice: SpoolmanChoice): Promise<string | undefined> => {
    setProgress('Reading …');
    try {
      if ('url' in choice) return (await request(apollo, choice)).id;
      const parts = await splitFiles(choice.files);
      let id: string | null = null;
      for (const [index, part] of parts.entries()) {
        if (parts.length > 1) setProgress(`Sending part ${index + 1} of ${parts.length} …`);
        const shown = await request(apollo, { source: choice.source, files: [part], into: id });
        id = shown.id;
        // A part is added to an import only when the part before it was read. The page of the import shows why reading failed.
        if (index < parts.length - 1 && !(await isReady(apollo, shown))) break;
      }
      return id ?? undefined;
    } catch (error) {
      setFaults(error instanceof UnreadableText ? { files: error.message } : faultsByMember(toProblem(error)));
      return undefined;
    } finally {
      setProgress(undefined);
    }
  };
  return { read, progress, faults };
}

class UnreadableText extends Error {}

/** Sends no Idempotency-Key: a second reading writes nothing. The answer stays out of the cache, because the cache would keep the input beside it. */
async function request(apollo: ApolloClient, input: ReadSpoolmanInput): Promise<SpoolmanImportStateFragment> {
  const { data } = await apollo.mutate({
    mutation: ReadSpoolmanDocument,
    variables: { input },
    fetchPolicy: 'no-cache',
  });
  return (data as NonNullable<typeof data>).readSpoolman;
}

async function isReady(apollo: ApolloClient, { id, state }: SpoolmanImportStateFragment): Promise<boolean> {
  for (let current: string | undefined = state; ; ) {
    if (current !== 'READING') return current === 'READY';
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    const { data } = await apollo.query({ query: SpoolmanImportDocument, variables: { id }, fetchPolicy: 'no-cache' });
    current = data?.spoolmanImport?.state;
  }
}

async function splitFiles(files: readonly File[]): Promise<string[]> {
  const texts = await Promise.all(
    files.map(async (file) => {
      const text = decodeFile(new Uint8Array(await file.arrayBuffer()));
      if (text === null) throw new UnreadableText(explainEncoding(file.name));
      return text;
    }),
  );
  return texts.flatMap((text) => splitSpoolmanFile(text, CHARACTERS_OF_REQUEST));
}
