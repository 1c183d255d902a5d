import type { KnownStudyStrategy, StudyStrategy } from 'study-gateway-client';

/** Names of the documented strategies for users. TypeScript reports a missing strategy. */
const names: Readonly<Record<KnownStudyStrategy, string>> = {
  problem_exploration: 'Problem exploration',
  solution_feedback: 'Solution feedback',
  concept_study: 'Concept study',
  dynamic_interview: 'Dynamic interview',
  ethnographic_research: 'Ethnographic research',
  custom_script: 'Custom script',
};

export const strategyNames: ReadonlyMap<StudyStrategy, string> = new Map(Object.entries(names));
