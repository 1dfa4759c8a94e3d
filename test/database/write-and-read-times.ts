// Writes times in both ways and reads each in all ways, in a separate process. Argument: the target as JSON.
import { writeSync } from 'node:fs';
import { openDatabase } from '../../src/database/database';
import { Prisma } from '../../src/generated/prisma/client';

const INSTANTS = [
  '2026-01-15T03:04:05.678Z',
  '2026-07-15T23:59:59.999Z',
  '2026-11-01T05:30:00.000Z',
  '2026-11-01T06:30:00.001Z',
  '2026-03-08T07:30:00.010Z',
  '0001-01-01T00:00:00.000Z',
  '9999-12-31T23:59:59.999Z',
];

async function main(): Promise<void> {
  const database = await openDatabase(JSON.parse(process.argv[2] ?? ''));
  const read = async (cameraId: string) => {
    const model = await database.prisma.camera.findUniqueOrThrow({ where: { cameraId } });
    const [json, sql] = await database.json<[string, string]>(
      'test',
      Prisma.sql`select json_build_array(created_at, to_char(created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
        as value from cameras where camera_id = ${cameraId}`,
    );
    return { model: model.createdAt.toISOString(), json: new Date(json).toISOString(), sql };
  };
  const times = [];
  for (const [index, instant] of INSTANTS.entries()) {
    const [model, json] = [`model-${index}`, `json-${index}`];
    const at = new Date(instant);
    await database.prisma.camera.create({ data: { cameraId: model, friendlyName: 'x', createdAt: at, updatedAt: at } });
    await database.prisma.$executeRaw`insert into cameras (camera_id, friendly_name, created_at)
      values (${json}, 'x', ${index % 2 ? at : instant}::timestamptz)`;
    times.push({ instant, byModel: await read(model), byJson: await read(json) });
  }
  const processZone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const sessionZone = await database.json('test', Prisma.sql`select to_json(current_setting('TimeZone')) as value`);
  writeSync(1, `${JSON.stringify({ processZone, sessionZone, times })}\n`);
  await database.close();
}

main().catch((error: Error) => {
  writeSync(2, `${error.stack}\n`);
  process.exitCode = 1;
});
