// What REST clients send, read member by member as the services ask for it, so that faults come to light in the
// documented order. Names are read whatever their case.
import { isLosslessNumber } from 'lossless-json';
import type { RegisterCameraInput } from '../cameras/camera.inputs';
import { BadInput } from '../errors';
import type { CreatePrintJobInput, PrintJobFilter, UpdatePrintJobInput } from '../print-jobs/print-job.inputs';
import { jobStatusNamed } from '../print-jobs/print-job.status';
import { parseDecimal } from '../values/decimal';
import { parseGuid } from '../values/guid';
import { parseInstant } from '../values/instant';
import { parseExactJson } from '../values/json';
import { parseText, refuseBrokenText } from '../values/text';

/**
 * The members of a JSON object, which is read when the first of them is asked for: a job that does not exist is "checked
 * first". A member that is absent, or null, has its type's empty value.
 */
export class Body {
  private members: Map<string, unknown> | undefined;

  constructor(private readonly bytes: Buffer | undefined) {}

  value(member: string): unknown {
    this.members ??= membersOf(parseExactJson(this.bytes ?? Buffer.alloc(0)));
    return this.members.get(fold(member)) ?? null;
  }

  text(member: string): string {
    return this.optionalText(member) ?? '';
  }

  optionalText(member: string): string | null {
    const value = this.value(member);
    return value === null ? null : parseText(value, member);
  }

  decimal(member: string): string {
    const value = this.value(member);
    return value === null ? '0' : parseDecimal(value, member);
  }

  boolean(member: string): boolean {
    const value = this.value(member) ?? false;
    if (typeof value !== 'boolean') throw new BadInput('must be true or false', member);
    return value;
  }

  guid(member: string): string {
    return parseGuid(this.value(member), member);
  }

  optionalInstant(member: string): string | null {
    const value = this.value(member);
    return value === null ? null : parseInstant(value, member);
  }
}

function membersOf(json: unknown): Map<string, unknown> {
  if (json === null || typeof json !== 'object' || Array.isArray(json) || isLosslessNumber(json)) {
    throw new BadInput('The body must be a JSON object');
  }
  return new Map(Object.entries(json).map(([name, value]) => [fold(name), value]));
}

/** `friendly_name`, `FriendlyName` and `friendlyName` are one name. */
function fold(name: string): string {
  return name.toLowerCase().replaceAll('_', '');
}

/** The request body of POST /cameras. */
export function registerCameraInput(body: Body): RegisterCameraInput {
  return {
    id: body.text('cameraId'),
    friendlyName: body.text('friendlyName'),
    macAddress: body.optionalText('macAddress'),
  };
}

/** UpdatePrintJobRequest. */
export class UpdatePrintJobBody implements UpdatePrintJobInput {
  constructor(protected readonly body: Body) {}

  get printerId() {
    return this.body.guid('printerId');
  }
  get spoolId() {
    // As it is: the printer is judged first (POST rules 1 and 2, PUT rule 1).
    return this.body.value('spoolId') as string;
  }
  get printName() {
    return this.body.text('printName');
  }
  get gcodeFilePath() {
    return this.body.text('gcodeFilePath');
  }
  get mmExtruded() {
    return this.body.decimal('mmExtruded');
  }
  get gramsDerived() {
    return this.body.decimal('gramsDerived');
  }
  get costPerPrint() {
    return this.body.decimal('costPerPrint');
  }
  get notes() {
    return this.body.optionalText('notes');
  }
  get autoDeriveGrams() {
    return this.body.boolean('autoDeriveGrams');
  }
}

/** CreatePrintJobRequest. The service parses DataSource, at its rule 5. */
export class CreatePrintJobBody extends UpdatePrintJobBody implements CreatePrintJobInput {
  get startedAt() {
    return this.body.optionalInstant('startedAt');
  }
  get dataSource() {
    return this.body.value('dataSource') as string;
  }
  get filamentDiameterAtPrintMm() {
    return this.body.decimal('filamentDiameterAtPrintMm');
  }
  get materialDensityAtPrint() {
    return this.body.decimal('materialDensityAtPrint');
  }
}

/** The query parameters of GET /api/printjobs. */
export interface JobListQuery {
  filter: PrintJobFilter;
  pageNumber: number;
  pageSize: number;
}

const MOST_PAGES = 2 ** 31 - 1;

/** §4 GET /api/printjobs: "Values below 1 become 1", "clamped to 1..100", "A blank or unrecognised value is ignored". */
export function jobListQuery(query: Query): JobListQuery {
  const status = jobStatusNamed(query.any('status') ?? '');
  const printerId = query.text('printerId');
  const spoolId = query.text('spoolId');
  return {
    filter: {
      printerId: printerId === undefined ? null : parseGuid(printerId, 'printerId'),
      spoolId: spoolId === undefined ? null : parseGuid(spoolId, 'spoolId'),
      status: status === undefined ? null : [status],
    },
    pageNumber: query.integer('pageNumber', 1, 1, MOST_PAGES),
    pageSize: query.integer('pageSize', 20, 1, 100),
  };
}

/** The parameters of a query string. */
export class Query {
  private readonly parameters = new Map<string, string[]>();

  constructor(search: string) {
    for (const pair of search.split('&')) {
      if (pair === '') continue;
      const [name = '', ...value] = pair.split('=');
      const key = fold(decoded(name));
      this.parameters.set(key, [...(this.parameters.get(key) ?? []), decoded(value.join('='))]);
    }
  }

  /** Whatever it holds. */
  any(name: string): string | undefined {
    const values = this.parameters.get(fold(name)) ?? [];
    if (values.length > 1) throw new BadInput('must be given once', name);
    return values[0];
  }

  text(name: string): string | undefined {
    const text = this.any(name);
    refuseBrokenText(text, name);
    return text;
  }

  /** An integer of any length, clamped. */
  integer(name: string, otherwise: number, least: number, most: number): number {
    const text = this.text(name);
    if (text === undefined) return otherwise;
    if (!/^[+-]?\d+$/.test(text)) throw new BadInput('must be an integer', name);
    return Math.min(Math.max(Number(text), least), most);
  }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    throw new BadInput('The query string has a broken percent-encoding');
  }
}
