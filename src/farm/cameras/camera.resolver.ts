// Offers cameras and their status records in GraphQL. REST calls the same resolvers.
import { Arg, Args, Ctx, FieldResolver, ID, Int, Mutation, Query, Resolver, Root } from 'type-graphql';
import type { Unread } from '../../values/members';
import { type Page, readPageRange, type Selected } from '../../values/page';
import type { Context } from '../graph/context';
import { link } from '../graph/link';
import { AllArguments } from '../graph/page-arguments';
import { SelectedOfPage } from '../graph/relay-connection';
import { Requires } from '../graph/rights';
import { DateTimeScalar } from '../graph/scalars';
import { Printer } from '../inventory/inventory.types';
import { CameraFilter, CameraStatusInput, RegisterCameraInput, UpdateCameraInput } from './camera.inputs';
import type { CameraService } from './camera.service';
import { HISTORY_ENTRIES, HISTORY_HOURS, MAX_HISTORY_ENTRIES, MAX_STATUS_RECORDS } from './camera.service';
import type { CameraStore } from './camera.store';
import { Camera, CameraConnection, CameraStatus } from './camera.types';

const Id = () => Arg('id', () => ID, { description: 'The camera’s identifier.' });

@Resolver(() => Camera)
export class CameraResolver {
  constructor(private readonly service: CameraService) {}

  @Query(() => Camera, {
    nullable: true,
    description: 'One camera; null if there is no camera with this id. BAD_USER_INPUT for an empty id.',
  })
  camera(@Id() id: string): Promise<Camera | null> {
    return this.service.byId(id);
  }

  @Query(() => CameraConnection, { description: 'All cameras, ascending by id (code point order).' })
  cameras(
    @Arg('filter', () => CameraFilter, { nullable: true, description: 'Only cameras that match.' })
    filter: CameraFilter | null,
    @Args(() => AllArguments) page: AllArguments,
    @SelectedOfPage() selected: Selected,
  ): Promise<Page<Camera>> {
    return this.service.readPage(filter ?? {}, readPageRange(page, selected));
  }

  @FieldResolver(() => [CameraStatus], {
    description:
      'Status records, newest first; at the same time, the greater id first. Without `from`: ' +
      `the last ${HISTORY_HOURS} hours.`,
  })
  history(
    @Root() { id }: Camera,
    @Ctx() context: Context,
    @Arg('from', () => DateTimeScalar, { nullable: true, description: 'Recorded at or after this instant.' }) from?:
      | string
      | null,
    @Arg('to', () => DateTimeScalar, { nullable: true, description: 'Recorded at or before this instant.' }) to?:
      | string
      | null,
    @Arg('first', () => Int, {
      nullable: true,
      defaultValue: HISTORY_ENTRIES,
      description: `The maximum number of records, clamped to 1..${MAX_HISTORY_ENTRIES}.`,
    })
    first?: number | null,
  ): Promise<CameraStatus[]> {
    return this.service.history(id, { from, to, first }, context);
  }

  @Requires('camera')
  @Mutation(() => Camera, {
    description:
      'Registers a camera. BAD_USER_INPUT if id or friendlyName is empty or the printer is unknown, CONFLICT if the id or the MAC address ' +
      'is already registered.',
  })
  registerCamera(
    @Arg('input', () => RegisterCameraInput, { description: 'The camera.' }) input: Unread<RegisterCameraInput>,
    @Ctx() context: Context,
  ): Promise<Camera> {
    context.caller.requireCameraRegistration(input);
    return this.service.register(input, context.now);
  }

  @Requires('camera')
  @Mutation(() => Camera, {
    description:
      'Changes a camera. NOT_FOUND if there is no such camera, CONFLICT if another camera has the MAC address, BAD_USER_INPUT if the ' +
      'printer is unknown.',
  })
  updateCamera(
    @Id() id: string,
    @Arg('input', () => UpdateCameraInput, { description: 'The changes.' }) input: UpdateCameraInput,
    @Ctx() context: Context,
  ): Promise<Camera> {
    context.caller.requireCameraUpdate(id, input);
    return this.service.update(id, input, context.now);
  }

  @Mutation(() => ID, {
    description:
      'Removes a camera with its device and its whole log, and returns its id. Use it for a camera that was registered by mistake. NOT_FOUND ' +
      'if there is no such camera. Readers no longer see anything of the camera. The records of a long log, beyond the first 50,000, are ' +
      'deleted within about an hour, and the id stays registered until then. CONFLICT if the recordings of prints that are not final yet have ' +
      'more than 250,000 status records. Credentials that are bound to a camera may not do this. If the camera has a device, the caller also ' +
      'needs the right to configure devices.',
  })
  removeCamera(@Id() id: string, @Ctx() context: Context): Promise<string> {
    return this.service.remove(id, context.caller.canConfigureDevices, context);
  }

  @Requires('camera')
  @Mutation(() => [CameraStatus], {
    description:
      `Stores at most ${MAX_STATUS_RECORDS} status records, all or none, and returns them in the order given. A record that equals a stored ` +
      'record in all its members changes nothing and returns the stored record, so a retry is safe. A different record with the same time is ' +
      'stored too, and the record with the greater id is the later one. A record without recordedAt gets the next free millisecond of its ' +
      'camera, so no record is dropped. NOT_FOUND if a camera is not registered.',
  })
  recordCameraStatuses(
    @Arg('input', () => [CameraStatusInput], { description: 'The records.' }) input: CameraStatusInput[],
    @Ctx() context: Context,
  ): Promise<CameraStatus[]> {
    context.caller.requireWriteForCameras(input.map((record) => record.cameraId));
    return this.service.record(input, context);
  }
}

export const CAMERA_LINKS = [
  link(Camera, 'printer', Printer, ({ printerId }: Camera) => printerId, {
    nullable: true,
    description: 'The printer that the camera watches; null if no printer is assigned.',
  }),
];

@Resolver(() => CameraStatus)
export class CameraStatusResolver {
  constructor(private readonly service: CameraService) {}

  @FieldResolver(() => Camera, { description: 'The camera of the record.' })
  camera(@Root() { cameraId }: CameraStatus): Promise<Camera> {
    return this.service.findExisting(cameraId);
  }
}

/** Offers the field `cameras` of a printer. */
@Resolver(() => Printer)
export class PrinterCamerasResolver {
  constructor(private readonly store: CameraStore) {}

  @FieldResolver(() => [Camera], { description: 'The cameras that watch the printer, by id (code point order).' })
  async cameras(@Root() { id }: Printer): Promise<Camera[]> {
    return (await this.store.byPrinter.load(id)) ?? [];
  }
}
