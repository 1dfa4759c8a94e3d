// Collects what the fields of an operation declare with @Extensions: needed rights, an answer that depends on the caller, a
// secret input, or that nothing is stored.
import {
  type DocumentNode,
  type GraphQLField,
  type GraphQLInputField,
  type GraphQLSchema,
  getNamedType,
  isInputObjectType,
  Kind,
  type OperationDefinitionNode,
  separateOperations,
  TypeInfo,
  visit,
  visitWithTypeInfo,
} from 'graphql';
import { BadRequest, type GatewayError } from '../../errors';
import type { Caller } from '../../farm/graph/caller';
import { checkRights, findRights, type Right } from '../../farm/graph/rights';
import { rootFieldsOf } from './root-fields';
import { earlyRefusal } from './variable-issues';

interface Demands {
  /** `@Extensions({ personal: true })`: the answer is about its caller. */
  personal: boolean;
  /** The rights that its fields need (farm/graph/rights.ts), and `read` for an object behind the one that a mutation writes. */
  rights: Set<Right>;
  /** A member of an input that it takes has `@Extensions({ secret: true })`: no error and no stored hash may show its value. */
  takesSecret: boolean;
  /** `@Extensions({ storesNothing: true })`: it runs outside of transactions, so it takes no idempotency key. */
  storesNothing: boolean;
  /** Whether it has more than one field at its root. */
  hasSeveralRoots: boolean;
}

export function createDemands(schema: GraphQLSchema) {
  const cached = new WeakMap<OperationDefinitionNode, Demands>();
  const demandsOf = (document: DocumentNode, operation: OperationDefinitionNode): Demands => {
    let demands = cached.get(operation);
    if (demands === undefined) {
      demands = collectDemands(schema, document, operation);
      cached.set(operation, demands);
    }
    return demands;
  };
  return {
    demandsOf,
    /** Callers of one audience may share an answer. */
    audienceOf: (document: DocumentNode, operation: OperationDefinitionNode, caller: Caller): string =>
      demandsOf(document, operation).personal ? caller.identity : caller.readRights,
    /** Refuses an operation before it reads or writes, if the caller lacks a right to a part of it. */
    refuseWithoutRights(document: DocumentNode, operation: OperationDefinitionNode, caller: Caller): void {
      try {
        checkRights(caller, demandsOf(document, operation).rights);
      } catch (error) {
        // The door has refused callers without credentials already.
        throw earlyRefusal(error as GatewayError, 403);
      }
    },
    /** A mutation that stores nothing would hold the transaction of the others for as long as it takes. */
    refuseBeside(document: DocumentNode, operation: OperationDefinitionNode): void {
      if (operation.operation !== 'mutation') return;
      const { storesNothing, hasSeveralRoots } = demandsOf(document, operation);
      if (!storesNothing || !hasSeveralRoots) return;
      throw earlyRefusal(new BadRequest('A mutation that stores nothing must be the only one of its operation'));
    },
  };
}

function collectDemands(schema: GraphQLSchema, document: DocumentNode, operation: OperationDefinitionNode): Demands {
  const types = new TypeInfo(schema);
  const root = schema.getRootType(operation.operation);
  const demands: Demands = {
    personal: false,
    rights: new Set(),
    takesSecret: false,
    storesNothing: false,
    hasSeveralRoots: rootFieldsOf(document, operation).size > 1,
  };
  const own = separateOperations(document)[operation.name?.value ?? ''] as DocumentNode;
  visit(
    own,
    visitWithTypeInfo(types, {
      [Kind.FIELD]({ selectionSet }) {
        const field = types.getFieldDef();
        const { personal, storesNothing } = field?.extensions ?? {};
        demands.personal ||= personal === true;
        demands.storesNothing ||= storesNothing === true;
        demands.takesSecret ||= field != null && takesSecret(field);
        const isRoot = types.getParentType() === root;
        // `__typename` and the schema are for each caller.
        const isOfSchema =
          field?.name.startsWith('__') === true || types.getParentType()?.name.startsWith('__') === true;
        if (field == null || isOfSchema) return;
        for (const right of findRights(field, isRoot ? operation.operation : null)) demands.rights.add(right);
        if (selectionSet !== undefined && !isRoot) demands.rights.add('read');
      },
    }),
  );
  return demands;
}

const takesSecret = ({ args }: GraphQLField<unknown, unknown>) =>
  args.some(({ type }) => {
    const given = getNamedType(type);
    return isInputObjectType(given) && Object.values(given.getFields()).some(isSecret);
  });

export const isSecret = ({ extensions }: Pick<GraphQLInputField, 'extensions'>) => extensions['secret'] === true;

export type DemandsIn = ReturnType<typeof createDemands>;
export type AudienceOf = DemandsIn['audienceOf'];
