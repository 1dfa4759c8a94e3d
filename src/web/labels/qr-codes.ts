// The QR codes of a sheet: all of one version, so that each has as many modules, and one size.
import qrcode from 'qrcode-generator';

/** The white around a code without which phones do not find it. */
const QUIET = 4;
/** A code that is scratched by 15 % is still read. */
const CORRECTION = 'M';

export interface Code {
  /** Modules on a side, with the quiet zone. */
  size: number;
  /** The dark modules, as the path of an SVG. */
  path: string;
}

/** @param addresses of plain ASCII */
export function codesOf(addresses: readonly string[]): Code[] {
  const longest = addresses.reduce((one, other) => (other.length > one.length ? other : one), '');
  const version = (codeOf(longest, 0).getModuleCount() - 17) / 4;
  return addresses.map((address) => drawn(codeOf(address, version as Parameters<typeof qrcode>[0])));
}

/** @param version 0: the least that holds the address */
function codeOf(address: string, version: Parameters<typeof qrcode>[0]) {
  const code = qrcode(version, CORRECTION);
  code.addData(address);
  code.make();
  return code;
}

function drawn(code: ReturnType<typeof codeOf>): Code {
  const count = code.getModuleCount();
  const modules = Array.from({ length: count }, (_, at) => at);
  const rows = modules.map((row) =>
    modules
      .filter((column) => code.isDark(row, column))
      .map((column) => `M${column + QUIET} ${row + QUIET}h1v1h-1z`)
      .join(''),
  );
  return { size: count + 2 * QUIET, path: rows.join('') };
}
