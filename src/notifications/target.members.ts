// Decides how each member of a channel input is read, and which members must not be combined.
import { BadInput, type Issue } from '../errors';
import { copiedText, optionalCopiedText, readFingerprint } from '../values/copied-texts';
import { parseGuid } from '../values/guid';
import { checkEach, type Reader } from '../values/members';
import { parseTargetUrl } from './target.address';

import type { NotificationEvent, NotificationKind } from './target.types';
import { readSigningSecret } from './webhook';

export const MAX_TARGET_NAME = 100;
/** The most printers that can be chosen for one channel. */
export const MAX_TARGET_PRINTERS = 250;

export const DETAIL_READERS = {
  username: optionalCopiedText(),
  secret: optionalCopiedText(),
  certificateFingerprint: optionalCopiedText(readFingerprint),
};

export const readTargetName: Reader<string> = (value, member) => {
  const text = copiedText(MAX_TARGET_NAME)(value, member);
  if (text === '') throw new BadInput('must not be empty', member);
  return text;
};

export const readEvents: Reader<NotificationEvent[]> = (value, member) => {
  const events = [...new Set(value as NotificationEvent[])];
  if (events.includes('OMITTED')) throw new BadInput('must not contain OMITTED: every channel gets it', member);
  return events;
};

export const readPrinterIds: Reader<string[]> = (value, member) => {
  const ids = value as string[];
  if (ids.length > MAX_TARGET_PRINTERS) {
    throw new BadInput(
      `must have at most ${MAX_TARGET_PRINTERS} printers. Leave the list empty to choose all printers`,
      member,
    );
  }
  checkEach(ids, [member], (id, at) => void parseGuid(id, at));
  return [...new Set(ids.map((id) => parseGuid(id, member)))];
};

interface CombinedMembers {
  kind: string;
  url: string;
  username: string | null;
  certificateFingerprint: string | null;
  events: readonly string[];
}

/** Throws BadInput for members that are valid alone but not together. If `secret` is undefined, the stored secret stays. */
export function refuseWrongCombinations(
  { kind, url, username, certificateFingerprint, events }: CombinedMembers,
  { secret, newSecret = false }: { secret: string | null | undefined; newSecret?: boolean | undefined },
): void {
  const issues: Issue[] = [];
  const refuse = (member: string, message: string) => issues.push({ path: ['input', member], message });
  if (username !== null && kind !== 'MQTT') refuse('username', `must not be given for ${kind}, which has no user name`);
  if (certificateFingerprint !== null && !parseTargetUrl(kind as NotificationKind, url).secure) {
    refuse('certificateFingerprint', 'must not be given for a URL without TLS: use https or mqtts');
  }
  if (events.length === 0 && kind !== 'MQTT') refuse('events', 'must have at least one event');
  if (kind === 'NTFY' && secret != null && /^(bearer|basic)\b/i.test(secret)) {
    refuse('secret', 'must be the access token alone, such as tk_…, without the word Bearer or Basic before it');
  }
  if (newSecret && kind !== 'WEBHOOK')
    refuse(
      'newSecret',
      `must not be given for ${kind}, because the gateway generates secrets only for webhooks. Enter the new secret as secret`,
    );
  if (newSecret && secret != null) refuse('newSecret', 'must not be given together with secret: choose one of them');
  if (kind === 'WEBHOOK' && secret != null) {
    try {
      readSigningSecret(secret, 'input', 'secret');
    } catch (error) {
      issues.push(...(error as BadInput).issues);
    }
  }
  if (issues.length > 0) throw new BadInput(issues);
}
