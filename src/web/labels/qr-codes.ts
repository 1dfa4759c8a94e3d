// Creates the QR codes of a sheet. All codes have the same version, so they have the same number of modules and the same size.
import qrcode from 'qrcode-generator';

/** The white margin around a code, in modules. Without it, phones do not find the code. */
const QUIET_ZONE = 4;
/** Level M: phones still read a code if 15 % of it is scratched. */
const ERROR_CORRECTION = 'M';

export interface QrCode {
  /** Modules per side, including the quiet zone. */
  size: number;
  /** The dark modules as an SVG path. */
  path: string;
}

/** @param addresses ASCII texts: the longest of them then needs the most room */
export function createCodes(addresses: readonly string[]): QrCode[] {
  const longest = addresses.reduce((a, b) => (b.length > a.length ? b : a), '');
  const version = (createCode(longest, 0).getModuleCount() - 17) / 4;
  return addresses.map((address) => drawCode(createCode(address, version as Parameters<typeof qrcode>[0])));
}

/** @param version the version of the code; 0 chooses the lowest version that has room for the address */
function createCode(address: string, version: Parameters<typeof qrcode>[0]) {
  const code = qrcode(version, ERROR_CORRECTION);
  code.addData(address);
  code.make();
  return code;
}

function drawCode(code: ReturnType<typeof createCode>): QrCode {
  const count = code.getModuleCount();
  const modules = Array.from({ length: count }, (_, index) => index);
  const rows = modules.map((row) =>
    modules
      .filter((column) => code.isDark(row, column))
      .map((column) => `M${column + QUIET_ZONE} ${row + QUIET_ZONE}h1v1h-1z`)
      .join(''),
  );
  return { size: count + 2 * QUIET_ZONE, path: rows.join('') };
}
