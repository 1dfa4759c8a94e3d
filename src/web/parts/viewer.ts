// The rights of the caller: without the right to write, no page shows a button that writes.
import { createContext, useContext } from 'react';

export const Viewer = createContext({ mayWrite: false, hasKey: false });

export const useMayWrite = (): boolean => useContext(Viewer).mayWrite;
