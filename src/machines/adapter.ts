// What an adapter is: the pure half of a kind of machine. It turns the messages of a connection into readings.
import type { CameraStatus } from '../farm/cameras/camera.types';
import type { Reading } from '../farm/print-rules/readings';
import type { Instant } from '../values/instant';

/** What a connection hands over: a push of the machine, or the answer to something asked, as parsed JSON. */
export interface MachineMessage {
  /** The method or path of the machine's interface. */
  source: string;
  body: unknown;
  /** Of an answer: what was asked. */
  parameters?: unknown;
  /** The machine refused to answer, or had no answer. */
  failed?: boolean;
}

/** What the database has of the running print of this device when a connection opens. */
export interface Opened {
  /** When the device was last heard of; null at the first contact. */
  lastContactAt: Instant | null;
  /** null: no print ran. */
  name: string | null;
  filePath: string | null;
  externalId: string | null;
  /** The last print, when it is over and its amounts are not reported yet; left out: there is none. */
  unplanned?: UnplannedPrint;
}

export const FIRST_CONTACT: Opened = { lastContactAt: null, name: null, filePath: null, externalId: null };

export interface UnplannedPrint {
  filePath: string;
  endedAt: Instant;
}

/** What the adapter wants to know. The connection asks it, and hands the answer over under the same source. */
export interface Ask {
  source: string;
  parameters: Record<string, unknown>;
}

/** A status record as a camera reports it. null: the camera does not say. */
export interface CameraReading extends Omit<CameraStatus, 'id' | 'cameraId' | 'recordedAt'> {
  kind: 'STATUS';
  at: Instant;
}

export interface AdapterOutput<Memory, MachineReading = Reading> {
  memory: Memory;
  readings: MachineReading[];
  asks: Ask[];
}

/** Memory is plain JSON. A printer reports readings of its prints, a camera reports status records. */
export interface Adapter<Memory, MachineReading = Reading> {
  /** The memory that a new connection begins with, and what to ask first. */
  open(opened: Opened, now: Instant): AdapterOutput<Memory, MachineReading>;
  /** Never throws. A message that cannot be understood gives no reading. */
  hear(memory: Memory, message: MachineMessage, now: Instant): AdapterOutput<Memory, MachineReading>;
}

/** An answer that a reading needs is waited for so long. */
export const MAX_WAIT_MS = 10_000;
