// Provides whether changes of the farm arrive, to the parts of a page that depend on it.
import { createContext } from 'react';

export const IsLive = createContext(true);
