// What the whole dashboard knows of its caller and its farm: without the right to write, no page shows a button that writes.
import { createContext, useContext } from 'react';

interface Shown {
  mayWrite: boolean;
  hasKey: boolean;
  /** Of prices and costs, a code of ISO 4217; null when the farm names none. */
  currency: string | null;
}

export const Viewer = createContext<Shown>({ mayWrite: false, hasKey: false, currency: null });

export const useMayWrite = (): boolean => useContext(Viewer).mayWrite;
export const useCurrency = (): string | null => useContext(Viewer).currency;
