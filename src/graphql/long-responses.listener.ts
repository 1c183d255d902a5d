import { isNonNullType, locatedError } from 'graphql';
import type { ErrorFormat } from '../errors/client-error.js';
import { LongResponseError } from '../execution/field-errors.js';
import type { AnswerRoom } from './answer-room.js';
import { JsonPieces } from './json-pieces.js';
import type { OperationContext, OperationListener } from './operation-listener.js';
import { findRootFields } from './root-fields.js';

/** By room, because Apollo copies the context. */
const longData = new WeakMap<AnswerRoom, readonly Buffer[]>();

/** Returns the `data` of a long response as JSON; `undefined` for any other response. */
export function getLongData({ room }: OperationContext): readonly Buffer[] | undefined {
  return room.isHeld ? longData.get(room) : undefined;
}

/**
 * Creates the listener that writes the data of an operation with long answers as JSON, once its calls have ended. A root
 * field whose value makes the data longer than `maxBytes` becomes `null` with one error.
 */
export function createLongResponses(
  { formatErrors }: Pick<ErrorFormat, 'formatErrors'>,
  maxBytes: number,
): OperationListener<OperationContext> {
  return {
    willSendResponse(requestContext) {
      const { contextValue, response, document, operation, schema } = requestContext;
      const { room } = contextValue;
      if (!room.isHeld || response.body.kind !== 'single' || !document || !operation) return;
      const { singleResult } = response.body;
      const { data } = singleResult;
      if (!data) return;

      const written = new JsonPieces(maxBytes);
      const refused: string[] = [];
      written.addText('{');
      for (const [index, [name, value]] of Object.entries(data).entries()) {
        written.addText(`${index > 0 ? ',' : ''}${JSON.stringify(name)}:`);
        if (written.add(value)) continue;
        written.addText('null');
        refused.push(name);
      }
      written.addText('}');

      singleResult.data = null;
      if (refused.length > 0) {
        const roots = findRootFields(document, operation);
        const fields = schema.getRootType(operation.operation)?.getFields() ?? {};
        const nodes = refused.map((name) => roots.get(name)!);
        const thrown = refused.map((name, index) =>
          locatedError(new LongResponseError(maxBytes), nodes[index], [name]),
        );
        const formatted = formatErrors(thrown, requestContext);
        singleResult.errors = [...(singleResult.errors ?? []), ...formatted];
        if (nodes.some(({ name }) => isNonNullType(fields[name.value]?.type))) return;
      }
      longData.set(room, written.buffers);
      room.keep(written.heldBytes);
    },
  };
}
