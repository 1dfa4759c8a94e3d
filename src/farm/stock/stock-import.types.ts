// What an import of a CSV file would do, or did, in the graph.
import { ArgsType, Field, Int, ObjectType } from 'type-graphql';
import { enumOf } from '../graph/enums';
import { DecimalScalar } from '../graph/scalars';

/** The work of an import has some statements for each thousand rows. */
export const MAX_IMPORT_ROWS = 5000;

export const StockKindEnum = enumOf('StockKind', 'What a CSV file is a list of.', {
  FILAMENTS: 'The columns of /reports/filaments.csv.',
  SPOOLS: 'The columns of /reports/spools.csv.',
});
export type StockKind = keyof typeof StockKindEnum;

const StockImportActionEnum = enumOf('StockImportAction', 'What a row of a CSV file does.', {
  CREATE: 'It adds a spool or a filament.',
  UPDATE: 'It changes one.',
  SAME: 'It says what is so already.',
  REFUSED: 'It cannot be done, and while it is in the file no other row is written either.',
});
export type StockImportAction = keyof typeof StockImportActionEnum;

@ObjectType({ description: 'A member that a row of a CSV file changes.', simpleResolvers: true })
export class StockImportChange {
  @Field(() => String, { description: 'The column.' })
  column!: string;

  @Field(() => String, { nullable: true, description: 'What is stored; null for nothing.' })
  from!: string | null;

  @Field(() => String, { nullable: true, description: 'What the row says; null for nothing.' })
  to!: string | null;
}

@ObjectType({ description: 'A row of a CSV file, with what it does.', simpleResolvers: true })
export class StockImportRow {
  @Field(() => Int, { description: 'The line of the file; the head is 1. Of a row of several lines the first.' })
  line!: number;

  @Field(() => StockImportActionEnum, { description: 'What it does.' })
  action!: StockImportAction;

  @Field(() => Int, { nullable: true, description: 'The number of the spool or filament; null for one that is new.' })
  number!: number | null;

  @Field(() => String, { description: 'The serial of the spool, or vendor and name of the filament.' })
  name!: string;

  @Field(() => String, { nullable: true, description: 'Why it is REFUSED, as a sentence; null otherwise.' })
  reason!: string | null;

  @Field(() => [StockImportChange], { description: 'What UPDATE changes, and CREATE sets.' })
  changes!: StockImportChange[];
}

@ObjectType({ description: 'A material that a CSV file names and the farm does not have.', simpleResolvers: true })
export class MissingMaterial {
  @Field(() => String, { description: 'The name in the file.' })
  name!: string;

  @Field(() => DecimalScalar, {
    nullable: true,
    description:
      'The usual density of such a plastic in g/cm3; null when none is usual. Only materials with a density can be added by importStock.',
  })
  densityGPerCm3!: string | null;
}

@ArgsType()
export class StockImportRowsArguments {
  @Field(() => Int, {
    nullable: true,
    description:
      'The maximum number of rows; below 1 counts as 1. Then rows that do something come first: REFUSED, UPDATE, CREATE, SAME. If left out: all rows in the order of the file.',
  })
  first?: number | null;

  @Field(() => Int, { nullable: true, description: 'The number of rows to skip. Below 0 counts as 0.' })
  offset?: number | null;
}

@ObjectType({ description: 'What an import of a CSV file would do, or did.', simpleResolvers: true })
export class StockImport {
  /** All rows in the order of the file; a field of its own answers a page of them. */
  rows!: StockImportRow[];

  @Field(() => Int, { description: 'How many rows add something.' })
  creates!: number;

  @Field(() => Int, { description: 'How many rows change something.' })
  updates!: number;

  @Field(() => Int, { description: 'How many rows say what is so already.' })
  same!: number;

  @Field(() => Int, { description: 'How many rows cannot be done.' })
  refused!: number;

  @Field(() => [MissingMaterial], {
    description:
      'The materials that the rows name and the farm does not have. With addMaterials those with a density are added.',
  })
  missingMaterials!: readonly MissingMaterial[];

  @Field(() => String, {
    nullable: true,
    description:
      'To be sent with the same file, to write it; null while a row is REFUSED, and when all is written or the same.',
  })
  confirm!: string | null;

  @Field(() => Boolean, { description: 'Whether the rows are written.' })
  written!: boolean;
}
