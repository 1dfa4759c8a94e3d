// By which names a print finds its plan: slicers, file systems and printers write the name of one file in different ways.

const ENDINGS = /(?<=.)(\.gcode)?\.3mf$|(?<=.)\.(b?gcode|gco)$/i;

/** One text for one name: systems write the same letters in different forms. */
export function baseName(path: string): string {
  return path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1).normalize();
}

export const planName = (path: string): string => baseName(path).replace(ENDINGS, '');
