// `npm run key -- NAME SCOPES [CAMERA_ID]`: makes an API key, shows it once, and shows its entry for API_KEYS.
import { newApiKey } from '../auth/api-keys';

const [name = '', scopes = '', cameraId, ...others] = process.argv.slice(2);
try {
  if (others.length > 0) throw new Error('A name or camera id with spaces stands in quotation marks.');
  const { key, entry } = newApiKey(name, scopes, cameraId);
  console.log(`The key, for the client (it is not kept anywhere):\n  ${key}\nIts entry for API_KEYS:\n  ${entry}`);
} catch (error) {
  console.error(`${(error as Error).message}\nUsage: npm run key -- NAME SCOPES [CAMERA_ID]`);
  process.exitCode = 1;
}
