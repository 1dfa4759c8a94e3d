// Imports of CSV files in the graph.
import { Arg, Ctx, Mutation, Resolver } from 'type-graphql';
import { parseText } from '../../values/text';
import type { Context } from '../graph/context';
import { Requires } from '../graph/rights';
import type { StockImportService } from './stock-import.service';
import { StockImport, type StockKind, StockKindEnum } from './stock-import.types';

@Resolver()
export class StockImportResolver {
  constructor(private readonly service: StockImportService) {}

  @Requires('read', 'write')
  @Mutation(() => StockImport, {
    description:
      'Reads a CSV file of spools or filaments. Without confirm nothing is written, and the answer says what each row would do. With ' +
      'the confirm of that answer all rows are written, or none: CONFLICT when one would do something else by now. A row is found by ' +
      'its number, else by its serial, or by vendor and name. A column that is left out changes nothing, and an empty cell empties. ' +
      'weighedGrams says what is left: an OPENING of a new spool, else a weighing. BAD_USER_INPUT when the file cannot be read.',
  })
  importStock(
    @Arg('kind', () => StockKindEnum, { description: 'What the file is a list of.' }) kind: StockKind,
    @Arg('csv', () => String, {
      description: 'The text of the file, with a comma, a semicolon or a tab between its cells, and a head.',
    })
    csv: string,
    @Arg('confirm', () => String, { nullable: true, description: 'Of the preview; null to get one.' })
    confirm: string | null | undefined,
    @Ctx() context: Context,
  ): Promise<StockImport> {
    return this.service.import(kind, parseText(csv, 'csv'), confirm ?? null, context);
  }
}
