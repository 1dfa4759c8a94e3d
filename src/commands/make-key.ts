// Runs the command `key`, which generates an API key and shows it once, with its entry for API_KEYS.
import { generateApiKey } from '../doors/auth/api-keys';

export function makeKey(name: string, scopes: string, cameraId?: string): void {
  const { key, entry } = generateApiKey(name, scopes, cameraId);
  console.log(
    `The API key for the client. It is not stored, so copy it now:\n  ${key}\nThe entry for API_KEYS of the gateway:\n  ${entry}`,
  );
}
