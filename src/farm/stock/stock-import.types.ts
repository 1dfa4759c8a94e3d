// The GraphQL types of an import: what the rows of a CSV file would do, or did.
import { ArgsType, Field, Int, ObjectType } from 'type-graphql';
import { defineEnum } from '../graph/enums';
import { DecimalScalar } from '../graph/scalars';

export const StockKindEnum = defineEnum('StockKind', 'What a CSV file lists.', {
  FILAMENTS: 'Filaments, with the columns of /reports/filaments.csv.',
  SPOOLS: 'Spools, with the columns of /reports/spools.csv.',
});
export type StockKind = keyof typeof StockKindEnum;

const StockImportActionEnum = defineEnum('StockImportAction', 'What a row of a CSV file does.', {
  CREATE: 'The row adds a spool or a filament.',
  UPDATE: 'The row changes a stored spool or filament.',
  SAME: 'The row changes nothing.',
  REFUSED: 'The row has a fault. Nothing is written while a row of the file is refused.',
});
export type StockImportAction = keyof typeof StockImportActionEnum;

@ObjectType({ description: 'A value that a row of a CSV file changes.', simpleResolvers: true })
export class StockImportChange {
  @Field(() => String, { description: 'The name of the column.' })
  column!: string;

  @Field(() => String, { nullable: true, description: 'The stored value; null if there is none.' })
  from!: string | null;

  @Field(() => String, { nullable: true, description: 'The value in the row; null if it is empty.' })
  to!: string | null;
}

@ObjectType({ description: 'A row of a CSV file and its effect.', simpleResolvers: true })
export class StockImportRow {
  @Field(() => Int, {
    description: 'The line of the file in which the row starts. The names of the columns are in line 1.',
  })
  line!: number;

  @Field(() => StockImportActionEnum, { description: 'The effect of the row.' })
  action!: StockImportAction;

  @Field(() => Int, { nullable: true, description: 'The number of the spool or filament; null if it is new.' })
  number!: number | null;

  @Field(() => String, { description: 'The serial of the spool, or vendor and name of the filament.' })
  name!: string;

  @Field(() => String, { nullable: true, description: 'Why the row is REFUSED, as a sentence; null otherwise.' })
  reason!: string | null;

  @Field(() => String, {
    nullable: true,
    description:
      'What a user should check before the row is written, as a sentence: a weight above the net weight of a full spool. null otherwise. ' +
      'The row is written nevertheless if the file is confirmed.',
  })
  warning!: string | null;

  @Field(() => [StockImportChange], { description: 'The values that an UPDATE changes or a CREATE sets.' })
  changes!: StockImportChange[];
}

@ObjectType({ description: 'A material that a CSV file names but the farm does not have.', simpleResolvers: true })
export class MissingMaterial {
  @Field(() => String, { description: 'The name as it is in the file.' })
  name!: string;

  @Field(() => DecimalScalar, {
    nullable: true,
    description:
      'The usual density of this plastic, in g/cm3; null if it is unknown. importStock can only add materials with a density.',
  })
  densityGPerCm3!: string | null;
}

@ArgsType()
export class StockImportRowsArguments {
  @Field(() => Int, {
    nullable: true,
    description:
      'The maximum number of rows; a value below 1 counts as 1. With first, rows are ordered by action: REFUSED, UPDATE, CREATE, SAME. Without first, the answer has all rows in the order of the file.',
  })
  first?: number | null;

  @Field(() => Int, { nullable: true, description: 'The number of rows to skip. A value below 0 counts as 0.' })
  offset?: number | null;
}

@ObjectType({ description: 'The result of an import of a CSV file, or its preview.', simpleResolvers: true })
export class StockImport {
  /** All rows in the order of the file. The field resolver `rows` answers a page of them. */
  rows!: StockImportRow[];

  @Field(() => Int, { description: 'The number of rows that add a spool or a filament.' })
  creates!: number;

  @Field(() => Int, { description: 'The number of rows that change a spool or a filament.' })
  updates!: number;

  @Field(() => Int, { description: 'The number of rows that change nothing.' })
  same!: number;

  @Field(() => Int, { description: 'The number of rows with a fault.' })
  refused!: number;

  @Field(() => Int, { description: 'The number of rows with a warning.' })
  warnings!: number;

  @Field(() => [MissingMaterial], {
    description:
      'The materials that the rows name but the farm does not have. addMaterials adds the materials that have a density.',
  })
  missingMaterials!: readonly MissingMaterial[];

  @Field(() => String, {
    nullable: true,
    description:
      'Send this value with the same file to write the rows. null while a row is REFUSED, if no row changes anything, and after writing.',
  })
  confirm!: string | null;

  @Field(() => Boolean, { description: 'Whether the rows were written.' })
  written!: boolean;
}
