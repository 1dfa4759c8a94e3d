// Declares the arguments of the queries and subscriptions of the feed of changes, and their limits.
import { ArgsType, Field, ID, InputType, Int } from 'type-graphql';
import { PrintJobFilter } from '../print-jobs/print-job.inputs';
import { type ChangeType, ChangeTypeEnum } from './change.types';

export const CHANGES_PER_PAGE = 100;
export const MAX_CHANGES_PER_PAGE = 1000;
/** The maximum length of a list in a filter. */
export const MAX_FILTER_ITEMS = 1000;

const describeIds = (object: string) => ({
  nullable: true,
  description:
    `Ids of ${object}, at most ${MAX_FILTER_ITEMS}. Changes of other ${object} are left out. Changes of other types are left out too, unless ` +
    '`types` contains their type.',
});

@InputType({ description: 'Conditions for changes. All of them must hold; a condition that is left out always holds.' })
export class ChangeFilter {
  @Field(() => [ChangeTypeEnum], {
    nullable: true,
    description: 'The types of changed objects; an empty list matches nothing.',
  })
  types?: ChangeType[] | null;

  @Field(() => [ID], describeIds('cameras'))
  cameraIds?: string[] | null;

  @Field(() => [ID], describeIds('print jobs'))
  printJobIds?: string[] | null;

  @Field(() => [ID], describeIds('printers'))
  printerIds?: string[] | null;

  @Field(() => [ID], describeIds('spools'))
  spoolIds?: string[] | null;
}

const AFTER = {
  nullable: true,
  description:
    'The cursor of the last change that the client has. BAD_USER_INPUT for a text that is not a cursor. CURSOR_EXPIRED if changes after it ' +
    'were already deleted, or if the cursor is from another database: read latestChangeCursor, then all objects again.',
};

@ArgsType()
export class AfterArgument {
  @Field(() => String, AFTER)
  after?: string | null;
}

@ArgsType()
export class ChangesArguments extends AfterArgument {
  @Field(() => ChangeFilter, { nullable: true, description: 'Only changes that match.' })
  filter?: ChangeFilter | null;
}

@ArgsType()
export class ChangePageArguments extends ChangesArguments {
  @Field(() => Int, {
    nullable: true,
    defaultValue: CHANGES_PER_PAGE,
    description: `The maximum number of changes, clamped to 1..${MAX_CHANGES_PER_PAGE}.`,
  })
  first?: number | null;
}

@ArgsType()
export class StatusChangesArguments extends AfterArgument {
  @Field(() => [ID], {
    nullable: true,
    description: `Ids of cameras, at most ${MAX_FILTER_ITEMS}; all cameras if left out.`,
  })
  cameraIds?: string[] | null;
}

@ArgsType()
export class JobChangesArguments extends AfterArgument {
  @Field(() => [ID], {
    nullable: true,
    description: `GUIDs of jobs, at most ${MAX_FILTER_ITEMS}; all jobs if left out.`,
  })
  ids?: string[] | null;

  @Field(() => PrintJobFilter, {
    nullable: true,
    description: 'Only jobs that match after the change. A removed job is compared as it was before its removal.',
  })
  filter?: PrintJobFilter | null;
}
