// Provides the typed client of the gateway to pages with subscriptions of their own, such as the states of printers.
import { createContext } from 'react';
import type { Client } from '../../client/client';

export const Gateway = createContext<Client | null>(null);
