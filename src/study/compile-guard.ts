import { z } from 'zod';
import { isJsonObject } from '../rest/json-body.js';

type Guard = (value: unknown) => boolean;

/**
 * Tells whether a value is what a schema accepts as it stands, in a third of the time that zod takes: zod makes two objects
 * for each field that it looks at, and a copy of the whole. Made of the schema, which stays the one source of the
 * types; zod itself judges whatever is not written out here.
 */
export function compileGuard(schema: z.core.$ZodType): Guard {
  const scope = new Scope();
  const condition = toCondition(schema, 'value', scope);
  // oxlint-disable-next-line typescript/no-implied-eval, no-new-func -- made of a schema of ours, of nothing from outside
  const create = new Function(...scope.names, `return (value) => ${condition};`);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what the line above returns
  return create(...scope.values) as Guard;
}

/** What the code has from outside. */
class Scope {
  readonly values: unknown[] = [];

  get names(): string[] {
    return this.values.map((_, index) => `scope${index}`);
  }

  /** Returns its name in the code. */
  add(value: unknown): string {
    return `scope${this.values.push(value) - 1}`;
  }
}

/** JavaScript that is true for what the schema accepts. */
function toCondition(schema: z.core.$ZodType, value: string, scope: Scope): string {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the union of all schemas that zod has
  const { def } = (schema as z.core.$ZodTypes)._zod;
  const inner = (type: z.core.$ZodType): string => toCondition(type, value, scope);
  const byZod = (): string =>
    `${scope.add((it: unknown) => z.safeParse(schema, it).success)}(${value})`;
  if (def.checks?.length) return byZod();

  switch (def.type) {
    case 'optional':
      return `(${value} === undefined || ${inner(def.innerType)})`;
    case 'nullable':
      return `(${value} === null || ${inner(def.innerType)})`;
    case 'boolean':
      return `typeof ${value} === 'boolean'`;
    case 'string': {
      if (!('check' in def)) return `typeof ${value} === 'string'`;
      if (!('pattern' in def && 'format' in def) || def.format !== 'guid') return byZod();
      return `(typeof ${value} === 'string' && ${scope.add(def.pattern)}.test(${value}))`;
    }
    case 'number':
      if (!('format' in def) || def.format !== 'int32') return byZod();
      return `(typeof ${value} === 'number' && (${value} | 0) === ${value})`;
    case 'enum':
      return `${scope.add(schema._zod.values)}.has(${value})`;
    case 'custom':
      return `!!${scope.add(def.fn)}(${value})`;
    case 'array':
      return `${scope.add(toArrayGuard(compileGuard(def.element)))}(${value})`;
    case 'object': {
      if (def.catchall) return byZod();
      const fields = Object.entries(def.shape).map(([name, field]) =>
        toCondition(field, `${value}[${JSON.stringify(name)}]`, scope),
      );
      return `(${[`${scope.add(isJsonObject)}(${value})`, ...fields].join(' && ')})`;
    }
    default:
      return byZod();
  }
}

function toArrayGuard(isItem: Guard): Guard {
  return (value) => Array.isArray(value) && value.every(isItem);
}
