// What the farm does now, as brokers are told it: the states behind the topics.
import type { CameraLiveness } from '../../farm/cameras/health.types';
import type { StateOfPrinter } from '../../farm/printer-states/printer-state.types';

export interface PrinterOnBroker {
  id: string;
  name: string;
  activity: StateOfPrinter['activity'];
  /** 0 to 1. */
  progress: number | null;
  remainingSec: number | null;
  /** The name of its print. */
  print: string | null;
  /** The serial of the spool of its job; without a job, of the only spool that is in it. */
  spool: string | null;
}

export interface CameraOnBroker {
  id: string;
  name: string;
  /** The printer that it watches. */
  printerId: string | null;
  liveness: CameraLiveness;
  batteryPct: number | null;
  videoRemainingSec: number | null;
  /** In the words of the camera. */
  recordingState: string | null;
}

export interface FarmStates {
  /** That of the feed of changes, and the farm's own. */
  name: string;
  printers: PrinterOnBroker[];
  cameras: CameraOnBroker[];
  farm: { alerts: number; jobsPrinting: number };
}

/** The farm as a target sees it that is told of some printers alone: with the cameras that watch them. */
export function onlyOf(states: FarmStates, printerIds: readonly string[]): FarmStates {
  const ids = new Set(printerIds);
  return {
    ...states,
    printers: states.printers.filter(({ id }) => ids.has(id)),
    cameras: states.cameras.filter(({ printerId }) => printerId !== null && ids.has(printerId)),
  };
}
