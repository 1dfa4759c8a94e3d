// Sends a message to a topic of ntfy, as JSON to the root of the ntfy server, and decides whether the answer comes from ntfy.

import type { ReceiverAnswer } from '../wire/faults';
import type { Reach } from '../wire/networks';
import { post } from '../wire/post';
import type { NotificationMessage, ReadableTarget } from './channel-message';
import { parseTargetUrl } from './target.address';

/** ntfy turns a message of more than 4,096 bytes into a file attachment. */
const MAX_BYTES = 4000;
/** No phone shows more of a title, and a longer title would leave no room for the text. */
const MAX_TITLE_BYTES = 250;
const PRIORITIES = { CRITICAL: 5, WARNING: 4 };
const USUAL_PRIORITY = 3;

export async function sendNtfy(
  message: NotificationMessage,
  { kind, url, secret, certificateFingerprint }: ReadableTarget,
  reach: Reach,
  signal: AbortSignal,
): Promise<ReceiverAnswer> {
  const address = parseTargetUrl(kind, url);
  const headers: Record<string, string> = secret === null ? {} : { authorization: `Bearer ${secret}` };
  const body = buildBody(address.path, message);
  const answer = await post(
    { endpoint: address, path: '/', headers, body, trusted: certificateFingerprint, checkBody: findBodyFault },
    reach.networkOf(address.host),
    signal,
  );
  // ntfy answers with the message itself, so an answer that is longer than any message comes from something else.
  return answer.fault === 'TOO_MUCH_DATA' ? { ...answer, fault: 'NOT_NTFY' } : answer;
}

/** ntfy answers with the stored message. A login page in front of ntfy also answers 200, but without a message. */
const findBodyFault = (body: Buffer) => (isStoredMessage(body) ? null : 'NOT_NTFY');

function isStoredMessage(body: Buffer): boolean {
  try {
    const { id, event } = (JSON.parse(body.toString()) ?? {}) as { id?: unknown; event?: unknown };
    return typeof id === 'string' && id !== '' && event === 'message';
  } catch {
    return false;
  }
}

function buildBody(topic: string, message: NotificationMessage): string {
  const { url } = message;
  const title = truncate(MAX_TITLE_BYTES, message.title);
  const serialize = (text: string) =>
    JSON.stringify({
      topic,
      title,
      message: text.toWellFormed(),
      priority: choosePriority(message),
      tags: [chooseTag(message)],
      click: url ?? undefined,
    });
  let text = message.text;
  // One character takes at most six bytes, if JSON escapes it. So cutting a sixth of the excess never cuts too much.
  for (let body = serialize(text); ; body = serialize(text)) {
    const excessBytes = Buffer.byteLength(body) - MAX_BYTES;
    if (excessBytes <= 0 || text === '') return body;
    text = text.slice(0, Math.max(0, text.length - Math.ceil(excessBytes / 6) - 1)).trimEnd();
  }
}

/** Cuts a text to the number of bytes. A text that was cut ends with "…". */
function truncate(maxBytes: number, text: string): string {
  const bytes = Buffer.from(text);
  if (bytes.length <= maxBytes) return text;
  // In stream mode the decoder leaves out the bytes of a character that was cut in half.
  return `${new TextDecoder().decode(bytes.subarray(0, maxBytes - 3), { stream: true })}…`;
}

const choosePriority = (message: NotificationMessage) =>
  message.severity !== null ? PRIORITIES[message.severity] : isFailure(message) ? PRIORITIES.WARNING : USUAL_PRIORITY;

function isFailure({ event, data }: NotificationMessage): boolean {
  const { print, job } = data as { print?: { outcome?: string } | null; job?: { status?: string } | null };
  return event === 'PRINT_ENDED' && (print?.outcome ?? job?.status) === 'FAILED';
}

/** ntfy shows a tag as an emoji. */
function chooseTag(message: NotificationMessage): string {
  if (message.event === 'ALERT_CLEARED') return 'white_check_mark';
  if (message.severity === 'CRITICAL') return 'rotating_light';
  if (message.severity === 'WARNING' || isFailure(message)) return 'warning';
  return message.event === 'PRINT_ENDED' ? 'checkered_flag' : 'printer';
}
