import type { StudyStrategy } from 'study-gateway-client';

/** Names of the strategies for users. TypeScript reports a missing strategy. */
const names: Readonly<Record<StudyStrategy, string>> = {
  problem_exploration: 'Problem exploration',
  solution_feedback: 'Solution feedback',
  concept_study: 'Concept study',
  dynamic_interview: 'Dynamic interview',
  ethnographic_research: 'Ethnographic research',
  custom_script: 'Custom script',
};

export const strategies = Object.entries(names);

export function toStrategyName(strategy: StudyStrategy): string {
  return names[strategy];
}
