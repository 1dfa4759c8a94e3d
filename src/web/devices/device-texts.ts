// The kinds of machines and the states of their connections, in words for people.
import type { DeviceConnectionState, DeviceKind } from '../../generated/web-operations';
import type { Tone } from '../parts/badge';

interface KindWords {
  name: string;
  of: 'printer' | 'camera';
  address: string;
  /** An example of one. */
  placeholder: string;
  /** Where the serial number is found; null: none is needed. */
  serial: string | null;
  /** When a user name is needed; null: never. */
  username: string | null;
  secret: string;
}

export const DEVICE_KIND_TEXTS: Record<DeviceKind, KindWords> = {
  MOONRAKER: {
    name: 'Klipper (Moonraker)',
    of: 'printer',
    address: 'The port is 7125 if you give none.',
    placeholder: '192.168.1.20',
    serial: null,
    username: null,
    secret: 'Empty where Moonraker trusts this gateway.',
  },
  OCTOPRINT: {
    name: 'OctoPrint',
    of: 'printer',
    address: 'The port is 80 if you give none.',
    placeholder: '192.168.1.20',
    serial: null,
    username: null,
    secret: 'OctoPrint makes one under Settings, Application Keys.',
  },
  PRUSALINK: {
    name: 'PrusaLink',
    of: 'printer',
    address: 'The port is 80 if you give none.',
    placeholder: '192.168.1.20',
    serial: null,
    username: 'Of a Raspberry Pi with a password. Empty with an API key, and for all other printers.',
    secret: 'The printer shows it under Settings, Network, PrusaLink. Of a Raspberry Pi: or the API key of PrusaLink.',
  },
  BAMBU: {
    name: 'Bambu Lab',
    of: 'printer',
    address: 'The port is 8883 if you give none.',
    placeholder: '192.168.1.20',
    serial: '15 letters and digits. The printer shows it under Settings, Device.',
    username: null,
    secret: 'The printer shows it under Settings: WLAN on P1 and A1, else Network.',
  },
  OPEN_GOPRO: {
    name: 'GoPro',
    of: 'camera',
    address:
      'Over USB 172.2X.1YZ.51, where XYZ are the last digits of the serial number. As COHN https:// and its address.',
    placeholder: '172.27.189.51',
    serial: null,
    username: 'Of COHN. Empty: gopro.',
    secret: 'As it was set up for COHN. Empty over USB.',
  },
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
