// Decides what a program may report as used of a spool, and stores the report once, however often the program sends it.
import DecimalJs from 'decimal.js';
import { BadInput, BadRequest, NotFound } from '../../errors';
import { exactDigits, parseDecimal } from '../../values/decimal';
import { nullable, readMembers } from '../../values/members';
import { type RequestTime, refusePastDeadline } from '../../values/request-time';
import { sleep } from '../../values/timers';
import type { OpenReports, ReportExchange } from './open-reports';
import type { ReportedUseStore } from './reported-use.store';

const MAX_REPORTED_MM = 10_000_000;
const MAX_REPORTED_GRAMS = 100_000;
/** A float of a program may have more decimals. They are noise. */
const DECIMALS = 28;
const Decimal = DecimalJs.clone({ precision: 160, rounding: DecimalJs.ROUND_HALF_EVEN });

/** How often the gateway looks whether another process has answered an earlier report. */
const ASKED_AGAIN_AFTER_MS = 50;

/** A report of a program: the number of the spool, and the body that it sent. */
export interface Report {
  number: number;
  body: Record<string, unknown>;
  /** The name of the caller's key or token, else the address. */
  caller: string;
  userAgent: string | undefined;
  exchange: ReportExchange;
}

const parseBody = readMembers({ use_length: nullable(readReported), use_weight: nullable(readReported) });

export class ReportedUseService {
  constructor(
    private readonly store: ReportedUseStore,
    private readonly openReports: OpenReports,
  ) {}

  /** Stores a report and returns the id of its spool. The report counts until a print of the farm explains it. */
  async report({ number, body, caller, userAgent, exchange }: Report, time: RequestTime): Promise<string> {
    const amount = parseAmount(body);
    // Moonraker adds what it cannot send to its next report.
    const holdsBack = userAgent?.startsWith('Moonraker') ?? false;
    return this.openReports.run(exchange, async (id) => {
      const report = { id, number, caller, ...amount, holdsBack, now: time.now };
      const isOpen = () => exchange.isOpen();
      for (let arrived: string | null = null; ; await sleep(ASKED_AGAIN_AFTER_MS)) {
        refusePastDeadline(time);
        const outcome = await this.store.add({ report: { ...report, arrived }, isOpen }, time.deadline);
        if (outcome === null) throw new BadRequest('The connection was closed, so the report was not stored');
        if ('wait' in outcome) {
          arrived = outcome.wait;
          continue;
        }
        if (outcome.spoolId === null) throw new NotFound('spool', [String(number)]);
        return outcome.spoolId;
      }
    });
  }
}

function parseAmount(body: Record<string, unknown>): { given: string; isLength: boolean } {
  const { use_length: length = null, use_weight: weight = null } = parseBody(body);
  if ((length === null) === (weight === null))
    throw new BadInput('The body must have either use_length in mm or use_weight in g');
  return length === null
    ? { given: limit(weight as string, MAX_REPORTED_GRAMS, 'g', 'use_weight'), isLength: false }
    : { given: limit(length, MAX_REPORTED_MM, 'mm', 'use_length'), isLength: true };
}

function limit(value: string, max: number, unit: string, member: string): string {
  if (new Decimal(value).abs().gt(max)) throw new BadInput(`must be between -${max} and ${max} ${unit}`, member);
  return value;
}

/** Reads a number, or a text of a number, with any number of decimals. */
function readReported(value: unknown, member: string): string {
  const text = typeof value === 'number' ? String(value) : (exactDigits(value) ?? value);
  const isNumeric = typeof text === 'string' && /^[+-]?\d{0,18}\.?\d*(e[+-]?\d{1,3})?$/i.test(text) && /\d/.test(text);
  return parseDecimal(isNumeric ? new Decimal(text).toDecimalPlaces(DECIMALS).toFixed() : value, member);
}
