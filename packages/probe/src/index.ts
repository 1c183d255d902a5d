export { probe, usage, type ProbeExit, type ProbeOptions, type ProbeOutput } from './probe.js';
export type { Report } from './report.js';
