// Offers imports from Spoolman in GraphQL.
import { Arg, Args, Ctx, FieldResolver, ID, Mutation, Query, Resolver, Root } from 'type-graphql';
import { type Page, readPageRange, type Selected } from '../../values/page';
import type { Context } from '../graph/context';
import { SelectedOfPage } from '../graph/relay-connection';
import { Requires } from '../graph/rights';
import { PAGE_OF_ROWS, ReadSpoolmanInput, SpoolmanRowsArguments } from './spoolman-import.inputs';
import type { SpoolmanImportService } from './spoolman-import.service';
import { SpoolmanImport, SpoolmanImportRow, SpoolmanImportRowConnection } from './spoolman-import.types';

const Id = () => Arg('id', () => ID, { description: 'GUID of the import.' });

@Resolver(() => SpoolmanImport)
export class SpoolmanImportResolver {
  constructor(private readonly service: SpoolmanImportService) {}

  @Query(() => SpoolmanImport, {
    nullable: true,
    description:
      'One import from a Spoolman; null if there is none, and 24 hours after it was read if it was not written.',
  })
  spoolmanImport(@Id() id: string): Promise<SpoolmanImport | null> {
    return this.service.find(id);
  }

  @Requires('read', 'write')
  @Mutation(() => SpoolmanImport, {
    description:
      'Reads a running Spoolman or its export files, and shows what would be written. Reading goes on after the answer: ask spoolmanImport until ' +
      'the state is no longer READING. Requires the rights to read and to write, and with a url also the right to configure devices. ' +
      'BAD_USER_INPUT if a member is wrong, CONFLICT while another import is READING or WRITING.',
  })
  readSpoolman(
    @Arg('input', () => ReadSpoolmanInput, { description: 'What to read.' }) input: ReadSpoolmanInput,
    @Ctx() context: Context,
  ): Promise<SpoolmanImport> {
    return this.service.read(input, context);
  }

  @Requires('read', 'write')
  @Mutation(() => SpoolmanImport, {
    description:
      'Writes everything that the rows of an import show, or nothing: the import is FAILED if a row would now do something else. Writing goes on ' +
      'after the answer. NOT_FOUND if there is no such import. CONFLICT if it is not READY, if confirm is not its current value, if a row is ' +
      'REFUSED and withoutRefused is false, and while another import is READING or WRITING.',
  })
  writeSpoolmanImport(
    @Id() id: string,
    @Arg('confirm', () => String, { description: 'The confirm value of the import.' }) confirm: string,
    @Arg('withoutRefused', () => Boolean, {
      defaultValue: false,
      description: 'Whether to write the other rows although some are REFUSED.',
    })
    withoutRefused: boolean,
  ): Promise<SpoolmanImport> {
    return this.service.write(id, confirm, withoutRefused);
  }

  @FieldResolver(() => SpoolmanImportRowConnection, {
    description: 'The objects that were read: vendors, then filaments, then spools, each by id.',
  })
  rows(
    @Root() { id }: SpoolmanImport,
    @Args() { kind, actions, ...page }: SpoolmanRowsArguments,
    @SelectedOfPage() selected: Selected,
  ): Promise<Page<SpoolmanImportRow>> {
    return this.service.rows(
      id,
      { kind: kind ?? null, actions: actions ?? null },
      readPageRange(page, selected, PAGE_OF_ROWS),
    );
  }
}
