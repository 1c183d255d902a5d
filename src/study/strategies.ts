/**
 * The documented values of `strategy`, which is free text in requests and in answers. The document lists the values
 * without a name; the public reference names the field.
 */
export const knownStrategies = [
  'solution_feedback',
  'problem_exploration',
  'custom_script',
  'dynamic_interview',
  'ethnographic_research',
  'concept_study',
] as const;

const quoted = knownStrategies.map((name) => `\`${name}\``);
/** The documented values in one phrase, for descriptions in the schema. Not by `Intl.ListFormat`: see `oneOf` in config/. */
export const strategyNames = `${quoted.slice(0, -1).join(', ')}, and ${quoted.at(-1)}`;
