// Provides the rights of the caller and the currency of the farm to all pages. Without the right to write, pages show no buttons
// that write.
import { createContext, useContext } from 'react';

interface ViewerState {
  mayWrite: boolean;
  /** The right `devices`: to connect machines and channels. The right to write does not include it. */
  mayConfigureDevices: boolean;
  hasKey: boolean;
  /** The currency of prices and costs as an ISO 4217 code; `null` if the farm has none. */
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
