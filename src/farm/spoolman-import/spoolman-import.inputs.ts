// Declares the GraphQL inputs of imports from Spoolman.
import { ArgsType, Extensions, Field, ID, InputType } from 'type-graphql';
import { pageArguments } from '../graph/page-arguments';
import { SpoolmanActionEnum, SpoolmanKindEnum } from './spoolman-import.types';

/** Marks a member whose value must appear in no error and no stored hash of a request (doors/graphql/demands.ts). */
const Secret = () => Extensions({ secret: true });

export const MAX_LOGIN = 1024;
export const PAGE_OF_ROWS = 50;

@InputType({
  description: `Credentials for a Spoolman behind a login: exactly one of apiKey, token, and username with password. Each has at most ${MAX_LOGIN} characters.`,
})
export class SpoolmanLoginInput {
  @Secret()
  @Field(() => String, { nullable: true, description: 'An API key, sent as X-API-Key.' })
  apiKey?: string | null;

  @Secret()
  @Field(() => String, { nullable: true, description: 'A token, sent as Authorization: Bearer.' })
  token?: string | null;

  @Secret()
  @Field(() => String, { nullable: true, description: 'A user name, sent with the password as Authorization: Basic.' })
  username?: string | null;

  @Secret()
  @Field(() => String, { nullable: true, description: 'The password of the user name.' })
  password?: string | null;
}

@InputType({ description: 'What to read: either a url or files.' })
export class ReadSpoolmanInput {
  @Field(() => String, {
    nullable: true,
    description:
      'URL of a running Spoolman, http(s)://HOST[:PORT][/PATH], without credentials. The same addresses are allowed as for devices.',
  })
  url?: string | null;

  @Secret()
  @Field(() => SpoolmanLoginInput, {
    nullable: true,
    description: 'Credentials for the url. The gateway uses them for this import and stores them nowhere.',
  })
  login?: SpoolmanLoginInput | null;

  @Field(() => [String], {
    nullable: true,
    description:
      'The contents of files that Spoolman exported (JSON or CSV; spools, filaments and vendors in any order), or of the answers of its lists. ' +
      'An export leaves out archived spools unless they were ticked.',
  })
  files?: string[] | null;

  @Field(() => ID, {
    nullable: true,
    description: 'GUID of an import of files that is READY, to which the files are added.',
  })
  into?: string | null;

  @Field(() => String, {
    defaultValue: 'spoolman',
    description: 'A name that tells several Spoolmans apart: 1 to 32 small letters, digits and hyphens.',
  })
  source!: string;
}

@ArgsType()
export class SpoolmanRowsArguments extends pageArguments(PAGE_OF_ROWS) {
  @Field(() => SpoolmanKindEnum, { nullable: true, description: 'Only rows of this kind.' })
  kind?: keyof typeof SpoolmanKindEnum | null;

  @Field(() => [SpoolmanActionEnum], { nullable: true, description: 'Only rows with one of these actions.' })
  actions?: (keyof typeof SpoolmanActionEnum)[] | null;
}
