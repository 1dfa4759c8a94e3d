// Turns the query parameters of REST requests into arguments of the resolvers. Names of parameters may be in upper or lower
// case.
import { BadInput } from '../../errors';
import { PAGE_OF_JOBS } from '../../farm/print-jobs/print-job.limits';
import { findJobStatus, parseJobStatus } from '../../farm/print-jobs/print-job.status';
import { type PrintJobOrder, PrintJobRecordingEnum, parseDataSource } from '../../farm/print-jobs/print-job.types';
import type { FilamentUsageArguments } from '../../farm/reports/usage.inputs';
import { UsageGroupEnum } from '../../farm/reports/usage.types';
import { type CsvForm, DECIMAL_MARKS, PLAIN_FORM, SEPARATORS } from '../../values/csv';
import { parseGuid } from '../../values/guid';
import { parseInstant } from '../../values/instant';
import { checkEach, type Reader, readMembers } from '../../values/members';
import { clamp } from '../../values/page';
import { isBlank } from '../../values/text';
import { foldName } from './casing';

/** Print job document §8: "PageSize … clamped to 1..100". A page of GraphQL may have MAX_PAGE_ROWS. */
export const MAX_PAGE_SIZE = 100;
/** The largest page number. Larger numbers are clamped to it. */
const MAX_PAGES = 2 ** 31 - 1;

const readJobListParameters = createParameterReader({
  printerId: readOnce(parseGuid),
  spoolId: readOnce(parseGuid),
  status: readOnce(findJobStatus),
  pageNumber: readOnce(readInteger(1, MAX_PAGES)),
  pageSize: readOnce(readInteger(1, MAX_PAGE_SIZE)),
});

/**
 * Reads the query of GET /api/printjobs. Print job document §4: "Values below 1 become 1", "clamped to 1..100", "A blank or
 * unrecognised value is ignored".
 */
export function readJobListQuery(query: Query) {
  const { printerId, spoolId, status, pageNumber, pageSize } = readJobListParameters(query);
  return {
    // The document's filter compares the spool of the job itself, not the spools of its parts.
    filter: { printerId: printerId ?? null, ownSpoolId: spoolId ?? null, status: status ? [status] : null },
    pageNumber: pageNumber ?? 1,
    pageSize: pageSize ?? PAGE_OF_JOBS,
  };
}

/** The parameters that are members of the graph's PrintJobFilter. */
const FILTER_READERS = {
  printerId: readOnce(parseGuid),
  spoolId: readOnce(parseGuid),
  status: readSeveral(parseJobStatus),
  dataSource: readOnce((text) => parseDataSource(foldName(text as string))),
  createdFrom: readOnce(parseInstant),
  createdTo: readOnce(parseInstant),
  search: readOnce(String),
};
/** The parameters that decide how a CSV file is written. */
const FORM_READERS = {
  bom: readOnce(readName({ true: 'true', false: 'false' })),
  separator: readOnce(readSign(SEPARATORS)),
  decimalMark: readOnce(readSign(DECIMAL_MARKS)),
};

const readFormParameters = createReportParameterReader(FORM_READERS);

/** Reads the query of GET /reports/spools.csv and GET /reports/filaments.csv. */
export const readCsvForm = (query: Query): CsvForm => makeCsvForm(readFormParameters(query));

const readReportParameters = createReportParameterReader({
  ...FILTER_READERS,
  ...FORM_READERS,
  from: readOnce(parseInstant),
  to: readOnce(parseInstant),
  groupBy: readSeveral(readName(UsageGroupEnum)),
  timeZone: readOnce(String),
});

/**
 * The orders of a file of jobs: by creation only. In an order by completion, a job that ends while the file is being made could
 * move to a page that was already read, and be missing.
 */
export const CSV_ORDERS = {
  CREATED_AT_DESC: 'CREATED_AT_DESC',
  CREATED_AT_ASC: 'CREATED_AT_ASC',
} as const satisfies Partial<Record<PrintJobOrder, PrintJobOrder>>;
const readJobFileParameters = createReportParameterReader({
  ...FILTER_READERS,
  ...FORM_READERS,
  recording: readSeveral(readName(PrintJobRecordingEnum)),
  orderBy: readOnce(readName<keyof typeof CSV_ORDERS>(CSV_ORDERS)),
});

/** Reads the query of the reports with one line or more for each job. */
export function readJobFileQuery(query: Query) {
  const { orderBy, recording, bom, separator, decimalMark, ...filter } = readJobFileParameters(query);
  return { filter, recording, orderBy, form: makeCsvForm({ bom, separator, decimalMark }) };
}
export type JobFileQuery = ReturnType<typeof readJobFileQuery>;

/** Reads the query of GET /reports/filament-usage.csv. */
export function readUsageFileQuery(query: Query): UsageFileQuery {
  const {
    from,
    to,
    groupBy = [],
    timeZone = 'UTC',
    bom,
    separator,
    decimalMark,
    ...filter
  } = readReportParameters(query);
  return { report: { from, to, groupBy, timeZone, filter }, form: makeCsvForm({ bom, separator, decimalMark }) };
}
export interface UsageFileQuery {
  report: FilamentUsageArguments;
  form: CsvForm;
}

function makeCsvForm(given: { bom?: string; separator?: string; decimalMark?: string }): CsvForm {
  const { bom, separator = PLAIN_FORM.separator, decimalMark = PLAIN_FORM.decimalMark } = given;
  return { bom: bom === 'true', separator, decimalMark };
}

/** Reads a sign that is given by its name, such as `comma`, or as the sign itself. */
function readSign(signs: Record<string, string>): Reader<string> {
  const named = readName(Object.fromEntries(Object.keys(signs).map((name) => [name, name])));
  return (value, parameter) =>
    Object.values(signs).find((sign) => sign === value) ?? (signs[named(value, parameter)] as string);
}

/** Reads one of these names, in upper or lower case. */
function readName<Name extends string>(names: Record<Name, Name>): Reader<Name> {
  return (value, parameter) => {
    const name = Object.values<Name>(names).find((one) => foldName(one) === foldName(value as string));
    if (name === undefined) throw new BadInput(`must be one of ${Object.keys(names).join(', ')}`, parameter);
    return name;
  };
}

/** Reads a parameter that may be given several times, or with commas between its values; undefined if all values are blank. */
function readSeveral<Value>(reader: Reader<Value>): Reader<Value[] | undefined> {
  return (values, name) => {
    const texts = (values as string[]).flatMap((text) => text.split(',')).filter((text) => !isBlank(text));
    return texts.length > 0 ? texts.map((text) => reader(text, name)) : undefined;
  };
}

/** Reads a parameter that may be given once; undefined if it is blank, because forms and ASP.NET clients send blank ones. */
function readOnce<Value>(reader: Reader<Value>): Reader<Value | undefined> {
  return (values, name) => {
    const [value, another] = (values as string[]).filter((text) => !isBlank(text));
    if (another !== undefined) throw new BadInput('must appear only once', name);
    return value === undefined ? undefined : reader(value, name);
  };
}

/** Reads an integer with any number of digits, and clamps it. */
function readInteger(min: number, max: number): Reader<number> {
  return (text, name) => {
    if (!/^[+-]?\d+$/.test(text as string)) throw new BadInput('must be an integer', name);
    return clamp(Number(text), min, max);
  };
}

/** Makes a function that reads the parameters of a query, each with its reader. */
function createParameterReader<Table extends Record<string, Reader<unknown>>>(readers: Table) {
  const read = readMembers(readers);
  const names = Object.keys(readers);
  return (query: Query) =>
    read(Object.fromEntries(names.map((name) => [name, query.valuesOf(name)])) as Parameters<typeof read>[0]);
}

/** Like createParameterReader, but the reader refuses unknown parameters: with a mistyped `from`, a report would silently cover all time. */
function createReportParameterReader<Table extends Record<string, Reader<unknown>>>(readers: Table) {
  const read = createParameterReader(readers);
  const names = Object.keys(readers);
  return (query: Query) => {
    const others = query.names().filter((name) => !names.some((own) => foldName(own) === name));
    checkEach(others, [], (other) => {
      throw new BadInput(`is not a parameter of this report. Its parameters: ${names.join(', ')}.`, other);
    });
    return read(query);
  };
}

export class Query {
  private readonly parameters = new URLSearchParams();

  constructor(search: string) {
    try {
      decodeURIComponent(search);
    } catch {
      throw new BadInput('The query string has an invalid percent-encoding. Encode a percent sign as %25');
    }
    // URLSearchParams drops a question mark at the start. One is added for it, because a parameter's name may start with one.
    for (const [name, value] of new URLSearchParams(`?${search}`)) this.parameters.append(foldName(name), value);
  }

  /** The names of all parameters in their compared spelling, each once. */
  names(): string[] {
    return [...new Set(this.parameters.keys())];
  }

  /** The values of a parameter, in order. */
  valuesOf(name: string): string[] {
    return this.parameters.getAll(foldName(name));
  }
}
