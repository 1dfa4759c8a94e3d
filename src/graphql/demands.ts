// What the fields of an operation declare with @Extensions: that they need the right to read, or answer each caller alone.
import {
  BREAK,
  type DocumentNode,
  type GraphQLSchema,
  Kind,
  type OperationDefinitionNode,
  separateOperations,
  TypeInfo,
  visit,
  visitWithTypeInfo,
} from 'graphql';
import type { Caller } from '../auth/caller';
import type { GatewayError } from '../errors';
import { earlyRefusal } from './issues';

interface Demands {
  /** `@Extensions({ personal: true })`: the answer is about its caller. */
  personal: boolean;
  /**
   * `@Extensions({ reads: true })`, and each field with a selection below the root: an object behind the one that a
   * mutation writes.
   */
  reads: boolean;
}

export function demandsIn(schema: GraphQLSchema) {
  const cached = new WeakMap<OperationDefinitionNode, Demands>();
  const demandsOf = (document: DocumentNode, operation: OperationDefinitionNode): Demands => {
    let demands = cached.get(operation);
    if (demands === undefined) {
      demands = measured(schema, document, operation);
      cached.set(operation, demands);
    }
    return demands;
  };
  return {
    /** Callers of one audience may share an answer. */
    audienceOf: (document: DocumentNode, operation: OperationDefinitionNode, caller: Caller): string =>
      demandsOf(document, operation).personal ? caller.identity : caller.readRights,
    /** Refuses a mutation before it writes, if the caller may not read its whole answer. */
    refuseWithoutRead(document: DocumentNode, operation: OperationDefinitionNode, caller: Caller): void {
      if (operation.operation !== 'mutation' || !demandsOf(document, operation).reads) return;
      try {
        caller.mayRead();
      } catch (error) {
        // The door has refused callers without credentials already.
        throw earlyRefusal(error as GatewayError, 403);
      }
    },
  };
}

function measured(schema: GraphQLSchema, document: DocumentNode, operation: OperationDefinitionNode): Demands {
  const types = new TypeInfo(schema);
  const root = schema.getRootType(operation.operation);
  const demands: Demands = { personal: false, reads: false };
  const own = separateOperations(document)[operation.name?.value ?? ''] as DocumentNode;
  visit(
    own,
    visitWithTypeInfo(types, {
      [Kind.FIELD]({ selectionSet }) {
        const { personal, reads } = types.getFieldDef()?.extensions ?? {};
        demands.personal ||= personal === true;
        demands.reads ||= reads === true || (selectionSet !== undefined && types.getParentType() !== root);
        return demands.personal && demands.reads ? BREAK : undefined;
      },
    }),
  );
  return demands;
}

export type AudienceOf = ReturnType<typeof demandsIn>['audienceOf'];
