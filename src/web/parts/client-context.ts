// The typed client of the frame, for pages that follow more of the farm than its changes.
import { createContext } from 'react';
import type { Client } from '../../client/client';

export const Gateway = createContext<Client | null>(null);
