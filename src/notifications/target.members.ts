// The members of targets: how each is read, and which of them do not go together.
import { BadInput, type Issue } from '../errors';
import { copiedText, detail, readFingerprint } from '../values/copied-texts';
import { parseGuid } from '../values/guid';
import { checkEach, type Reader } from '../values/members';
import { parseTargetUrl } from './target.address';
import { MAX_TARGET_NAME, MAX_TARGET_PRINTERS } from './target.limits';
import type { NotificationEvent, NotificationKind } from './target.types';
import { readSigningSecret } from './webhook';

export const DETAIL_READERS = { username: detail(), secret: detail(), certificateFingerprint: detail(readFingerprint) };

export const readTargetName: Reader<string> = (value, member) => {
  const text = copiedText(MAX_TARGET_NAME)(value, member);
  if (text === '') throw new BadInput('must not be empty', member);
  return text;
};

export const readEvents: Reader<NotificationEvent[]> = (value, member) => {
  const events = [...new Set(value as NotificationEvent[])];
  if (events.includes('OMITTED')) throw new BadInput('must not hold OMITTED, which every target gets', member);
  return events;
};

export const readPrinterIds: Reader<string[]> = (value, member) => {
  const ids = value as string[];
  if (ids.length > MAX_TARGET_PRINTERS) {
    throw new BadInput(`must have at most ${MAX_TARGET_PRINTERS} printers: leave them out to choose all`, member);
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

/** Members that are right by themselves, and not together. @param secret undefined: it stays */
export function refuseWrongCombinations(
  { kind, url, username, certificateFingerprint, events }: CombinedMembers,
  { secret, newSecret = false }: { secret: string | null | undefined; newSecret?: boolean | undefined },
): void {
  const issues: Issue[] = [];
  const refuse = (member: string, message: string) => issues.push({ path: ['input', member], message });
  if (username !== null && kind !== 'MQTT') refuse('username', `must not be given for ${kind}, which has none`);
  if (certificateFingerprint !== null && !parseTargetUrl(kind as NotificationKind, url).secure) {
    refuse('certificateFingerprint', 'must not be given for a URL without TLS: give one with https or mqtts');
  }
  if (events.length === 0 && kind !== 'MQTT') refuse('events', 'must have one event at least');
  if (kind === 'NTFY' && secret != null && /^(bearer|basic)\b/i.test(secret)) {
    refuse('secret', 'must be the access token alone, such as tk_…: leave out the word before it');
  }
  if (newSecret && kind !== 'WEBHOOK') refuse('newSecret', `must not be given for ${kind}: give its secret`);
  if (newSecret && secret != null) refuse('newSecret', 'must not be given with a secret');
  if (kind === 'WEBHOOK' && secret != null) {
    try {
      readSigningSecret(secret, 'input', 'secret');
    } catch (error) {
      issues.push(...(error as BadInput).issues);
    }
  }
  if (issues.length > 0) throw new BadInput(issues);
}
