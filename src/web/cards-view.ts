// The cards of cameras and printers on the dashboard.
import type { FarmOverviewQuery } from '../generated/web-operations.js';
import { element, timeElement } from './elements.js';

type Camera = FarmOverviewQuery['cameras']['nodes'][number];
type Printer = FarmOverviewQuery['printers']['nodes'][number];

export function cameraCard(camera: Camera): HTMLElement {
  const status = camera.lastStatus;
  const state = status === null ? 'no status yet' : status.online ? 'online' : 'offline';
  const card = element(
    'li',
    { class: 'card', 'data-camera': camera.id },
    element('h3', {}, camera.friendlyName),
    element('span', { class: `state ${state === 'no status yet' ? 'unknown' : state}` }, state),
    element('p', { class: 'quiet' }, camera.id),
  );
  if (status === null) return card;

  const facts = element('dl');
  const fact = (name: string, ...value: (Node | string)[]) =>
    facts.append(element('dt', {}, name), element('dd', {}, ...value));
  if (status.batteryPct !== null) {
    const meter = { min: 0, max: 100, low: 20, high: 50, optimum: 100, value: status.batteryPct };
    fact(
      'Battery',
      element('meter', { ...meter, 'aria-label': 'Battery level' }),
      ` ${Math.round(status.batteryPct)} %`,
    );
  }
  const recording = [status.recordingState, status.mode].filter((text) => text !== null && text !== '');
  if (recording.length > 0) fact('State', recording.join(', '));
  if (status.resolution !== null) {
    fact('Video', status.fps === null ? status.resolution : `${status.resolution} at ${status.fps} fps`);
  }
  if (status.videoRemainingSec !== null) fact('Room for', duration(status.videoRemainingSec));
  fact('Last seen', timeElement(status.recordedAt));
  card.append(facts);
  return card;
}

export function printerCard(printer: Printer): HTMLElement {
  const job = printer.jobs.nodes[0];
  const card = element('li', { class: 'card', 'data-printer': printer.id }, element('h3', {}, printer.name));
  if (job === undefined) {
    card.append(element('span', { class: 'state unknown' }, 'idle'));
    return card;
  }
  card.append(element('span', { class: 'state printing' }, 'printing'));
  const line = element('p', {}, job.printName);
  if (job.startedAt !== null) line.append(', started ', timeElement(job.startedAt));
  card.append(line);
  return card;
}

function duration(seconds: number): string {
  const minutes = Math.floor(seconds / 60);
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
