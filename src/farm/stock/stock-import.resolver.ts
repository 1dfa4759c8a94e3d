// The mutation importStock in the GraphQL schema.
import { Arg, Args, Ctx, FieldResolver, Mutation, Resolver, Root } from 'type-graphql';
import { parseText } from '../../values/text';
import type { Context } from '../graph/context';
import { Requires } from '../graph/rights';
import { selectRows } from './stock-import.answer';
import { IMPORTED_DECIMALS } from './stock-import.cells';
import { MAX_IMPORT_ROWS } from './stock-import.file';
import type { StockImportService } from './stock-import.service';
import {
  StockImport,
  StockImportRow,
  StockImportRowsArguments,
  type StockKind,
  StockKindEnum,
} from './stock-import.types';

@Resolver(() => StockImport)
export class StockImportResolver {
  constructor(private readonly service: StockImportService) {}

  @Requires('read', 'write')
  @Mutation(() => StockImport, {
    description:
      'Imports a CSV file of spools or filaments. Without confirm nothing is written, and the answer shows what each row would do. With ' +
      'the confirm value of that answer, all rows are written or none: CONFLICT if a row would have another effect by now. A row is ' +
      'about the stored object with its number or, without a number, the spool with its serial or the filament with its vendor and name. A ' +
      'missing column changes nothing; an empty cell removes the value. weighedGrams is the OPENING of a new spool and a weighing of a ' +
      'stored spool; the grams of the latest weighing or opening change nothing. ' +
      `Amounts keep ${IMPORTED_DECIMALS} decimal places. ` +
      'BAD_USER_INPUT if the file cannot be read; the path of an unknown column is csv and the heading of the column.',
  })
  importStock(
    @Arg('kind', () => StockKindEnum, { description: 'What the file lists.' }) kind: StockKind,
    @Arg('csv', () => String, {
      description:
        'The text of the file: cells separated by commas, semicolons or tabs, and the names of the columns in the first line.',
    })
    csv: string,
    @Arg('confirm', () => String, {
      nullable: true,
      description: 'The confirm value of the preview; null to get a preview.',
    })
    confirm: string | null | undefined,
    @Arg('ignoreColumns', () => [String], {
      nullable: true,
      description: 'The headings of columns that the import ignores. Upper and lower case are the same.',
    })
    ignoreColumns: string[] | null | undefined,
    @Arg('addMaterials', () => Boolean, {
      nullable: true,
      description:
        'Whether to add the missingMaterials that have a usual density. Otherwise rows with these materials are REFUSED.',
    })
    addMaterials: boolean | null | undefined,
    @Ctx() context: Context,
  ): Promise<StockImport> {
    return this.service.import(
      {
        kind,
        csv: parseText(csv, 'csv'),
        confirm: confirm ?? null,
        ignoredColumns: ignoreColumns ?? [],
        addsMaterials: addMaterials ?? false,
      },
      context,
    );
  }

  @FieldResolver(() => [StockImportRow], { description: `The rows of the file, at most ${MAX_IMPORT_ROWS}.` })
  rows(@Root() answer: StockImport, @Args() page: StockImportRowsArguments): StockImportRow[] {
    return selectRows(answer.rows, page);
  }
}
