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

const namesByStrategy: ReadonlyMap<StudyStrategy, string> = new Map(Object.entries(names));

/** Returns the name of a strategy for users; the value itself if it is not documented. */
export function toStrategyName(strategy: StudyStrategy): string {
  return namesByStrategy.get(strategy) ?? strategy;
}

/**
 * Returns the strategies that a form offers: the documented ones and `stored`, which the form would otherwise show as
 * not chosen.
 *
 * @param stored strategy of the study; an empty text if there is none
 */
export function toStrategyOptions(stored: StudyStrategy): readonly StudyStrategy[] {
  const documented = [...namesByStrategy.keys()];
  return stored === '' || documented.includes(stored) ? documented : [...documented, stored];
}
