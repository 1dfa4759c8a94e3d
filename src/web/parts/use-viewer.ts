// What the whole dashboard has of its caller and its farm: without the right to write, no page shows a button that writes.
import { createContext, useContext } from 'react';

interface ViewerState {
  mayWrite: boolean;
  /** Also which machines the gateway listens to; the right to write does not hold it. */
  mayConfigureDevices: boolean;
  hasKey: boolean;
  /** The currency of prices and costs, a code of ISO 4217; null when the farm names none. */
  currency: string | null;
}

export const Viewer = createContext<ViewerState>({
  mayWrite: false,
  mayConfigureDevices: false,
  hasKey: false,
  currency: null,
});

export const useMayWrite = (): boolean => useContext(Viewer).mayWrite;
export const useMayConfigureDevices = (): boolean => useContext(Viewer).mayConfigureDevices;
export const useCurrency = (): string | null => useContext(Viewer).currency;
