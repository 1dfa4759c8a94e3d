// Turns the query parameters of REST requests into the arguments of the resolvers. The case of letters in names makes no
// difference.
import { BadInput } from '../../errors';
import { MAX_PAGE_SIZE, PAGE_OF_JOBS } from '../../farm/print-jobs/print-job.limits';
import { jobStatusNamed, parseJobStatus } from '../../farm/print-jobs/print-job.status';
import { type PrintJobOrder, parseDataSource } from '../../farm/print-jobs/print-job.types';
import type { FilamentUsageArguments } from '../../farm/reports/usage.inputs';
import { UsageGroupEnum } from '../../farm/reports/usage.types';
import { type CsvForm, DECIMAL_MARKS, PLAIN_FORM, SEPARATORS } from '../../values/csv';
import { parseGuid } from '../../values/guid';
import { parseInstant } from '../../values/instant';
import { checkEach, membersOf, type Reader } from '../../values/members';
import { clamp } from '../../values/page';
import { isBlank } from '../../values/text';
import { folded } from './casing';

/** Larger page numbers become this one. */
const MAX_PAGES = 2 ** 31 - 1;

const jobListMembers = parametersOf({
  printerId: once(parseGuid),
  spoolId: once(parseGuid),
  status: once(jobStatusNamed),
  pageNumber: once(integerIn(1, MAX_PAGES)),
  pageSize: once(integerIn(1, MAX_PAGE_SIZE)),
});

/** §4: "Values below 1 become 1", "clamped to 1..100", "A blank or unrecognised value is ignored". */
export function jobListQuery(query: Query) {
  const { printerId, spoolId, status, pageNumber, pageSize } = jobListMembers(query);
  return {
    // The document's spool is the job's own.
    filter: { printerId: printerId ?? null, ownSpoolId: spoolId ?? null, status: status ? [status] : null },
    pageNumber: pageNumber ?? 1,
    pageSize: pageSize ?? PAGE_OF_JOBS,
  };
}

/** The members of PrintJobFilter. */
const FILTER = {
  printerId: once(parseGuid),
  spoolId: once(parseGuid),
  status: several(parseJobStatus),
  dataSource: once((text) => parseDataSource(folded(text as string))),
  createdFrom: once(parseInstant),
  createdTo: once(parseInstant),
  search: once(String),
};
/** How a CSV file is written. */
const FORM = {
  bom: once(oneOf({ true: 'true', false: 'false' })),
  separator: once(signOf(SEPARATORS)),
  decimalMark: once(signOf(DECIMAL_MARKS)),
};

const formMembers = reportParametersOf(FORM);

/** The query parameters of GET /reports/spools.csv and filaments.csv. */
export const csvForm = (query: Query): CsvForm => formOf(formMembers(query));

const reportMembers = reportParametersOf({
  ...FILTER,
  ...FORM,
  from: once(parseInstant),
  to: once(parseInstant),
  groupBy: several(oneOf(UsageGroupEnum)),
  timeZone: once(String),
});

/** By creation alone: a job that ended between two pages would move to a page that was read already. */
export const CSV_ORDERS = {
  CREATED_AT_DESC: 'CREATED_AT_DESC',
  CREATED_AT_ASC: 'CREATED_AT_ASC',
} as const satisfies Partial<Record<PrintJobOrder, PrintJobOrder>>;
const jobFileMembers = reportParametersOf({
  ...FILTER,
  ...FORM,
  orderBy: once(oneOf<keyof typeof CSV_ORDERS>(CSV_ORDERS)),
});

/** The query parameters of GET /reports/print-jobs.csv. */
export function jobFileQuery(query: Query) {
  const { orderBy, bom, separator, decimalMark, ...filter } = jobFileMembers(query);
  return { filter, orderBy, form: formOf({ bom, separator, decimalMark }) };
}
export type JobFileQuery = ReturnType<typeof jobFileQuery>;

/** The query parameters of GET /reports/filament-usage.csv. */
export function usageFileQuery(query: Query): UsageFileQuery {
  const { from, to, groupBy = [], timeZone = 'UTC', bom, separator, decimalMark, ...filter } = reportMembers(query);
  return { report: { from, to, groupBy, timeZone, filter }, form: formOf({ bom, separator, decimalMark }) };
}
export interface UsageFileQuery {
  report: FilamentUsageArguments;
  form: CsvForm;
}

function formOf(given: { bom?: string; separator?: string; decimalMark?: string }): CsvForm {
  const { bom, separator = PLAIN_FORM.separator, decimalMark = PLAIN_FORM.decimalMark } = given;
  return { bom: bom === 'true', separator, decimalMark };
}

/** A sign by its name or as it is. */
function signOf(signs: Record<string, string>): Reader<string> {
  const named = oneOf(Object.fromEntries(Object.keys(signs).map((name) => [name, name])));
  return (value, parameter) =>
    Object.values(signs).find((sign) => sign === value) ?? (signs[named(value, parameter)] as string);
}

/** One of these names; the case of letters makes no difference. */
function oneOf<Name extends string>(names: Record<Name, Name>): Reader<Name> {
  return (value, parameter) => {
    const name = Object.values<Name>(names).find((one) => folded(one) === folded(value as string));
    if (name === undefined) throw new BadInput(`must be one of ${Object.keys(names).join(', ')}`, parameter);
    return name;
  };
}

/** A parameter that may be given several times, or with commas between its values; undefined when all are blank. */
function several<Value>(reader: Reader<Value>): Reader<Value[] | undefined> {
  return (values, name) => {
    const texts = (values as string[]).flatMap((text) => text.split(',')).filter((text) => !isBlank(text));
    return texts.length > 0 ? texts.map((text) => reader(text, name)) : undefined;
  };
}

/** A parameter that may be given once; undefined when it is blank: forms and ASP.NET's clients send those too. */
function once<Value>(reader: Reader<Value>): Reader<Value | undefined> {
  return (values, name) => {
    const [value, another] = (values as string[]).filter((text) => !isBlank(text));
    if (another !== undefined) throw new BadInput('must be given once', name);
    return value === undefined ? undefined : reader(value, name);
  };
}

/** An integer of any length, clamped. */
function integerIn(min: number, max: number): Reader<number> {
  return (text, name) => {
    if (!/^[+-]?\d+$/.test(text as string)) throw new BadInput('must be an integer', name);
    return clamp(Number(text), min, max);
  };
}

/** Reads the parameters of a query by the readers of their values. */
function parametersOf<Table extends Record<string, Reader<unknown>>>(readers: Table) {
  const read = membersOf(readers);
  const names = Object.keys(readers);
  return (query: Query) =>
    read(Object.fromEntries(names.map((name) => [name, query.all(name)])) as Parameters<typeof read>[0]);
}

/** As parametersOf, but unknown parameters are refused: with a mistyped `from`, a report would be of all time. */
function reportParametersOf<Table extends Record<string, Reader<unknown>>>(readers: Table) {
  const read = parametersOf(readers);
  const names = Object.keys(readers);
  return (query: Query) => {
    const others = query.names().filter((name) => !names.some((own) => folded(own) === name));
    checkEach(others, [], (other) => {
      throw new BadInput(`is no parameter of this report, which has ${names.join(', ')}`, other);
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
      throw new BadInput('The query string has a broken percent-encoding');
    }
    // URLSearchParams drops a first question mark: it gets one to drop, since the name of a parameter may begin with one.
    for (const [name, value] of new URLSearchParams(`?${search}`)) this.parameters.append(folded(name), value);
  }

  /** In lower case, each once. */
  names(): string[] {
    return [...new Set(this.parameters.keys())];
  }

  /** The values of a parameter, in order. */
  all(name: string): string[] {
    return this.parameters.getAll(folded(name));
  }
}
