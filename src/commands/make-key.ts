// The command `key`: makes an API key, shows it once, and shows its entry for API_KEYS.
import { newApiKey } from '../doors/auth/api-keys';

export function makeKey(name: string, scopes: string, cameraId?: string): void {
  const { key, entry } = newApiKey(name, scopes, cameraId);
  console.log(`The key, for the client (it is not kept anywhere):\n  ${key}\nIts entry for API_KEYS:\n  ${entry}`);
}
