// The arguments of the histories of slots.
import { ArgsType } from 'type-graphql';
import { pageArguments } from '../graph/page-arguments';

export const PAGE_OF_LOADS = 20;

@ArgsType()
export class LoadPageArguments extends pageArguments(PAGE_OF_LOADS) {}
