import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  type Sampler,
} from '@opentelemetry/sdk-trace';

/** Creates a sampler. `share` is the share of traces to record, from 0 to 1; only ratio samplers use `share`. */
type CreateSampler = (share: number) => Sampler;

const alwaysOn: CreateSampler = () => new AlwaysOnSampler();
const alwaysOff: CreateSampler = () => new AlwaysOffSampler();
const traceIdRatio: CreateSampler = (share) => new TraceIdRatioBasedSampler(share);

/** Creates a sampler that follows the caller's decision; for a new trace, the sampler of `createRoot` decides. */
const parentBased =
  (createRoot: CreateSampler): CreateSampler =>
  (share) =>
    new ParentBasedSampler({ root: createRoot(share) });

/** Samplers by their names in OpenTelemetry's `OTEL_TRACES_SAMPLER`, except samplers that fetch rules from a server. */
export const samplers = {
  always_on: alwaysOn,
  always_off: alwaysOff,
  traceidratio: traceIdRatio,
  parentbased_always_on: parentBased(alwaysOn),
  parentbased_always_off: parentBased(alwaysOff),
  parentbased_traceidratio: parentBased(traceIdRatio),
};
