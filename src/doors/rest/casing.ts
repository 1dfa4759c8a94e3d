// Decides how REST spells the members of each document, and in which spellings it accepts names and the paths of print jobs.
import { type Spelling, snake } from '../../values/spelling';

export const camel: Spelling = (member) => member;
export const pascal: Spelling = (member) => member.charAt(0).toUpperCase() + member.slice(1);

/** The spellings of the members of print jobs, by REST_PRINT_JOB_CASING. */
export const JOB_CASINGS = { pascal, camel };

/** Spells the members of the camera document, in which the `id` of a camera is `camera_id`. */
export const cameraSpelling: Spelling = (member) => (member === 'id' ? 'camera_id' : snake(member));

/** The spelling in which names of a request are compared: `friendly_name`, `FriendlyName` and `friendlyName` are equal. */
export const foldName: Spelling = (name) => name.toLowerCase().replaceAll('_', '');

/** Matches a URL of the print job document, in upper or lower case, with or without a slash at the end of its path. */
const PRINT_JOB_URL = /^((?:https?:\/\/[^/?#]*)?)\/api\/printjobs(\/[^/?#]+)?(\/status)?\/?(?=[?#]|$)/i;

/** Rewrites a URL to the documented path. ASP.NET, which served print jobs before, ignores the case and a final slash. */
export const rewriteToDocumentedPath = (url: string): string =>
  url.replace(
    PRINT_JOB_URL,
    (_path, origin: string, id = '', status = '') => `${origin}/api/printjobs${id}${status.toLowerCase()}`,
  );
