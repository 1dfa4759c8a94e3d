// Decides which alerts there are for a caller, and who may silence an alert until when.
import { BadInput, NotFound } from '../../errors';
import { parseInstant } from '../../values/instant';
import { clamp } from '../../values/page';
import { type AlertFacts, MESSAGES } from './alert.messages';
import type { AlertSelection, AlertStore, Finding } from './alert.store';
import type { Alert, AlertKind } from './alert.types';
import type { SilenceStore } from './silence.store';

/** An answer with this many alerts has 10 MB. */
export const MAX_ALERTS = 20_000;

/** Why prints wait for their spools. A class of src/services.ts implements it over the service of observed prints. */
export interface WaitingReasons {
  /** A sentence that says what to do; null if the print does not wait any more. */
  findReason(printId: string): Promise<string | null>;
}

export class AlertService {
  constructor(
    private readonly store: AlertStore,
    private readonly silences: SilenceStore,
    private readonly waitingReasons: WaitingReasons,
  ) {}

  /** The most urgent alerts come first. */
  async list(count: number, silenced: boolean | null, now: string): Promise<Alert[]> {
    const findings = await this.findings({ count: clamp(count, 1, MAX_ALERTS), silenced }, now);
    return Promise.all(findings.map((finding) => this.toAlert(finding)));
  }

  /** The findings of all active alerts, with the silenced ones, and without their messages. */
  listAll(now: string): Promise<Finding[]> {
    return this.findings({ count: null, silenced: null }, now);
  }

  /** @param until `null` to silence the alert until it is resolved */
  async silence(
    kind: AlertKind,
    id: string,
    until: string | null,
    { now, by }: { now: string; by: string | null },
  ): Promise<Alert> {
    const end = until === null ? null : parseInstant(until, 'until');
    if (end !== null && end <= now) throw new BadInput('must be later than now', 'until');
    const finding = await this.findActive(kind, id, now);
    if (finding === undefined) throw new BadInput(`must be the id of an object with an active alert ${kind}`, 'id');
    const silence = { by, at: now, until: end };
    await this.silences.write(finding, silence);
    return this.toAlert({ ...finding, silence });
  }

  /** @returns the alert; `null` if it is no longer active */
  async endSilence(kind: AlertKind, id: string, now: string): Promise<Alert | null> {
    const finding = await this.findActive(kind, id, now);
    const ended = await this.silences.end(kind, listPossibleIds(id), finding?.severity ?? null, now);
    if (ended === null) throw new NotFound('silence of an alert', [kind, id]);
    return finding === undefined ? null : this.toAlert({ ...finding, silence: null });
  }

  private async findActive(kind: AlertKind, id: string, now: string): Promise<Finding | undefined> {
    const ids = listPossibleIds(id);
    return (await this.listAll(now)).find((finding) => finding.kind === kind && ids.includes(finding.id));
  }

  private async toAlert(finding: Finding): Promise<Alert> {
    return { ...finding, message: await this.buildMessage(finding) };
  }

  private findings(selection: AlertSelection, now: string): Promise<Finding[]> {
    return this.store.list(selection, now);
  }

  async buildMessage(finding: AlertFacts): Promise<string> {
    const message = MESSAGES[finding.kind](finding);
    const { kind, printId, prints } = finding;
    if (kind !== 'PRINT_WAITS') return message;
    const reason = printId === null ? null : await this.waitingReasons.findReason(printId);
    return `${message} ${reason ?? (prints === 1 ? 'Choose the spool.' : 'Choose their spools.')}`;
  }
}

/** GUIDs are accepted in upper case too. The id of a camera is any text, so the id as given is tried as well. */
const listPossibleIds = (id: string) => [...new Set([id, id.toLowerCase()])];
