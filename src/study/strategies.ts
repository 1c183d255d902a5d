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

/** The documented values in one phrase, for descriptions in the schema. */
export const strategyNames = new Intl.ListFormat('en').format(
  knownStrategies.map((name) => `\`${name}\``),
);
