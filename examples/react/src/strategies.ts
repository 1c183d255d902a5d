import type { KnownStudyStrategy } from 'study-gateway-client';

/** The documented strategies. The Study API may have others. */
export const strategies: readonly KnownStudyStrategy[] = [
  'problem_exploration',
  'solution_feedback',
  'concept_study',
  'dynamic_interview',
  'ethnographic_research',
  'custom_script',
];

/** The name of a strategy for users. */
export function toName(strategy: string): string {
  return strategy.slice(0, 1).toUpperCase() + strategy.slice(1).replaceAll('_', ' ');
}
