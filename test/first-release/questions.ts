// What every release must answer about the farm of the first release as the first release did, digit for digit.
// No answer depends on the clock, on a connection to a machine, or on what a restore switches off.

/** Paths of the two older services. */
export const PATHS = ['/cameras', '/cameras/exact', '/api/printjobs?PageSize=100'];

export const QUERIES = [
  `{ materials { id name densityGPerCm3 archivedAt }
    filaments(first: 100) { totalCount nodes { id number name vendor colorHex filamentDiameterMm weightTotalGrams tareGrams
      purchasePrice articleNumber minimumGrams createdAt updatedAt material { id } } } }`,
  `{ spools(first: 100) { totalCount nodes { id number spoolSerial vendor colorHex place filamentDiameterMm weightTotalGrams
    tareGrams purchasePrice createdAt updatedAt usedGrams adjustedGrams remainingGrams plannedGrams
    filament { id } material { id } loadedIn { slot printer { id } }
    adjustments(first: 100) { nodes { id kind at grams netGrams grossGrams tareGrams note by } } } } }`,
  `{ printers(first: 100) { totalCount nodes { id name createdAt updatedAt cameras { id } device { id }
    slots { slot reported loadedAt spool { id } } slotLoads(first: 100) { nodes { slot from to spool { id } } } } } }`,
  `{ printJobs(first: 100) { totalCount nodes { id printName gcodeFilePath status dataSource mmExtruded gramsDerived costPerPrint
    filamentDiameterAtPrintMm materialDensityAtPrint notes startedAt completedAt createdAt updatedAt filamentBasis
    printer { id } spool { id } observedPrint { id } statusHistory { from to at }
    parts { slot fromLayer toLayer mmExtruded gramsDerived cost filamentBasis spool { id } } } } }`,
  `{ observedPrints(first: 100) { totalCount nodes { id name externalId filePath outcome startedAt endedAt ignoredAt createdAt
    printer { id } job { id } sightings(first: 100) { nodes { at kind } } } } }`,
  `{ cameras(first: 100) { totalCount nodes { id friendlyName macAddress recordsPrints expectedIntervalSec createdAt updatedAt
    printer { id } lastStatus { id recordedAt batteryPct videoRemainingSec recordingState mode resolution fps online rawBatteryPct }
    watches { from to printer { id } } } } }`,
  `{ devices { id kind address serial enabled hasSecret certificateFingerprint createdAt updatedAt printer { id } camera { id } }
    notificationTargets { id kind name url events minimumSeverity hasSecret createdAt printers { id } } }`,
  `{ filamentUsage(groupBy: [SPOOL]) { spool { id } completedJobs completedGrams completedCost wastedJobs wastedGrams
    wastedCost lostGrams lostCost } }`,
];
