// The arguments of the histories of slots.
import { ArgsType } from 'type-graphql';
import { pageArguments } from '../graph/page-arguments';
import { PAGE_OF_LOADS } from './slot.limits';

@ArgsType()
export class LoadPageArguments extends pageArguments(PAGE_OF_LOADS) {}
