import {
  isInputObjectType,
  isInputType,
  isListType,
  isNonNullType,
  isRequiredInputField,
  typeFromAST,
  valueFromAST,
  type GraphQLInputObjectType,
  type GraphQLInputType,
  type GraphQLSchema,
  type VariableDefinitionNode,
} from 'graphql';
import { compile } from './compile.js';
import { irregular } from './irregular.js';

type Values = Readonly<Record<string, unknown>>;
type Coerce = (value: unknown) => unknown;

/**
 * The variables of an operation, coerced as graphql-js does it, without its path to each value.
 *
 * @throws `irregular`, or what a scalar throws, on values that graphql-js may refuse
 */
export function planVariables(
  schema: GraphQLSchema,
  definitions: readonly VariableDefinitionNode[],
): (given: Values) => Record<string, unknown> {
  const variables = definitions.map((definition) => {
    const type = typeFromAST(schema, definition.type);
    const name = definition.variable.name.value;
    // Set on an object, this name would change its prototype.
    if (!isInputType(type) || name === '__proto__') throw irregular;
    return {
      name,
      coerce: planInput(type),
      isRequired: isNonNullType(type),
      byDefault: definition.defaultValue && valueFromAST(definition.defaultValue, type),
    };
  });
  return (given) => {
    const values: Record<string, unknown> = {};
    for (const { name, coerce, isRequired, byDefault } of variables) {
      if (Object.hasOwn(given, name)) values[name] = coerce(given[name]);
      else if (byDefault !== undefined) values[name] = byDefault;
      else if (isRequired) throw irregular;
    }
    return values;
  };
}

const plans = new WeakMap<GraphQLInputType, Coerce>();

function planInput(type: GraphQLInputType): Coerce {
  const known = plans.get(type);
  if (known) return known;
  const plan = createInputPlan(type);
  plans.set(type, plan);
  return plan;
}

function createInputPlan(type: GraphQLInputType): Coerce {
  if (isNonNullType(type)) {
    const coerce = planInput(type.ofType);
    return (value) => {
      if (value === null || value === undefined) throw irregular;
      return coerce(value);
    };
  }
  if (isListType(type)) {
    const coerce = planInput(type.ofType);
    return (value) => {
      if (value === null || value === undefined) return null;
      // One value in place of a list is allowed, and rare.
      if (!Array.isArray(value)) throw irregular;
      return value.map((item: unknown) => coerce(item));
    };
  }
  if (isInputObjectType(type)) {
    if (type.isOneOf) throw irregular;
    return planInputObject(type);
  }
  return (value) => {
    if (value === null || value === undefined) return null;
    const parsed: unknown = type.parseValue(value);
    if (parsed === undefined) throw irregular;
    return parsed;
  };
}

/** In the order of its type's fields, as graphql-js does it. */
function planInputObject(type: GraphQLInputObjectType): Coerce {
  const fields = Object.values(type.getFields());
  const names = new Set(fields.map(({ name }) => name));
  const scope: Record<string, unknown> = { irregular };
  const statements = fields.map((field, index) => {
    // Planned when it is asked for: an input type may hold itself.
    let coerce: Coerce | undefined;
    scope[`coerce${index}`] = (value: unknown) => (coerce ??= planInput(field.type))(value);
    scope[`default${index}`] = field.defaultValue;
    const otherwise =
      field.defaultValue !== undefined
        ? `else coerced.${field.name} = default${index};`
        : isRequiredInputField(field)
          ? 'else throw irregular;'
          : '';
    return `if (object.${field.name} !== undefined) coerced.${field.name} = coerce${index}(object.${field.name}); ${otherwise}`;
  });
  const coerce = compile(
    `const coerced = {}; ${statements.join('\n')} return coerced;`,
    [...names],
    scope,
  );
  return (value) => {
    if (value === null || value === undefined) return null;
    if (typeof value !== 'object' || Array.isArray(value)) throw irregular;
    for (const name in value) if (!names.has(name)) throw irregular;
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- an object, by the line above
    return coerce(value as Values);
  };
}
