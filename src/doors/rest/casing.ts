// The casing of REST: of the members of each document, and of the paths of print jobs.
import { type Spelling, snake } from '../../values/spelling';

export const camel: Spelling = (member) => member;
export const pascal: Spelling = (member) => member.charAt(0).toUpperCase() + member.slice(1);

/** The spellings of the members of print jobs, by REST_PRINT_JOB_CASING. */
export const JOB_CASINGS = { pascal, camel };

/** In the camera document, the `id` of a camera is camera_id. */
export const cameraSpelling: Spelling = (member) => (member === 'id' ? 'camera_id' : snake(member));

/** What a request names is compared in this one: `friendly_name`, `FriendlyName` and `friendlyName` become the same. */
export const folded: Spelling = (name) => name.toLowerCase().replaceAll('_', '');

/** A URL of the print job document, in any case and with a slash at the end of its path. */
const OF_PRINT_JOBS = /^((?:https?:\/\/[^/?#]*)?)\/api\/printjobs(\/[^/?#]+)?(\/status)?\/?(?=[?#]|$)/i;

/** The URL with its path as documented. ASP.NET, which served print jobs before, ignores the case and the slash. */
export const asDocumented = (url: string): string =>
  url.replace(
    OF_PRINT_JOBS,
    (_path, origin: string, id = '', status = '') => `${origin}/api/printjobs${id}${status.toLowerCase()}`,
  );
