// Offers devices in GraphQL, and the fields of printers and cameras that lead to them.
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
const REQUIRED_RIGHT = 'Requires the right to configure devices; the right to write does not include it.';

@Resolver(() => Device)
export class DeviceResolver {
  constructor(
    private readonly service: DeviceService,
    private readonly store: DeviceStore,
  ) {}

  @Costs({ size: MAX_DEVICES })
  @Query(() => [Device], {
    description: `All machines that the gateway connects to, in the order in which they were added; at most ${MAX_DEVICES}.`,
  })
  devices(): Promise<Device[]> {
    return this.store.listAll();
  }

  @Query(() => Device, { nullable: true, description: 'One device; null if there is none.' })
  device(@Id() id: string): Promise<Device | null> {
    return this.service.byId(id);
  }

  @Requires('devices')
  @Mutation(() => Device, {
    description:
      `Adds a machine. The gateway connects to it immediately, and \`connection\` shows the result. ${REQUIRED_RIGHT} ` +
      `BAD_USER_INPUT if the address is wrong, the printer or camera is unknown, or the farm already has ${MAX_DEVICES} devices. CONFLICT if the ` +
      'printer or camera already has a device, or if the machine is already the device of another printer or camera, which the message names.',
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
      `Changes a device. The gateway connects again, even if nothing changed. ${REQUIRED_RIGHT} NOT_FOUND if there is no such device, BAD_USER_INPUT ` +
      'names each wrong member, CONFLICT if other requests change the device at the same moment, or if the machine at the new address is ' +
      'already the device of another printer or camera.',
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
      'Ends the connection to a machine, deletes its secret, and returns the id of the device. Its prints and jobs stay; a running print ' +
      `becomes UNRESOLVED. ${REQUIRED_RIGHT} NOT_FOUND if there is no such device.`,
  })
  removeDevice(@Id() id: string, @Ctx() context: Context): Promise<string> {
    return this.service.remove(id, context);
  }

  @Extensions({ storesNothing: true })
  @Requires('devices')
  @Mutation(() => DeviceTest, {
    description:
      'Connects to a machine once, for at most 10 seconds and within the time of the request, and returns what was found. Nothing is stored, ' +
      `so an idempotency key is ignored, and this must be the only mutation of its operation. ${REQUIRED_RIGHT} ` +
      'BAD_USER_INPUT as for addDevice, but printerId and cameraId may both be left out, for a machine that is not in the farm yet. CONFLICT ' +
      `if another device is the same machine, TOO_MANY_REQUESTS while ${MAX_DEVICE_TESTS} other tests are running.`,
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
    description: 'The printer that the machine is; null for a camera.',
  }),
  link(Device, 'camera', Camera, ({ cameraId }: Device) => cameraId, {
    nullable: true,
    description: 'The camera that the machine is; null for a printer.',
  }),
];

@Resolver(() => DeviceConnection)
export class DeviceConnectionResolver {
  constructor(private readonly service: DeviceService) {}

  /** The message may name another printer. That is safe, because only callers with the right to read get a DeviceConnection. */
  @FieldResolver(() => String, { nullable: true })
  message(@Root() connection: DeviceConnection): Promise<string | null> {
    return this.service.buildMessage(connection);
  }
}

/** Offers the field `device` of a printer. */
@Resolver(() => Printer)
export class PrinterDeviceResolver {
  constructor(private readonly store: DeviceStore) {}

  @FieldResolver(() => Device, {
    nullable: true,
    description: 'The device through which the gateway connects to it; null if there is none.',
  })
  device(@Root() { id }: Printer): Promise<Device | null> {
    return this.store.byPrinter.load(id);
  }
}

/** Offers the field `device` of a camera. */
@Resolver(() => Camera)
export class CameraDeviceResolver {
  constructor(private readonly store: DeviceStore) {}

  @FieldResolver(() => Device, {
    nullable: true,
    description: 'The device through which the gateway connects to it; null if there is none.',
  })
  device(@Root() { id }: Camera): Promise<Device | null> {
    return this.store.byCamera.load(id);
  }
}
