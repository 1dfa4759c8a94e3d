// Devices in the graph, and the fields that lead to them.
import { Arg, Ctx, Extensions, FieldResolver, ID, Mutation, Query, Resolver, Root } from 'type-graphql';
import { Camera } from '../cameras/camera.types';
import type { Context } from '../graph/context';
import { Costs } from '../graph/costs';
import { link } from '../graph/link';
import { Requires } from '../graph/rights';
import { Printer } from '../inventory/inventory.types';
import { AddDeviceInput, UpdateDeviceInput } from './device.inputs';
import { type DeviceService, MAX_DEVICE_TESTS } from './device.service';
import { type DeviceStore, MAX_DEVICES } from './device.store';
import { Device, DeviceConnection, DeviceTest } from './device.types';

const Id = () => Arg('id', () => ID, { description: 'GUID of the device.' });
const NEEDS = 'Needs the right to configure devices; the right to write does not hold it.';

@Resolver(() => Device)
export class DeviceResolver {
  constructor(
    private readonly service: DeviceService,
    private readonly store: DeviceStore,
  ) {}

  @Costs({ size: MAX_DEVICES })
  @Query(() => [Device], {
    description: `All machines that the gateway listens to, in the order in which they were added; at most ${MAX_DEVICES}.`,
  })
  devices(): Promise<Device[]> {
    return this.store.listAll();
  }

  @Query(() => Device, { nullable: true, description: 'One device; null when there is none.' })
  device(@Id() id: string): Promise<Device | null> {
    return this.service.byId(id);
  }

  @Requires('devices')
  @Mutation(() => Device, {
    description:
      `Makes the gateway listen to a machine. It connects at once, and \`connection\` says how that went. ${NEEDS} ` +
      `BAD_USER_INPUT for a wrong address, when the printer or camera is unknown, or when the farm has ${MAX_DEVICES} devices; CONFLICT ` +
      'when it has a device, or when another printer or camera has this machine as its device, which the message names.',
  })
  addDevice(
    @Arg('input', () => AddDeviceInput, { description: 'The machine.' }) input: AddDeviceInput,
    @Ctx() context: Context,
  ): Promise<Device> {
    return this.service.add(input, context);
  }

  @Requires('devices')
  @Mutation(() => Device, {
    description:
      `Changes a device. The gateway connects again, also when nothing is different. ${NEEDS} NOT_FOUND when there is none, ` +
      'BAD_USER_INPUT names each member at fault, CONFLICT when others change it at this moment, or when another printer or camera ' +
      'has the machine at its new address as its device.',
  })
  updateDevice(
    @Id() id: string,
    @Arg('input', () => UpdateDeviceInput, { description: 'The changes.' }) input: UpdateDeviceInput,
    @Ctx() context: Context,
  ): Promise<Device> {
    return this.service.update(id, input, context);
  }

  @Requires('devices')
  @Mutation(() => ID, {
    description:
      'Ends the connection to a machine, forgets its secret, and answers its id. Its prints and jobs stay; a print that runs ' +
      `becomes UNRESOLVED. ${NEEDS} NOT_FOUND when there is none.`,
  })
  removeDevice(@Id() id: string, @Ctx() context: Context): Promise<string> {
    return this.service.remove(id, context);
  }

  @Extensions({ storesNothing: true })
  @Requires('devices')
  @Mutation(() => DeviceTest, {
    description:
      'Connects to a machine once, for at most 10 seconds and within the time of the request, and answers what was found. Nothing ' +
      `is stored, so an idempotency key is ignored, and it must be the only mutation of its operation. ${NEEDS} ` +
      'BAD_USER_INPUT as for addDevice, but a machine that is not in the farm yet has neither printerId nor cameraId. CONFLICT ' +
      `when another device is this machine, TOO_MANY_REQUESTS while ${MAX_DEVICE_TESTS} others run.`,
  })
  testDevice(
    @Arg('input', () => AddDeviceInput, { description: 'The machine.' }) input: AddDeviceInput,
    @Ctx() context: Context,
  ): Promise<DeviceTest> {
    return this.service.test(input, context);
  }
}

export const DEVICE_LINKS = [
  link(Device, 'printer', Printer, ({ printerId }: Device) => printerId, {
    nullable: true,
    description: 'The printer that it is; null when it is a camera.',
  }),
  link(Device, 'camera', Camera, ({ cameraId }: Device) => cameraId, {
    nullable: true,
    description: 'The camera that it is; null when it is a printer.',
  }),
];

@Resolver(() => DeviceConnection)
export class DeviceConnectionResolver {
  constructor(private readonly service: DeviceService) {}

  /** Behind an object that only who may read gets: it may name another printer. */
  @FieldResolver(() => String, { nullable: true })
  message(@Root() connection: DeviceConnection): Promise<string | null> {
    return this.service.buildMessage(connection);
  }
}

/** The field `device` of a printer. */
@Resolver(() => Printer)
export class PrinterDeviceResolver {
  constructor(private readonly store: DeviceStore) {}

  @FieldResolver(() => Device, {
    nullable: true,
    description: 'How the gateway listens to it; null when it does not.',
  })
  device(@Root() { id }: Printer): Promise<Device | null> {
    return this.store.byPrinter.load(id);
  }
}

/** The field `device` of a camera. */
@Resolver(() => Camera)
export class CameraDeviceResolver {
  constructor(private readonly store: DeviceStore) {}

  @FieldResolver(() => Device, {
    nullable: true,
    description: 'How the gateway listens to it; null when it does not.',
  })
  device(@Root() { id }: Camera): Promise<Device | null> {
    return this.store.byCamera.load(id);
  }
}
