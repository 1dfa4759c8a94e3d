// Plays recordings on the machines of a farm, with new processes between their messages, and reads the prints, jobs and parts that result.
import { randomUUID } from 'node:crypto';
import Decimal from 'decimal.js';
import type { Database } from '../../src/database/database';
import { amsOf, unit } from '../../src/demo/machines/bambu';
import { InventoryStore } from '../../src/farm/inventory/inventory.store';
import { PrinterSlotStore } from '../../src/farm/inventory/printer-slot.store';
import type { SpoolLoadingService } from '../../src/farm/inventory/spool-loading.service';
import { deriveGrams } from '../../src/farm/print-jobs/filament';
import type { PartsOfJobService } from '../../src/farm/print-jobs/parts-of-job.service';
import type { PrintJobService } from '../../src/farm/print-jobs/print-job.service';
import { PrintPlanService } from '../../src/farm/print-plans/print-plan.service';
import { PrintPlanStore } from '../../src/farm/print-plans/print-plan.store';
import type { ObservedPrintService } from '../../src/farm/prints/observed-print.service';
import { assignSpools, resolvePrint } from '../../src/farm/prints/print-decisions.service';
import { PrintListStore } from '../../src/farm/prints/print-lists.store';
import { PrintWritingService } from '../../src/farm/prints/print-writing.service';
import { createPrintStores, type InTransaction } from '../../src/farm/prints/prints.transaction';
import { StockStore } from '../../src/farm/stock/stock.store';
import { bambu } from '../../src/machines/bambu/adapter';
import {
  createInventoryLookUps,
  createJobServices,
  createObservedPrintService,
  createSpoolLoadingService,
} from '../../src/services';
import { BambuMachine } from '../recordings/bambu/machine';
import { instant, type Recording } from '../recordings/recording';
import { setLease } from './collectors';
import { DatabaseReplay } from './database-replay';
import { quickDatabase } from './databases';
import { provideDatabase } from './gateway';
import { isEveryCut } from './replay';

export const TIME = { now: instant(100_000), deadline: Number.POSITIVE_INFINITY, newId: randomUUID };
const times = { createdAt: instant(0), updatedAt: instant(0) };

/** A new process continues after so many messages: after each one if every cut is tested. */
export const CUT_EVERY = isEveryCut ? 1 : 7;

export type PlayedPrinter = Awaited<ReturnType<ReturnType<typeof providePlayedFarm>['createMachine']>>;
export type Played = Pick<Recording, 'adapter' | 'steps'>;

export function providePlayedFarm() {
  const MATERIAL = randomUUID();
  const opened = provideDatabase(quickDatabase);
  let database: Database;
  let prints: PrintWritingService;
  let plans: PrintPlanService;
  let services: {
    jobs: PrintJobService;
    parts: PartsOfJobService;
    loads: SpoolLoadingService;
    observed: ObservedPrintService;
    stock: StockStore;
  };

  beforeAll(async () => {
    database = opened();
    prints = new PrintWritingService(inTransaction, createPrintStores(database).deviceHistory);
    plans = new PrintPlanService(new PrintPlanStore(database), true);
    const inventory = createInventoryLookUps(new InventoryStore(database));
    const { jobs, parts } = createJobServices(database, inventory);
    const slots = new PrinterSlotStore(database);
    services = {
      jobs,
      parts,
      loads: createSpoolLoadingService(database, slots, inventory),
      observed: createObservedPrintService(new PrintListStore(database), slots, parts, inventory),
      stock: new StockStore(database),
    };
    await database.prisma.material.create({ data: { id: MATERIAL, name: 'PLA', densityGPerCm3: '1.24' } });
  });
  beforeEach(() => database.prisma.printPlan.deleteMany());

  const inTransaction: InTransaction = (work) =>
    database.transaction((transaction) => work(createPrintStores(transaction)));

  const assignSpoolsTo = (id: string, spools: { slot: string; spoolId: string }[], now = TIME.now) =>
    inTransaction((prints) => assignSpools(prints, id, spools, { ...TIME, now }));
  const resolve = (id: string, outcome: string, endedAt: string | null) =>
    inTransaction((prints) => resolvePrint(prints, id, outcome, endedAt, TIME));

  /** A printer with a device that this process holds, and with a spool in each of these slots from the start. */
  async function createMachine(kind: string, ...slots: string[]) {
    const [printerId, deviceId] = [randomUUID(), randomUUID()];
    const { prisma } = database;
    await prisma.printer.create({ data: { id: printerId, name: kind, ...times } });
    const device = { id: deviceId, kind, printerId, address: '127.0.0.1', state: 'CONNECTED', ...times };
    await prisma.device.create({ data: device });
    await setLease(database, deviceId, { holder: 'me', until: '2099-01-01T00:00:00Z', number: 1 });
    const machine = { kind, printerId, lease: { subject: deviceId, holder: 'me', number: '1' } };
    for (const slot of slots) await load(machine, slot);
    return machine;
  }
  type Machine = Awaited<ReturnType<typeof createMachine>>;

  /** A spool whose serial starts with the name of its slot, so that parts show where they belong. */
  async function newSpool(serial: string): Promise<string> {
    const id = randomUUID();
    const size = { filamentDiameterMm: '1.75', weightTotalGrams: '1000', purchasePrice: '20' };
    const spoolSerial = `${serial} ${id}`;
    await database.prisma.spool.create({ data: { id, spoolSerial, ...size, materialId: MATERIAL, ...times } });
    return id;
  }

  /** Loads a new spool as another program writes it. */
  async function load({ printerId }: Pick<Machine, 'printerId'>, slot: string, from = instant(0)): Promise<string> {
    const spoolId = await newSpool(slot);
    await database.prisma.slotLoad.create({ data: { printerId, slot, spoolId, from } });
    return spoolId;
  }

  /** Loads a spool as a user enters it. @param spoolId null: it is taken out @param at null: now @param now the moment of the entry */
  const enterLoad = (
    { printerId }: Pick<Machine, 'printerId'>,
    slot: string,
    spoolId: string | null,
    at: string | null,
    now = TIME.now,
  ) => services.loads.load({ printerId, slot, spoolId, at }, { ...TIME, now });

  /** @param cutEvery a new process continues after so many steps @param behind called after each step with its number, from 1 @param cutUntil no new process from that step on */
  async function play(
    played: Played,
    machine: Machine,
    cutEvery = CUT_EVERY,
    behind = async (_: number) => {},
    cutUntil = Number.POSITIVE_INFINITY,
  ): Promise<void> {
    const whole = { ...machine, store: createPrintStores(database).deviceHistory, prints };
    let process = new DatabaseReplay(played, whole, null);
    for (const [at, step] of played.steps.entries()) {
      await process.playStep(step);
      if ((at + 1) % cutEvery === 0 && at < cutUntil) {
        process = new DatabaseReplay(played, whole, process.lastContactAt);
        if (step.link === 'up') await process.open(step);
      }
      await behind(at + 1);
    }
  }

  const readPrint = async ({ printerId }: Machine) =>
    (await database.prisma.observedPrint.findMany({ where: { printerId }, orderBy: { createdAt: 'asc' } })).at(-1);
  const readJobs = ({ printerId }: Machine) =>
    database.prisma.printJob.findMany({ where: { printerId }, orderBy: [{ createdAt: 'asc' }, { id: 'asc' }] });

  /** The parts of the last job, whose sums are checked to the digit; null without a job. */
  async function readParts(machine: Machine) {
    const id = (await readPrint(machine))?.jobId;
    if (id == null) return null;
    const job = await services.jobs.requireJob(id);
    const all = await services.parts.partsOfJob(job);
    const sum = (of: 'mmExtruded' | 'gramsDerived' | 'cost') => Decimal.sum(0, ...all.map((one) => one[of])).toFixed();
    const normalize = (amount: string) => new Decimal(amount).toFixed();
    expect([sum('mmExtruded'), sum('gramsDerived'), sum('cost')]).toEqual(
      [job.mmExtruded, job.gramsDerived, job.costPerPrint].map(normalize),
    );
    for (const one of all)
      if (Number(one.mmExtruded) > 0)
        expect(Number(one.gramsDerived)).toBe(Number(deriveGrams(one.mmExtruded, '1.75', '1.24')));
    return all;
  }

  /** The parts as texts, `slot of the spool: slot mm basis layers`. */
  async function describeParts(machine: Machine): Promise<string[] | null> {
    const all = await readParts(machine);
    return (
      all?.map(({ spool, slot, mmExtruded, gramsDerived, basis, fromLayer, toLayer }) => {
        const amount = Number(mmExtruded) > 0 ? Number(mmExtruded) : `${Number(gramsDerived)}g`;
        const layers = fromLayer === null && toLayer === null ? '' : ` ${fromLayer ?? ''}-${toLayer ?? ''}`;
        return `${spool?.spoolSerial.split(' ')[0]}: ${slot ?? '-'} ${amount} ${basis ?? '-'}${layers}`;
      }) ?? null
    );
  }

  /** Queues a job for the print of this file. */
  async function queueJob({ printerId }: Pick<Machine, 'printerId'>, spoolId: string, gcodeFilePath: string) {
    const amounts = { mmExtruded: '5', gramsDerived: '0', costPerPrint: '0', autoDeriveGrams: true };
    const measures = { filamentDiameterAtPrintMm: '0', materialDensityAtPrint: '0' };
    const order = { printName: 'Order', gcodeFilePath, notes: null, dataSource: 'Manual', startedAt: null };
    const members = { printerId, spoolId, ...order, ...amounts, ...measures };
    await services.jobs.create(members, { ...TIME, now: instant(0) });
  }

  /** Records the plan of a slicer as it is sent. */
  async function sendPlan(
    slots: [slot: number, mm: string | null, grams: string | null][],
    layers?: [number, ...string[]][],
  ) {
    const plate = {
      plate: 1,
      seconds: null,
      slots: slots.map(([slot, mm, grams]) => ({ slot, mm, grams })),
      layers: layers?.map(([layer, ...mm]) => ({ layer, mm })) ?? null,
    };
    await plans.record({ fileName: 'cube.gcode.3mf', plates: [plate] }, { ...TIME, now: new Date().toISOString() });
  }

  return {
    opened: () => ({ database, ...services }),
    assignSpoolsTo,
    resolve,
    createMachine,
    newSpool,
    load,
    enterLoad,
    play,
    readPrint,
    readJobs,
    readParts,
    describeParts,
    queueJob,
    sendPlan,
  };
}

export function playBambu(print: (machine: BambuMachine) => void): Played {
  const machine = new BambuMachine();
  machine.up();
  machine.stayIdle();
  print(machine);
  machine.stayIdle();
  return { adapter: bambu, steps: machine.steps };
}

export const AMS = { ams: { ...amsOf(unit(0), unit(1), unit(128, 1)), tray_now: '2' } };
export const tray = (tray_now: string) => ({ ams: { ...AMS.ams, tray_now } });
