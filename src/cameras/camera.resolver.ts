// Cameras in the graph: every door to them enters here.
import { Arg, Args, Ctx, FieldResolver, ID, Int, Mutation, Query, Resolver, Root } from 'type-graphql';
import { type Page, pageRange, type Selected } from '../database/paging';
import type { CameraRow, CameraStatusRow, CameraWithHistory } from '../database/rows';
import { SelectedOfPage } from '../graphql/connection';
import type { Context } from '../graphql/context';
import { AllArguments } from '../graphql/page-arguments';
import { DateTimeScalar } from '../graphql/scalars';
import { ArgumentsOfSelected } from '../graphql/selection';
import { CameraFilter, CameraStatusInput, RegisterCameraInput, UpdateCameraInput } from './camera.inputs';
import { type CameraService, HISTORY_ENTRIES, type Stretch } from './camera.service';
import { Camera, CameraConnection, CameraStatus } from './camera.types';

@Resolver(() => Camera)
export class CameraResolver {
  constructor(private readonly service: CameraService) {}

  @Query(() => Camera, {
    nullable: true,
    description: 'One camera; null when there is none with this id. An empty id is BAD_USER_INPUT.',
  })
  camera(
    @Arg('id', () => ID, { description: 'The camera’s identifier.' }) id: string,
    @ArgumentsOfSelected('history') history: Stretch | null,
    @Ctx() context: Context,
  ): Promise<CameraWithHistory | null> {
    context.caller.mayRead();
    return this.service.byId(id, history, context.now);
  }

  @Query(() => CameraConnection, { description: 'All cameras, ascending by id (code point order).' })
  cameras(
    @Arg('filter', () => CameraFilter, { nullable: true, description: 'Which cameras to keep.' })
    filter: CameraFilter | null,
    @Args(() => AllArguments) page: AllArguments,
    @SelectedOfPage() selected: Selected,
    @Ctx() context: Context,
  ): Promise<Page<CameraRow>> {
    context.caller.mayRead();
    return this.service.page(filter ?? {}, pageRange(page, selected));
  }

  @FieldResolver(() => [CameraStatus], {
    description:
      'Status records, newest first (ties: greater id first). Without `from`: of the last 24 hours (§8 of the camera document).',
  })
  history(
    @Root() camera: CameraWithHistory,
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
      description: 'At most this many records, clamped to 1..1000.',
    })
    first?: number | null,
  ): Promise<CameraStatusRow[]> {
    context.caller.mayRead();
    return this.service.history(camera, { from, to, first }, context.now);
  }

  @Mutation(() => Camera, {
    description:
      'Registers a camera. BAD_USER_INPUT when id or friendlyName is empty, CONFLICT when the id or the MAC address is taken.',
  })
  registerCamera(
    @Arg('input', () => RegisterCameraInput, { description: 'The camera.' }) input: RegisterCameraInput,
    @Ctx() context: Context,
  ): Promise<CameraRow> {
    context.caller.mayWriteForCameras([input.id]);
    return this.service.register(input, context.now);
  }

  @Mutation(() => Camera, {
    description: 'Changes a camera. NOT_FOUND when there is none, CONFLICT when the MAC address is taken.',
  })
  updateCamera(
    @Arg('id', () => ID, { description: 'The camera’s identifier.' }) id: string,
    @Arg('input', () => UpdateCameraInput, { description: 'What to change.' }) input: UpdateCameraInput,
    @Ctx() context: Context,
  ): Promise<CameraRow> {
    context.caller.mayWriteForCameras([id]);
    return this.service.update(id, input, context.now);
  }

  @Mutation(() => [CameraStatus], {
    description:
      'Stores status records, all or none, at most 1,000, and answers them in the order given. The same (cameraId, recordedAt) ' +
      'again changes nothing and answers the stored record, so a retry is safe; a time that the server assigns is the next free ' +
      'millisecond of that camera, so nothing is dropped. NOT_FOUND when a camera is not registered.',
  })
  recordCameraStatuses(
    @Arg('input', () => [CameraStatusInput], { description: 'The records.' }) input: CameraStatusInput[],
    @Ctx() context: Context,
  ): Promise<CameraStatusRow[]> {
    context.caller.mayWriteForCameras(input.map((record) => record.cameraId));
    return this.service.record(input, context.now);
  }
}

@Resolver(() => CameraStatus)
export class CameraStatusResolver {
  @FieldResolver(() => Camera, { description: 'The camera that the record is of.' })
  camera(@Root() status: CameraStatusRow, @Ctx() { farm }: Context): Promise<CameraRow | null> {
    return farm.loaders.camera.load(status.cameraId);
  }
}
