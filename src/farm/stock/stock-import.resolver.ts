// Imports of CSV files in the graph.
import { Arg, Args, Ctx, FieldResolver, Mutation, Resolver, Root } from 'type-graphql';
import { parseText } from '../../values/text';
import type { Context } from '../graph/context';
import { Requires } from '../graph/rights';
import { selectRows } from './stock-import.answer';
import { IMPORTED_DECIMALS } from './stock-import.cells';
import type { StockImportService } from './stock-import.service';
import {
  MAX_IMPORT_ROWS,
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
      'Reads a CSV file of spools or filaments. Without confirm nothing is written, and the answer says what each row would do. With ' +
      'the confirm of that answer all rows are written, or none: CONFLICT when one would do something else by now. A row is found by ' +
      'its number, else by its serial, or by vendor and name. A column that is left out changes nothing, and an empty cell empties. ' +
      'weighedGrams says what is left: an OPENING of a new spool, else a weighing; the grams of the latest weighing or opening change ' +
      `nothing. Amounts keep ${IMPORTED_DECIMALS} decimal places. ` +
      'BAD_USER_INPUT when the file cannot be read; unknown columns have the path csv, and their heading.',
  })
  importStock(
    @Arg('kind', () => StockKindEnum, { description: 'What the file is a list of.' }) kind: StockKind,
    @Arg('csv', () => String, {
      description: 'The text of the file, with a comma, a semicolon or a tab between its cells, and a head.',
    })
    csv: string,
    @Arg('confirm', () => String, { nullable: true, description: 'Of the preview; null to get one.' })
    confirm: string | null | undefined,
    @Arg('ignoreColumns', () => [String], {
      nullable: true,
      description: 'Columns of the file that are not read, by their headings. Upper and lower case are the same.',
    })
    ignoreColumns: string[] | null | undefined,
    @Arg('addMaterials', () => Boolean, {
      nullable: true,
      description:
        'Whether to add the missingMaterials that have a usual density. If left out: their rows are REFUSED.',
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

  @FieldResolver(() => [StockImportRow], { description: `The rows of the file; at most ${MAX_IMPORT_ROWS}.` })
  rows(@Root() answer: StockImport, @Args() page: StockImportRowsArguments): StockImportRow[] {
    return selectRows(answer.rows, page);
  }
}
