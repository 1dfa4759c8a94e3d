// Names the objects that a search found as the other pages name them, with the addresses of their pages.
import type { FoundProductFragment, FoundSpoolFragment, SearchQuery } from '../../generated/web-operations';
import { CAMERAS_ADDRESS, cameraAddress } from '../camera/camera-address';
import { LIVENESS } from '../camera/camera-tones';
import { filamentName } from '../parts/formats';
import { JOB_STATUSES } from '../parts/job-statuses';
import { filamentAddress, jobAddress, printerAddress, spoolAddress } from '../parts/object-addresses';
import type { Matches, Result } from './search-results';

export function listMatches({ byNumber, printers, printJobs, spools, filaments, cameras }: SearchQuery): Matches[] {
  const spool = byNumber?.__typename === 'Spool' ? [byNumber] : [];
  const product = byNumber?.__typename === 'Filament' ? [byNumber] : [];
  return [
    { kind: 'Printers', list: '/printers', results: (printers?.nodes ?? []).map(createPrinterResult) },
    // The newest job is first.
    { kind: 'Jobs', list: '/jobs', results: (printJobs?.nodes ?? []).map(createJobResult), isOrdered: true },
    { kind: 'Spools', list: '/spools', results: addMissing(spool, spools?.nodes).map(createSpoolResult) },
    { kind: 'Products', list: '/filaments', results: addMissing(product, filaments?.nodes).map(createProductResult) },
    { kind: 'Cameras', list: CAMERAS_ADDRESS, results: (cameras?.nodes ?? []).map(createCameraResult) },
  ];
}

/** The first rows of a list may lack the object with the searched number. */
const addMissing = <Row extends { id: string }>(found: readonly Row[], rows: readonly Row[] = []): Row[] => [
  ...found,
  ...rows.filter(({ id }) => !found.some((row) => row.id === id)),
];

type Node<List extends { nodes: readonly unknown[] } | undefined> = NonNullable<List>['nodes'][number];

const createPrinterResult = ({ id, name, archivedAt }: Node<SearchQuery['printers']>): Result => ({
  address: printerAddress(id),
  name,
  details: [],
  isArchived: archivedAt !== null,
});

const createJobResult = ({ id, printName, status, printer }: Node<SearchQuery['printJobs']>): Result => ({
  address: jobAddress(id),
  name: printName || 'Unnamed',
  details: [JOB_STATUSES[status].name, printer?.name ?? null],
});

const createSpoolResult = (spool: FoundSpoolFragment): Result => ({
  address: spoolAddress(spool.id),
  name: spool.spoolSerial,
  details: [`#${spool.number}`, spool.material.name, spool.place],
  colorHex: spool.colorHex,
  isArchived: spool.archivedAt !== null,
});

const createProductResult = (product: FoundProductFragment): Result => ({
  address: filamentAddress(product.id),
  name: filamentName(product),
  details: [`#${product.number}`, product.material.name],
  colorHex: product.colorHex,
  isArchived: product.archivedAt !== null,
});

const createCameraResult = ({ id, friendlyName, liveness }: Node<SearchQuery['cameras']>): Result => ({
  address: cameraAddress(id),
  name: friendlyName,
  details: [id, LIVENESS[liveness].name],
});
