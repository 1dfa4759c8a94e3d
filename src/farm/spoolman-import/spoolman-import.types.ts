// Declares the GraphQL types of an import from Spoolman: its state, its counts and its rows.
import { Field, ID, Int, ObjectType } from 'type-graphql';
import { defineEnum } from '../graph/enums';
import { defineConnection } from '../graph/relay-connection';

const SpoolmanImportStateEnum = defineEnum('SpoolmanImportState', 'The state of an import from Spoolman.', {
  READING: 'The gateway reads the Spoolman or the files, and decides what each object becomes.',
  READY: 'The rows show what would be written. Nothing is written yet.',
  WRITING: 'The gateway writes everything that the rows show.',
  WRITTEN: 'Everything that the rows show is written.',
  FAILED: 'Nothing was written. The message says why, and what to do.',
});
export type SpoolmanImportState = keyof typeof SpoolmanImportStateEnum;

export const SpoolmanKindEnum = defineEnum('SpoolmanKind', 'A kind of object in Spoolman.', {
  VENDOR: 'A vendor. Here it is a text of filaments and spools.',
  FILAMENT: 'A filament: a product.',
  SPOOL: 'A spool.',
});

export const SpoolmanActionEnum = defineEnum('SpoolmanAction', 'What an object of a Spoolman becomes.', {
  CREATE: 'The object is added.',
  UPDATE: 'The object was imported before, and members that have changed there are changed here.',
  SAME: 'Nothing changes.',
  KEPT: 'The value there has changed, and the value here has changed since the last import. The value here stays, and the reason names the members.',
  REFUSED:
    'The object has a fault, which the reason says. Nothing is written while there is such a row, unless withoutRefused is true. An object that needs a refused object is refused too.',
});

@ObjectType({ description: 'A value that a row of an import changes.', simpleResolvers: true })
export class SpoolmanChange {
  @Field(() => String, { description: 'The name of the member.' })
  member!: string;

  @Field(() => String, { nullable: true, description: 'The value here; null if there is none.' })
  from!: string | null;

  @Field(() => String, { nullable: true, description: 'The value that is written; null if it is removed.' })
  to!: string | null;
}

@ObjectType({ description: 'An object of a Spoolman, and what it becomes here.', simpleResolvers: true })
export class SpoolmanImportRow {
  @Field(() => SpoolmanKindEnum, { description: 'The kind of the object.' })
  kind!: keyof typeof SpoolmanKindEnum;

  @Field(() => Int, { nullable: true, description: 'The id in Spoolman; null if it has none that is valid.' })
  spoolmanId!: number | null;

  @Field(() => SpoolmanActionEnum, { description: 'What the object becomes.' })
  action!: keyof typeof SpoolmanActionEnum;

  @Field(() => Int, {
    nullable: true,
    description: 'The number that the object has here, or would get; null for vendors and for refused rows.',
  })
  number!: number | null;

  @Field(() => String, { description: 'A name by which the user recognises the object.' })
  name!: string;

  @Field(() => String, {
    nullable: true,
    description:
      'Why the row is REFUSED or KEPT, or what the user should know, such as another number, a changed name, an assumed weight or a tag that was left out.',
  })
  reason!: string | null;

  @Field(() => [SpoolmanChange], { description: 'The values that an UPDATE changes or a CREATE sets.' })
  changes!: SpoolmanChange[];

  /** The place of the row in the import, for cursors. */
  position!: number;
}

export const SpoolmanImportRowConnection = defineConnection(
  SpoolmanImportRow,
  'rows of an import from Spoolman',
  'The number of rows that match the filter.',
);

@ObjectType({ description: 'An import from a Spoolman: what was read, and what is written.', simpleResolvers: true })
export class SpoolmanImport {
  @Field(() => ID, { description: 'GUID of the import.' })
  id!: string;

  @Field(() => String, { description: 'The name that tells several Spoolmans apart.' })
  source!: string;

  @Field(() => SpoolmanImportStateEnum, { description: 'The state of the import.' })
  state!: SpoolmanImportState;

  @Field(() => String, {
    nullable: true,
    description:
      'Why the import is FAILED and what to do, as a sentence; null otherwise. It never has a text that the Spoolman sent.',
  })
  message!: string | null;

  @Field(() => Int, { description: 'How many objects of all kinds were read so far.' })
  read!: number;

  @Field(() => Int, { description: 'The number of rows that add an object.' })
  creates!: number;

  @Field(() => Int, { description: 'The number of rows that change an object.' })
  updates!: number;

  @Field(() => Int, { description: 'The number of rows that change nothing.' })
  same!: number;

  @Field(() => Int, { description: 'The number of rows whose values here stay, although they have changed there.' })
  kept!: number;

  @Field(() => Int, { description: 'The number of rows with a fault.' })
  refused!: number;

  @Field(() => Int, {
    description:
      'The number of objects that this source had at an earlier import and no longer has. They stay here. 0 if files were read.',
  })
  gone!: number;

  @Field(() => Int, {
    description: 'The number of spools in use without a known tare. A scale cannot weigh them together with the spool.',
  })
  withoutTare!: number;

  @Field(() => String, {
    nullable: true,
    description: 'Send this value to writeSpoolmanImport; null unless the import is READY and has something to write.',
  })
  confirm!: string | null;
}
