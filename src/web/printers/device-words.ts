// The kinds of machines and the states of their connections, in words for people.
import type { DeviceConnectionState, DeviceKind } from '../../generated/web-operations';
import type { Tone } from '../parts/badge';

interface KindWords {
  name: string;
  address: string;
  secret: string;
  /** Whether the gateway can listen to it already. */
  isOffered: boolean;
}

export const KINDS: Record<DeviceKind, KindWords> = {
  MOONRAKER: {
    name: 'Klipper (Moonraker)',
    address: 'The port is 7125 if you give none.',
    secret: 'Empty where Moonraker trusts this gateway.',
    isOffered: true,
  },
  OCTOPRINT: {
    name: 'OctoPrint',
    address: 'The port is 80 if you give none.',
    secret: 'OctoPrint makes one under Settings, Application Keys.',
    isOffered: true,
  },
  PRUSALINK: {
    name: 'PrusaLink',
    address: 'The port is 80 if you give none.',
    secret: 'The printer shows it under Settings, Network, PrusaLink.',
    isOffered: true,
  },
  BAMBU: {
    name: 'Bambu Lab',
    address: 'The port is 8883 if you give none.',
    secret: 'The printer shows it under Settings, LAN Only.',
    isOffered: false,
  },
  OPEN_GOPRO: { name: 'GoPro', address: '', secret: 'As it was set up for COHN.', isOffered: false },
};

export const SECRETS: Record<DeviceKind, string> = {
  MOONRAKER: 'API key',
  OCTOPRINT: 'API key',
  PRUSALINK: 'Password',
  BAMBU: 'Access code',
  OPEN_GOPRO: 'Password',
};

export const CONNECTIONS: Record<DeviceConnectionState, { name: string; tone: Tone }> = {
  CONNECTING: { name: 'Connecting', tone: 'info' },
  CONNECTED: { name: 'Connected', tone: 'good' },
  OFFLINE: { name: 'Offline', tone: 'bad' },
  REFUSED: { name: 'Refused', tone: 'bad' },
  DISABLED: { name: 'Disabled', tone: 'muted' },
};
