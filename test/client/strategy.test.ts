import { readFileSync } from 'node:fs';
import { buildSchema, isInputObjectType, isObjectType } from 'graphql';
import { expect, expectTypeOf, it } from 'vitest';
import type {
  CreateStudyInput,
  KnownStudyStrategy,
  StudyFieldsFragment,
  StudyStrategy,
} from 'study-gateway-client';
import { knownStrategies } from '../../src/study/strategies.js';

const schema = buildSchema(readFileSync('schema/schema.graphql', 'utf8'));

it.each(['Study', 'CreateStudyInput', 'EditStudyInput'])(
  '%s.strategy is a String whose description names the documented values',
  (name) => {
    const type = schema.getType(name);
    const fields = isObjectType(type) || isInputObjectType(type) ? type.getFields() : {};
    const { strategy } = fields;

    expect(String(strategy?.type)).toBe('String');
    expect(strategy?.description?.match(/(?<=`)\w+(?=`)/g)).toEqual(knownStrategies);
  },
);

// The compiler checks these: they do nothing at run time.
it('has a TypeScript type of the documented values and any other string', () => {
  expectTypeOf<KnownStudyStrategy>().toEqualTypeOf<(typeof knownStrategies)[number]>();
  expectTypeOf<string>().toExtend<StudyStrategy>();
  // A plain `string` would swallow the documented values, so that editors could not complete them.
  expectTypeOf<StudyStrategy>().not.toEqualTypeOf<string>();
  expectTypeOf<StudyFieldsFragment['strategy']>().toEqualTypeOf<StudyStrategy | null>();
  expectTypeOf<CreateStudyInput['strategy']>().toEqualTypeOf<StudyStrategy | null | undefined>();
});
