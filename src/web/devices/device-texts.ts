// Holds the texts of the kinds of machines and of the states of their connections.
import type { DeviceConnectionState, DeviceKind } from '../../generated/web-operations';
import type { Tone } from '../parts/badge';

interface KindTexts {
  name: string;
  ownerType: 'printer' | 'camera';
  address: string;
  /** An example of an address. */
  placeholder: string;
  /** Where to find the serial number; `null` if none is needed. */
  serial: string | null;
  /** When a user name is needed; `null` if this kind has none. */
  username: string | null;
  secret: string;
  isSecretOptional: boolean;
}

export const DEVICE_KIND_TEXTS: Record<DeviceKind, KindTexts> = {
  MOONRAKER: {
    name: 'Klipper (Moonraker)',
    ownerType: 'printer',
    address: 'IP address or host name. Add the port if it is not 7125.',
    placeholder: '192.168.1.20',
    serial: null,
    username: null,
    secret: 'Only if Moonraker requires a key. Moonraker usually trusts computers on the same network.',
    isSecretOptional: true,
  },
  OCTOPRINT: {
    name: 'OctoPrint',
    ownerType: 'printer',
    address: 'IP address or host name. Add the port if it is not 80.',
    placeholder: '192.168.1.20',
    serial: null,
    username: null,
    secret: 'In OctoPrint: Settings → Application Keys.',
    isSecretOptional: false,
  },
  PRUSALINK: {
    name: 'PrusaLink',
    ownerType: 'printer',
    address: 'IP address or host name. Add the port if it is not 80.',
    placeholder: '192.168.1.20',
    serial: null,
    username: 'Only for PrusaLink on a Raspberry Pi that has a password. Leave empty if you use an API key.',
    secret: 'On the printer: Settings → Network → PrusaLink. On a Raspberry Pi, the API key works too.',
    isSecretOptional: false,
  },
  BAMBU: {
    name: 'Bambu Lab',
    ownerType: 'printer',
    address: 'IP address. On the printer: Settings → WLAN or Settings → Network. Add the port if it is not 8883.',
    placeholder: '192.168.1.20',
    serial: 'On the printer: Settings → Device. It has 15 letters and digits.',
    username: null,
    secret: 'On the printer: Settings → WLAN (P1 and A1) or Settings → Network (other models).',
    isSecretOptional: false,
  },
  OPEN_GOPRO: {
    name: 'GoPro',
    ownerType: 'camera',
    address:
      'Over USB: 172.2X.1YZ.51, where XYZ are the last three digits of the serial number. Over Wi-Fi (COHN): https:// and the IP address.',
    placeholder: '172.27.189.51',
    serial: null,
    username: 'Only over Wi-Fi (COHN). Leave empty for gopro.',
    secret: 'Only over Wi-Fi (COHN): the password from the setup of COHN.',
    isSecretOptional: true,
  },
};

export const SECRET_NAMES: Record<DeviceKind, string> = {
  MOONRAKER: 'API key',
  OCTOPRINT: 'API key',
  PRUSALINK: 'Password',
  BAMBU: 'Access code',
  OPEN_GOPRO: 'Password',
};

export const CONNECTION_STATES: Record<DeviceConnectionState, { name: string; tone: Tone }> = {
  CONNECTING: { name: 'Connecting', tone: 'info' },
  CONNECTED: { name: 'Connected', tone: 'good' },
  OFFLINE: { name: 'Offline', tone: 'bad' },
  REFUSED: { name: 'Access denied', tone: 'bad' },
  DISABLED: { name: 'Disabled', tone: 'muted' },
};
