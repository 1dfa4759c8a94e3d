// The usual densities of plastics in g/cm³, as their makers publish them. The form of a new material and the import offer them.

export const USUAL_DENSITIES: Readonly<Record<string, string>> = {
  PLA: '1.24',
  'PLA-CF': '1.29',
  PHA: '1.24',
  PETG: '1.27',
  'PETG-CF': '1.30',
  PET: '1.38',
  PCTG: '1.23',
  CPE: '1.27',
  ABS: '1.04',
  ASA: '1.07',
  HIPS: '1.04',
  TPU: '1.21',
  PC: '1.20',
  PA: '1.14',
  NYLON: '1.14',
  PA6: '1.14',
  PA11: '1.03',
  PA12: '1.01',
  PP: '0.90',
  POM: '1.41',
  PMMA: '1.18',
  PVA: '1.23',
  PVB: '1.09',
  BVOH: '1.14',
  PVDF: '1.78',
  PEEK: '1.30',
  PEKK: '1.30',
  PPS: '1.35',
};

/** Additions to the name of a plastic that do not change its density. Fillers such as wood, metal or fibres do change it. */
const VARIANT =
  /(?: *\+|[ _-](?:plus|pro|max|basic|matte?|silk|tough|hf|hs|hyper|rapid|high[ -]speed|translucent|transparent|\d\d[ad]))+$/i;

/** @returns an empty text if no density is usual */
export function findUsualDensity(material: string): string {
  const name = material.trim();
  return USUAL_DENSITIES[name.toUpperCase()] ?? USUAL_DENSITIES[name.replace(VARIANT, '').toUpperCase()] ?? '';
}
