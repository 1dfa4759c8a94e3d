// Collects what the fields of an operation declare with @Extensions: the rights that they need, whether the response depends on the
// caller, whether an input is secret, and whether nothing is stored.
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
import { collectRootFields } from './root-fields';
import { earlyRefusal } from './variable-issues';

interface Demands {
  /** Whether a field has `@Extensions({ personal: true })`, so that the response depends on the caller. */
  personal: boolean;
  /** The rights that the fields need (farm/graph/rights.ts), and `read` if a mutation selects objects inside the written object. */
  rights: Set<Right>;
  /** Whether a member of an input has `@Extensions({ secret: true })`. No error and no stored hash may reveal its value. */
  takesSecret: boolean;
  /** Whether a field has `@Extensions({ storesNothing: true })`. It runs outside of transactions, without an idempotency key. */
  storesNothing: boolean;
  /** Whether the operation has more than one field at its root. */
  hasSeveralRoots: boolean;
}

export function createDemands(schema: GraphQLSchema) {
  const cached = new WeakMap<OperationDefinitionNode, Demands>();
  const findDemands = (document: DocumentNode, operation: OperationDefinitionNode): Demands => {
    let demands = cached.get(operation);
    if (demands === undefined) {
      demands = collectDemands(schema, document, operation);
      cached.set(operation, demands);
    }
    return demands;
  };
  return {
    findDemands,
    /** Callers of the same audience may share a response. */
    findAudience: (document: DocumentNode, operation: OperationDefinitionNode, caller: Caller): string =>
      findDemands(document, operation).personal ? caller.identity : caller.readRights,
    /** Refuses an operation before it reads or writes, if the caller has no right to a part of it. */
    refuseWithoutRights(document: DocumentNode, operation: OperationDefinitionNode, caller: Caller): void {
      try {
        checkRights(caller, findDemands(document, operation).rights);
      } catch (error) {
        // The door has already refused callers without credentials.
        throw earlyRefusal(error as GatewayError, 403);
      }
    },
    /** A mutation that stores nothing, such as the test of a device, can take seconds. Others would keep their transaction open. */
    refuseSeveralMutations(document: DocumentNode, operation: OperationDefinitionNode): void {
      if (operation.operation !== 'mutation') return;
      const { storesNothing, hasSeveralRoots } = findDemands(document, operation);
      if (!storesNothing || !hasSeveralRoots) return;
      throw earlyRefusal(
        new BadRequest(
          'The test of a connection or channel must be the only mutation in its operation. Send it alone.',
        ),
      );
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
    hasSeveralRoots: collectRootFields(document, operation).size > 1,
  };
  const operationDocument = separateOperations(document)[operation.name?.value ?? ''] as DocumentNode;
  visit(
    operationDocument,
    visitWithTypeInfo(types, {
      [Kind.FIELD]({ selectionSet }) {
        const field = types.getFieldDef();
        const { personal, storesNothing } = field?.extensions ?? {};
        demands.personal ||= personal === true;
        demands.storesNothing ||= storesNothing === true;
        demands.takesSecret ||= field != null && takesSecret(field);
        const isRoot = types.getParentType() === root;
        // Every caller may read `__typename` and the schema.
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

export type DemandsOfSchema = ReturnType<typeof createDemands>;
export type FindAudience = DemandsOfSchema['findAudience'];
